"""Whether to drop a running skill, answered as a language model is asked to.

The skill is dropped when the teammate is probably at work in the same role, or when it has become useless: when a cook
with these hands, who leaves to the teammate what that is after, would not start it any more.
"""

import re

from bba.errors import BBAError
from bba.kitchen.constants import NOTHING, SKILL_NAMES, SKILL_STAY
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.order_needs import order_needs
from bba.planner.scripted.planning_view import PlanningView
from bba.planner.scripted.prompt_parser import SceneFacts, parse_prompt
from bba.planner.scripted.tasks import free_hand_tasks
from bba.planner.scripted.teammate import likely_skill, predict_partner, role_of

MARK = "Verdict: <"
_RUNNING = re.compile(rf"the skill \d+:({'|'.join(SKILL_NAMES)}) has been running")


def answer(question: str) -> str:
    """The verdict in the form that the question asks for.

    Raises:
        BBAError: the question does not say which skill is running.
    """
    running = _RUNNING.search(question)
    if running is None:
        raise BBAError("scripted planner: the prompt does not say 'the skill <index>:<name> has been running'")
    drop = is_superseded(SKILL_NAMES.index(running[1]), parse_prompt(question))
    return f"Verdict: {'REPLAN' if drop else 'CONTINUE'}"


def is_superseded(skill: int, facts: SceneFacts) -> bool:
    """Whether what the teammate does overlaps with a running skill, or leaves it without a use."""
    if skill == SKILL_STAY:
        return False
    return role_of(likely_skill(facts)) == role_of(skill) or skill not in useful_skills(facts)


def useful_skills(facts: SceneFacts) -> set[int]:
    """The skills that the cook could start now with a use."""
    if facts.me.held != NOTHING:
        return {full_hand_skill(PlanningView(facts, order_needs(facts), facts.me, facts.mate))}
    expected = predict_partner(facts)
    return {
        task.skill for task in free_hand_tasks(PlanningView(expected, order_needs(expected), facts.me, expected.mate))
    }
