"""Answers side queries: whether to drop a running skill, and hypotheses on the teammate's strategy.

The skill is dropped if the teammate is probably at work in the same role, or if it has become useless: a cook with the
same held item, which leaves the teammate's probable task to the teammate, would not start it any more.

Each hypothesis is that the teammate keeps to one role.

- Generate: proposes the role of the teammate's latest completed skills.
- Predict: the use of what the teammate holds if that is work of the role, else the role's most valuable task.
- Evaluate: a prediction came true if work of the same role was observed.
"""

import re
from collections.abc import Callable

from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.errors import BBAError
from bba.kernels import in_use, maybe_compiled
from bba.kitchen.constants import SKILL_NAMES
from bba.planner.scripted.policy import is_superseded, mates_skill
from bba.planner.scripted.prompt_parser import ROLE_NAMED, parse_prompt

# The text that marks each query.
JUDGE, EVALUATE, GENERATE = "Verdict: <", "1: <TRUE or FALSE>", "Hypothesis: <"
PREDICT = "1: <index or name of the next skill>"

_RUNNING = re.compile(rf"the skill \d+:({'|'.join(SKILL_NAMES)}) has been running")
_LISTED = re.compile(r"^  (\d+)\. \([+-]\d\.\d\d\) (.*)$", re.MULTILINE)
_SEEN = re.compile(r"^  step \d+: (?:completed|went on with) (\d+):", re.MULTILINE)
_EXPECTS = re.compile(r"-> expects (\d+):")


def judge(question: str) -> str:
    """Answers REPLAN or CONTINUE in the requested format.

    Raises:
        BBAError: the question does not say which skill is running.
    """
    running = _RUNNING.search(question)
    if running is None:
        raise BBAError("scripted planner: the prompt does not say 'the skill <index>:<name> has been running'")
    return verdict(is_superseded(parse_prompt(question), SKILL_NAMES.index(running[1])))


def verdict(replans: bool) -> str:
    """Returns the answer in the requested format."""
    return f"Verdict: {'REPLAN' if replans else 'CONTINUE'}"


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
    skill_in = maybe_compiled(mates_skill, fast=in_use(), allocates=False)
    return "\n".join(f"{number}: {skill_in(facts, ROLE_NAMES.index(role))}" for number, role in expected)


def _roles_seen(question: str) -> list[int]:
    """Returns the roles of the skills that the teammate was observed to do, oldest first."""
    roles = [ROLE_OF_SKILL[int(skill)] for skill in _SEEN.findall(question)]
    return [role for role in roles if role != NO_ROLE]


def _role_in(hypothesis: str) -> str:
    """Returns the role that a hypothesis names first; the first of all roles if it names none."""
    named = ROLE_NAMED.search(hypothesis)
    return named[0] if named else ROLE_NAMES[0]


ANSWERS: dict[str, Callable[[str], str]] = {JUDGE: judge, EVALUATE: evaluate, GENERATE: generate, PREDICT: predict}
