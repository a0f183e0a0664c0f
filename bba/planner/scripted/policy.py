"""The decision: full hands follow their rule, free hands take the job that is worth most for its way.

With a belief in the prompt the roles complement each other: a job in the role that the teammate is probably in is worth
less by that probability, so that of two jobs about as good the one is taken that the teammate leaves.
"""

from operator import itemgetter

from bba.kitchen.constants import NOTHING, SKILL_STAY
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.order_needs import order_needs
from bba.planner.scripted.planning_view import PlanningView, Task, walking_cost
from bba.planner.scripted.prompt_parser import SceneFacts
from bba.planner.scripted.tasks import free_hand_tasks
from bba.planner.scripted.teammate import predict_partner, role_of

LEAST_VALUE = -15.0  # a job that is rated lower is not started: better wait for the teammate's hand-over
SHARED = 12.0  # what a job loses of its worth if the belief is sure that the teammate is in its role: work done twice


def choose_skill(facts: SceneFacts) -> int:
    """The skill to run; always one of the feasible ones."""
    if facts.me.held != NOTHING:
        return full_hand_skill(PlanningView(facts, order_needs(facts), facts.me, facts.mate))
    task = best_task(facts)
    return SKILL_STAY if task is None else task.skill


def best_task(facts: SceneFacts) -> Task | None:
    """The best job for free hands that the teammate is not likely to be after; None if nothing useful can be done."""
    expected = predict_partner(facts)
    view = PlanningView(expected, order_needs(expected), facts.me, expected.mate)
    offered = [
        (task.value - walking_cost(view, task), task) for task in free_hand_tasks(view) if task.skill in facts.feasible
    ]
    rated = [(rating - _shared(facts, task), task) for rating, task in offered if rating > LEAST_VALUE]
    return max(rated, key=itemgetter(0), default=(0.0, None))[1]


def _shared(facts: SceneFacts, task: Task) -> float:
    """What a job loses as the teammate is probably in its role and could do it, too; nothing without a sure belief."""
    if any(facts.places.apart(facts.mate.position, place) for place in (task.place, task.goal)):
        return 0.0
    return SHARED * facts.posterior.get(role_of(task.skill), 0.0)
