"""The work of a role: the useful tasks, as the scripted planner sees them, of a cook that pursues one role."""

from bba.agents.base import Observation
from bba.agents.perception import planner_input_from
from bba.belief import NO_ROLE, ROLE_OF_SKILL
from bba.kitchen.constants import PASS_OBJECT
from bba.planner.scripted import scene_facts
from bba.planner.scripted.order_needs import next_use
from bba.planner.scripted.planning_view import PlanningView, Task, walking_cost
from bba.planner.scripted.scene_facts import SceneFacts
from bba.planner.scripted.tasks import free_hand_tasks


def facts_of(observation: Observation) -> SceneFacts:
    """Returns what the scene shows to the scripted planner."""
    return scene_facts.facts_of(planner_input_from(observation))


def startable_tasks(facts: SceneFacts) -> list[Task]:
    """Returns the tasks that a cook with free hands can start, the highest value minus walking cost first."""
    view = PlanningView(facts)
    tasks = [task for task in free_hand_tasks(view) if task.skill in facts.feasible]
    return sorted(tasks, key=lambda task: walking_cost(view, task) - task.value)


def tasks_within(facts: SceneFacts, role: int) -> list[Task]:
    """Returns the startable tasks of a role and those that prepare for it, then handling a fire, which has no role.

    A task prepares for the role if its item is picked up for a skill of the role: a clean plate for plating, an item
    from beyond the wall for passing.
    """
    view, tasks = PlanningView(facts), startable_tasks(facts)
    own = [task for task in tasks if role in (ROLE_OF_SKILL[task.skill], ROLE_OF_SKILL[_next_skill(view, task)])]
    return own + [task for task in tasks if ROLE_OF_SKILL[task.skill] == NO_ROLE]


def _next_skill(view: PlanningView, task: Task) -> int:
    """Returns the skill for which a task picks its item up; its own skill if it is work in one place."""
    if task.start == task.goal:
        return task.skill
    return PASS_OBJECT if view.needs_handover(task.goal) else next_use(task.held_after)[1]
