"""The decision: full hands follow their rule, free hands take the job that is worth most for its way.

With a belief in the prompt the roles complement each other: a job in the role that the teammate is probably in is worth
less by that probability, so that of two jobs about as good the one is taken that the teammate leaves.
"""

from operator import itemgetter

from bba.kitchen.codes import NOTHING, STAY
from bba.planner.scripted.board import Board, Job, tiles
from bba.planner.scripted.demand import demand
from bba.planner.scripted.hands import full_hand_skill
from bba.planner.scripted.jobs import free_hand_jobs
from bba.planner.scripted.reading import Facts
from bba.planner.scripted.teammate import imagine, role_of

WORTH_WHILE = -15.0  # a job that is rated lower is not started: better wait for the teammate's hand-over
SHARED = 12.0  # what a job loses of its worth if the belief is sure that the teammate is in its role: work done twice


def choose(facts: Facts) -> int:
    """The skill to run; always one of the feasible ones."""
    if facts.me.held != NOTHING:
        return full_hand_skill(Board(facts, demand(facts), facts.me, facts.mate))
    job = best_job(facts)
    return STAY if job is None else job.skill


def best_job(facts: Facts) -> Job | None:
    """The best job for free hands that the teammate is not likely to be after; None if nothing useful can be done."""
    expected = imagine(facts)
    board = Board(expected, demand(expected), facts.me, expected.mate)
    offered = [(job.worth - tiles(board, job), job) for job in free_hand_jobs(board) if job.skill in facts.feasible]
    rated = [(rating - _shared(facts, job), job) for rating, job in offered if rating > WORTH_WHILE]
    return max(rated, key=itemgetter(0), default=(0.0, None))[1]


def _shared(facts: Facts, job: Job) -> float:
    """What a job loses as the teammate is probably in its role and could do it, too; nothing without a sure belief."""
    if any(facts.places.apart(facts.mate.position, place) for place in (job.place, job.goal)):
        return 0.0
    return SHARED * facts.posterior.get(role_of(job.skill), 0.0)
