"""The policy: full hands follow the rule for the held item, free hands take the task with the best value minus cost.

The teammate's next task is predicted, so that the work is not done twice. With a belief in the prompt this is the best
task, weighted by the posterior of its role. Without one it is the use of what the teammate holds, or the work at the
station that it faces; for a teammate that walks with free hands it is unknown.

With a belief in the prompt the roles complement each other. A task in the teammate's probable role is rated lower by
the probability of that role, so that of two similar tasks the one outside the teammate's role is taken.
"""

from dataclasses import replace
from operator import itemgetter

from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.kitchen.constants import NOTHING, SKILL_STAY
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.order_needs import next_use, upcoming
from bba.planner.scripted.planning_view import PlanningView, Task, walking_cost
from bba.planner.scripted.scene_facts import Cook, Position, SceneFacts
from bba.planner.scripted.tasks import free_hand_tasks

FACING_OFFSETS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
HEADING_BONUS = 15.0  # tiles added to a task's rating if the teammate walks towards it, subtracted if it walks away
ROLE_BONUS = 40.0  # tiles added to a task's rating at posterior 1 of its role
LEAST_RATING = -15.0  # a task rated lower is not started: waiting for the teammate's hand-over is better
# Rating lost by a task in the teammate's role at probability 1, as work may be done twice. Told the true role, the
# planner earns as much at 12 as at 0, with fewer duplicates, and no more at 24 (docs/reproduction.md).
OVERLAP_PENALTY = 12.0


def role_of(skill: int) -> str:
    """Returns the name of a skill's role, "" for fire handling and waiting."""
    role = ROLE_OF_SKILL[skill]
    return "" if role == NO_ROLE else ROLE_NAMES[role]


def likely_task(facts: SceneFacts) -> Task | None:
    """Returns the probable task of a teammate with free hands; None if it is idle or its task is unknown."""
    if facts.teammate.held != NOTHING or facts.teammate_idle:
        return None
    view = PlanningView(facts, of_teammate=True)
    tasks = [task for task in free_hand_tasks(view) if facts.posterior or task.start == _faced_tile(facts.teammate)]
    likely = max(tasks, key=lambda task: _rating(view, task), default=None)
    return None if likely is None or _is_mine(view, likely) else likely


def predict_partner(facts: SceneFacts, likely: Task | None) -> SceneFacts:
    """Returns the facts after the teammate has started its probable task."""
    if likely is None:
        return facts
    teammate = replace(facts.teammate, held=likely.held_after)
    return replace(facts, teammate=teammate, items=tuple([item for item in facts.items if item is not likely.item]))


def likely_skill(facts: SceneFacts, likely: Task | None) -> int:
    """Returns the skill that the teammate probably runs, from what it holds or else from its probable task."""
    held = facts.teammate.held
    if held == NOTHING:
        return SKILL_STAY if likely is None else likely.skill
    return next_use(held, *upcoming(facts)[:1])[1]


def _faced_tile(cook: Cook) -> Position:
    (x, y), (dx, dy) = cook.position, FACING_OFFSETS[cook.facing]
    return x + dx, y + dy


def _rating(view: PlanningView, task: Task) -> float:
    """Returns the rating of a task for the teammate: value, cost, its direction of walking, and the belief."""
    rating = task.value - walking_cost(view, task) + HEADING_BONUS * _heading_towards(view, task.start)
    return rating + ROLE_BONUS * view.facts.posterior.get(role_of(task.skill), 0.0)


def _heading_towards(view: PlanningView, place: Position) -> int:
    """Returns 1 if the teammate walks towards a place, -1 if away from it, 0 if it faces a station."""
    (x, y), (dx, dy) = view.cook.position, FACING_OFFSETS[view.cook.facing]
    if view.geometry.letter_at(_faced_tile(view.cook)):
        return 0
    along = (place[0] - x) * dx + (place[1] - y) * dy
    return (along > 0) - (along < 0)


def _is_mine(view: PlanningView, task: Task) -> bool:
    """Whether the deciding cook is nearer, so that the task will be its own."""
    distance = view.geometry.distance
    return distance(view.other.position, task.start) < distance(view.cook.position, task.start)


def choose_skill(facts: SceneFacts, likely: Task | None) -> int:
    """Returns the skill to run, always a feasible one, beside the teammate's probable task."""
    if facts.me.held != NOTHING:
        return full_hand_skill(PlanningView(facts))
    task = best_task(facts, likely)
    return SKILL_STAY if task is None else task.skill


def best_task(facts: SceneFacts, likely: Task | None) -> Task | None:
    """Returns the best task for free hands that the teammate will probably not do; None if there is no useful task."""
    view = PlanningView(predict_partner(facts, likely))
    offered = [
        (task.value - walking_cost(view, task), task) for task in free_hand_tasks(view) if task.skill in facts.feasible
    ]
    rated = [(rating - _overlap_penalty(facts, task), task) for rating, task in offered if rating > LEAST_RATING]
    return max(rated, key=itemgetter(0), default=(0.0, None))[1]


def _overlap_penalty(facts: SceneFacts, task: Task) -> float:
    """Returns what a task loses because the teammate, probably in its role, could do it too; 0 without a belief."""
    if any(facts.geometry.separated(facts.teammate.position, place) for place in (task.start, task.goal)):
        return 0.0
    return OVERLAP_PENALTY * facts.posterior.get(role_of(task.skill), 0.0)
