"""The policy: full hands follow the rule for the held item, free hands take the task with the best value minus cost.

With a belief in the prompt the roles complement each other. A task in the teammate's probable role is rated lower by
the probability of that role, so that of two similar tasks the one outside the teammate's role is taken.
"""

from operator import itemgetter

from bba.kitchen.constants import NOTHING, SKILL_STAY
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.order_needs import order_needs
from bba.planner.scripted.planning_view import PlanningView, Task, walking_cost
from bba.planner.scripted.prompt_parser import SceneFacts
from bba.planner.scripted.tasks import free_hand_tasks
from bba.planner.scripted.teammate import predict_partner, role_of

LEAST_RATING = -15.0  # a task rated lower is not started: waiting for the teammate's hand-over is better
OVERLAP_PENALTY = 12.0  # rating lost by a task in the teammate's role at probability 1, as work may be done twice


def choose_skill(facts: SceneFacts) -> int:
    """Returns the skill to run; always a feasible one."""
    if facts.me.held != NOTHING:
        return full_hand_skill(PlanningView(facts, order_needs(facts), facts.me, facts.teammate))
    task = best_task(facts)
    return SKILL_STAY if task is None else task.skill


def best_task(facts: SceneFacts) -> Task | None:
    """Returns the best task for free hands that the teammate will probably not do; None if there is no useful task."""
    expected = predict_partner(facts)
    view = PlanningView(expected, order_needs(expected), facts.me, expected.teammate)
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
