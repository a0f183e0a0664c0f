"""Answers to side queries about hypotheses on the teammate's strategy. Each hypothesis is that it keeps to one role.

- Generate: proposes the role of the teammate's latest completed skills.
- Predict: the use of what the teammate holds if that is work of the role, else the role's most valuable task.
- Evaluate: a prediction came true if work of the same role was observed.
"""

import re
from collections.abc import Callable

from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL, ROLE_SKILLS
from bba.kitchen.constants import NOTHING
from bba.planner.scripted.order_needs import order_needs, upcoming
from bba.planner.scripted.planning_view import PlanningView, walking_cost
from bba.planner.scripted.prompt_parser import ROLE_NAMED, SceneFacts, parse_prompt
from bba.planner.scripted.recipes import next_use
from bba.planner.scripted.tasks import free_hand_tasks

EVALUATE, GENERATE, PREDICT = "1: <TRUE or FALSE>", "Hypothesis: <", "1: <index or name of the next skill>"

_LISTED = re.compile(r"^  (\d+)\. \([+-]\d\.\d\d\) (.*)$", re.MULTILINE)
_SEEN = re.compile(r"^  step \d+: (?:completed|went on with) (\d+):", re.MULTILINE)
_EXPECTS = re.compile(r"-> expects (\d+):")


def evaluate(question: str) -> str:
    """Answers whether each prediction came true."""
    seen = set(_roles_seen(question))
    lines = []
    for number, hypothesis in _LISTED.findall(question):
        expected = _EXPECTS.search(hypothesis)
        came_true = expected is not None and ROLE_OF_SKILL[int(expected[1])] in seen
        lines.append(f"{number}: {'TRUE' if came_true else 'FALSE'}")
    return "\n".join(lines)


def generate(question: str) -> str:
    """Answers with the latest role observed that no hypothesis names yet; if all are named, with the latest one."""
    shown = [ROLE_NAMES[role] for role in reversed(_roles_seen(question))]
    named = {_role_in(hypothesis) for _, hypothesis in _LISTED.findall(question)}
    role = next((role for role in shown if role not in named), next(iter(shown), ROLE_NAMES[0]))
    return f"Hypothesis: the teammate keeps to the role {role}."


def predict(question: str) -> str:
    """Answers with the next skill that each hypothesis implies."""
    facts = parse_prompt(question)
    expected = [(number, _role_in(text)) for number, text in _LISTED.findall(question)]
    return "\n".join(f"{number}: {next_skill(facts, ROLE_NAMES.index(role))}" for number, role in expected)


ANSWERS: dict[str, Callable[[str], str]] = {EVALUATE: evaluate, GENERATE: generate, PREDICT: predict}
"""Answer functions by the text that marks the query."""


def next_skill(facts: SceneFacts, role: int) -> int:
    """Returns the skill that a teammate in this role would complete next."""
    held = facts.teammate.held
    if held != NOTHING:
        use = next_use(held, *upcoming(facts)[:1])[1]
        if ROLE_OF_SKILL[use] == role:
            return use
    view = PlanningView(facts, order_needs(facts), facts.teammate, facts.me)
    tasks = [task for task in free_hand_tasks(view) if ROLE_OF_SKILL[task.skill] == role]
    best = max(tasks, key=lambda task: task.value - walking_cost(view, task), default=None)
    return ROLE_SKILLS[role][0] if best is None else best.skill


def _roles_seen(question: str) -> list[int]:
    """Returns the roles of the skills that the teammate was observed to do, oldest first."""
    roles = [ROLE_OF_SKILL[int(skill)] for skill in _SEEN.findall(question)]
    return [role for role in roles if role != NO_ROLE]


def _role_in(hypothesis: str) -> str:
    """Returns the role that a hypothesis names first; the first of all roles if it names none."""
    named = ROLE_NAMED.search(hypothesis)
    return named[0] if named else ROLE_NAMES[0]
