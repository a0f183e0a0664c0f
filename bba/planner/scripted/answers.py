"""What the scripted planner answers, in the format that a question asks for; and what it thinks of the teammate.

Each of its hypotheses is that the teammate keeps to one role.

- Generate: proposes the role of the teammate's latest completed skills.
- Predict: the use of what the teammate holds if that is work of the role, else the role's most valuable task.
- Evaluate: a prediction came true if work of the same role was observed.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.kitchen import NO_SKILL, SKILL_NAMES

FORMAT_MARK = "Plan for Player"
STRATEGY_MARK = "Teammate strategy hypothesis:"
UNCLEAR = "unclear"
AnswerShape = Literal["number", "role", "strategy"]
_ROLE_NAMED = re.compile("|".join(ROLE_NAMES))


def shape_of(system: str) -> AnswerShape:
    """Returns the shape of answers that a system prompt asks for."""
    if FORMAT_MARK not in system:
        return "number"
    return "strategy" if STRATEGY_MARK in system else "role"


def answer_text(shape: AnswerShape, player: int, skill: int, expected: int, role: str | None) -> str:
    """Returns the answer that names a skill.

    Args:
        shape: the number alone, or three lines, of which the first names the teammate's role or a strategy.
        player: who chooses, 0 or 1.
        skill: the skill that the player chooses.
        expected: the skill that the teammate probably runs.
        role: the teammate's probable role; None if that is not shown.
    """
    if shape == "number":
        return str(skill)
    mate = 1 - player
    intention = SKILL_NAMES[expected]
    if shape == "strategy":
        first = f"{STRATEGY_MARK} {role or UNCLEAR}"
        second = f"Predicted next behavior for Player {mate}: {intention}"
    else:
        first = f"Teammate role belief: {role or UNCLEAR}"
        second = f'Intention for Player {mate}: "{intention}"'
    return f'{first}\n{second}\nPlan for Player {player}: "{skill}:{SKILL_NAMES[skill]}"'


def verdict(replans: bool) -> str:
    """Returns the judge's answer."""
    return "Verdict: REPLAN" if replans else "Verdict: CONTINUE"


def evaluation(predictions: Iterable[tuple[str, int]], roles_seen: Collection[int]) -> str:
    """Returns the answer whether predictions came true.

    Args:
        predictions: the number of each hypothesis, and the skill that it expected; NO_SKILL for none.
        roles_seen: of the work that the teammate was seen to do since.
    """
    lines = []
    for number, skill in predictions:
        came_true = skill != NO_SKILL and ROLE_OF_SKILL[skill] in roles_seen
        lines.append(f"{number}: TRUE" if came_true else f"{number}: FALSE")
    return "\n".join(lines)


def proposal(roles_seen: Sequence[int], hypotheses: Iterable[str]) -> str:
    """Returns the answer that proposes a hypothesis: the latest role seen that none names, else the latest one.

    Args:
        roles_seen: of the work that the teammate was seen to do, oldest first.
        hypotheses: the texts of those so far.
    """
    named = {role_of_hypothesis(text) for text in hypotheses}
    unnamed = [role for role in roles_seen if role not in named]
    candidates = unnamed or roles_seen
    role = candidates[-1] if candidates else 0
    return f"Hypothesis: the teammate keeps to the role {ROLE_NAMES[role]}."


def prediction(skills: Iterable[tuple[str, int]]) -> str:
    """Returns the answer what is expected next: the number of each hypothesis, and the skill that it implies."""
    return "\n".join([f"{number}: {skill}" for number, skill in skills])


def role_named(text: str) -> int:
    """Returns the first role that a text names; NO_ROLE if it names none."""
    match = _ROLE_NAMED.search(text)
    return NO_ROLE if match is None else ROLE_NAMES.index(match[0])


def role_of_hypothesis(text: str) -> int:
    """Returns the role that a hypothesis is about; the first of all if it names none."""
    role = role_named(text)
    return 0 if role == NO_ROLE else role
