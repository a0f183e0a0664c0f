"""Answers the side query whether to drop a running skill.

The skill is dropped if the teammate is probably at work in the same role, or if it has become useless: a cook with the
same held item, which leaves the teammate's probable task to the teammate, would not start it any more.
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
    """Answers REPLAN or CONTINUE in the requested format.

    Raises:
        BBAError: the question does not say which skill is running.
    """
    running = _RUNNING.search(question)
    if running is None:
        raise BBAError("scripted planner: the prompt does not say 'the skill <index>:<name> has been running'")
    drop = is_superseded(SKILL_NAMES.index(running[1]), parse_prompt(question))
    return f"Verdict: {'REPLAN' if drop else 'CONTINUE'}"


def is_superseded(skill: int, facts: SceneFacts) -> bool:
    """Whether the teammate's probable skill has the same role as a running skill, or makes it useless."""
    if skill == SKILL_STAY:
        return False
    return role_of(likely_skill(facts)) == role_of(skill) or skill not in useful_skills(facts)


def useful_skills(facts: SceneFacts) -> set[int]:
    """Returns the skills that would be useful to start now."""
    if facts.me.held != NOTHING:
        return {full_hand_skill(PlanningView(facts, order_needs(facts), facts.me, facts.teammate))}
    expected = predict_partner(facts)
    view = PlanningView(expected, order_needs(expected), facts.me, expected.teammate)
    return {task.skill for task in free_hand_tasks(view)}
