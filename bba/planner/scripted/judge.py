"""Whether to drop a running skill, answered as a language model is asked to.

The skill is dropped when the teammate is probably at work in the same role, or when it has become useless: when a cook
with these hands, who leaves to the teammate what that is after, would not start it any more.
"""

import re

from bba.errors import BBAError
from bba.kitchen.codes import NOTHING, SKILL_NAMES, STAY
from bba.planner.scripted.board import Board
from bba.planner.scripted.demand import demand
from bba.planner.scripted.hands import full_hand_skill
from bba.planner.scripted.jobs import free_hand_jobs
from bba.planner.scripted.reading import Facts, read
from bba.planner.scripted.teammate import imagine, likely_skill, role_of

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
    drop = overtaken(SKILL_NAMES.index(running[1]), read(question))
    return f"Verdict: {'REPLAN' if drop else 'CONTINUE'}"


def overtaken(skill: int, facts: Facts) -> bool:
    """Whether what the teammate does overlaps with a running skill, or leaves it without a use."""
    if skill == STAY:
        return False
    return role_of(likely_skill(facts)) == role_of(skill) or skill not in useful_skills(facts)


def useful_skills(facts: Facts) -> set[int]:
    """The skills that the cook could start now with a use."""
    if facts.me.held != NOTHING:
        return {full_hand_skill(Board(facts, demand(facts), facts.me, facts.mate))}
    expected = imagine(facts)
    return {job.skill for job in free_hand_jobs(Board(expected, demand(expected), facts.me, expected.mate))}
