"""What the other cook is probably about to do, so that it is not done twice."""

from dataclasses import replace

from bba.kitchen.codes import CHOP, N_SKILLS, NOTHING
from bba.planner.scripted.demand import DISHES, demand
from bba.planner.scripted.jobs import Board, Job, free_hand_jobs, tiles
from bba.planner.scripted.places import Position
from bba.planner.scripted.reading import Facts

AHEAD = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
ROLES = {
    "prep_protein": (0, 2, 8, 9, 15, 16),
    "prep_rice": (1, 11),
    "plate_hygiene": (5, 12, 13),
    "assemble": (10, 17, 18, 21, 22, 23),
    "serve": (7, 19, 20),
    "stage_pass": (25, 26),
}
ROLE_OF = {skill: role for role, skills in ROLES.items() for skill in skills}
LOOKS_AT = 8.0  # worth, in tiles, of facing the way that a job lies
NEARER = 3  # tiles by which a cook must be nearer to a job than its teammate to count it as its own
BELIEVED = 60.0  # worth, in tiles, of a role that the belief is sure of


def imagine(facts: Facts) -> Facts:
    """The facts as they will be when the teammate, if its hands are free, has started what it is probably after."""
    if facts.mate.held != NOTHING:
        return facts
    board = Board(facts, demand(facts), facts.mate, facts.me)
    likely = max(free_hand_jobs(board), key=lambda job: _pull(board, job), default=None)
    if likely is None or _mine(board, likely):
        return facts
    mate = replace(facts.mate, held=likely.gives if likely.skill < N_SKILLS else NOTHING)
    return replace(facts, mate=mate, things=tuple([thing for thing in facts.things if thing is not likely.thing]))


def _pull(board: Board, job: Job) -> float:
    """How much speaks for a job from where the teammate stands: worth, way, the way it faces, and the belief."""
    pull = job.worth - tiles(board, job)
    if board.places.apart(board.cook.position, job.place):
        pull -= 100.0
    if _faces(board.cook.position, board.cook.facing, job.place):
        pull += LOOKS_AT
    return pull + BELIEVED * board.facts.posterior.get(ROLE_OF.get(job.skill, ""), 0.0)


def _faces(position: Position, facing: str, place: Position) -> bool:
    dx, dy = AHEAD[facing]
    return (place[0] - position[0]) * dx + (place[1] - position[1]) * dy > 0


def _mine(board: Board, job: Job) -> bool:
    """Whether the cook that decides is so much nearer that the job will be its own."""
    walk = board.places.walk
    return walk(board.other.position, job.place) + NEARER < walk(board.cook.position, job.place)


__all__ = ["CHOP", "DISHES", "imagine"]
