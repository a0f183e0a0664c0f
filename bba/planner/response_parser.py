"""Parses a model's responses, without raising: which feasible skill a plan names, and whose plan it is.

The skill is read from the line with the player's plan (`bba.planner.plan_labels`), which counts whatever else stands
there. Without one, a label that names no player may give it (``Action: 11``), then a line of its own, as a number or a
skill name in any case. Failing that, the text must contain exactly one skill name as the prompt writes it, or "I choose
11". What is said of the other player is never taken for one's own plan.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bba.kitchen.constants import SKILL_NAMES
from bba.planner.answer_shapes import as_lines
from bba.planner.plan_labels import BOTH, TEAMMATE, Label, read_labels
from bba.planner.skill_text import (
    DECORATION,
    alone,
    in_range,
    named_skill,
    names_with_context,
    why_unreadable,
    written_out,
)

_READ = 20_000  # characters of a response that are read: its last ones
_CLAUSE = 80  # characters before a skill's name in which its subject is looked for
_I_CHOOSE = re.compile(
    r"\bI(?:['’](?:ll|d)| will| would| should)?(?: now)?"
    r" (?:choose|pick|select|go with|take|run|do|opt for|answer|recommend)"
    r"(?: (?:action|skill|option|index|number))?[ *`\"']{1,4}([0-9]{1,2})(?![0-9])(?!\.[0-9])"
    r"(?![*`\"']* (?:steps?|plates?|orders?|more|times?)\b)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*[0-9]{1,2}[.)]|.*\n.*\S")  # an item of a list, or several lines
_SUBJECT = re.compile(
    r"\b(?:teammate|partner|other cook|they|he|she|(?:player|p) ?([0-9]))\b[^,.;:\n]*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ParsedResponse:
    """What was read from a response.

    Attributes:
        skill: the feasible skill that it names; None if there is none.
        belief_text: what it says about the partner's role; None if it says nothing.
        intention: the skill that it expects of the partner; None if it expects none.
        problem: why there is no skill; None if there is one.
    """

    skill: int | None
    belief_text: str | None
    intention: int | None
    problem: str | None


def parse_response(text: str, feasible: Collection[int], player: int | None = None) -> ParsedResponse:
    """Parses a response leniently. Never raises.

    Args:
        text: the response.
        feasible: the skills that can run now.
        player: whose plan is asked for, 0 or 1; None takes the only player whose plan it holds.
    """
    read = _read_response(text[-_READ:], player)
    if read.skill is None or read.skill in feasible:
        return read
    return replace(read, skill=None, problem=f"{read.skill}:{SKILL_NAMES[read.skill]} cannot run now")


@lru_cache(maxsize=512)  # the scripted planner says the same again and again
def _read_response(text: str, player: int | None) -> ParsedResponse:
    """Returns what a response says, whether its skill is feasible or not."""
    text = as_lines(text)
    labels = read_labels(text)
    skill, problem = _planned(text, labels, player)
    return ParsedResponse(skill, _belief(labels), _intention(labels), problem if skill is None else None)


def holds_plan(text: str) -> bool:
    """Whether a text has a line from which a plan can be read, for whomever."""
    labels = read_labels(as_lines(text[-_READ:]))
    return any(label.strong and named_skill(label.value) is not None for label in labels)


def _belief(labels: Sequence[Label]) -> str | None:
    """Returns what is believed of the partner, for a terminal, which would execute control characters."""
    said = [label.value for label in labels if label.kind == "belief"]
    return "".join(filter(str.isprintable, said[-1])).strip(DECORATION) or None if said else None


def _intention(labels: Sequence[Label]) -> int | None:
    said = [named_skill(label.value) for label in labels if label.kind == "intention"]
    return said[-1] if said else None


def _planned(text: str, labels: Sequence[Label], player: int | None) -> tuple[int | None, str]:
    """Returns the skill that is planned, or None and why there is none."""
    plans = [label for label in labels if label.kind == "plan"]
    loose = [label for label in plans if label.seat is None]
    own = [label for label in plans if _is_own(label.seat, player)]
    others = [label for label in plans if label.seat is not None and label not in own]
    if len({label.seat for label in own}) > 1 or any(label.seat == BOTH for label in others):
        return None, "it holds plans for two players"
    if own:
        return _read(own[-1])
    if others and (not loose or any(_read(label)[0] is None for label in others)):
        return None, f"it plans for {_whom(others[-1])}, and not for {_name(player)}"
    skill = _agreed(loose)
    if skill is not None:
        return skill, ""
    if others or any(label.kind != "plan" for label in labels):
        return None, f"it has no readable line with the plan for {_name(player)}"
    return _unlabelled(text, player), why_unreadable(text)


def _is_own(seat: int | None, player: int | None) -> bool:
    return seat is not None and (seat >= 0 if player is None else seat == player)


def _read(label: Label) -> tuple[int | None, str]:
    skill = _lone(label.value) if label.below else named_skill(label.value)
    return skill, why_unreadable(label.value)


def _agreed(labels: Sequence[Label]) -> int | None:
    """Returns the skill of the last plan without a player that can be read, or that of all other labels together."""
    read = [(label.strong, skill) for label in labels if (skill := _read(label)[0]) is not None]
    strong = [skill for is_strong, skill in read if is_strong]
    skills = {skill for _, skill in read}
    if strong:
        return strong[-1]
    return skills.pop() if len(skills) == 1 else None


def _whom(label: Label) -> str:
    return "the teammate" if label.seat == TEAMMATE else f"Player {label.seat}"


def _name(player: int | None) -> str:
    return "one player" if player is None else f"Player {player}"


def _lone(text: str) -> int | None:
    """Reads the skill that stands alone on a line, else the only one that is written out."""
    found = {skill for skill in map(alone, text.splitlines()) if skill is not None} or written_out(text)
    return found.pop() if len(found) == 1 else None


def _unlabelled(text: str, player: int | None) -> int | None:
    """Reads the skill of a response without labels; None if several can be read, or if it is the other player's."""
    lone: set[int | None] = {skill for skill in map(alone, text.splitlines()) if skill is not None}
    found = lone or {_own_skill(*one, player) for one in names_with_context(text, _CLAUSE)}
    found = found or {in_range(number) for number in _I_CHOOSE.findall(text)}
    if not found and not _LISTED.match(text):
        return named_skill(text)
    return found.pop() if len(found) == 1 else None


def _own_skill(before: str, skill: int | None, player: int | None) -> int | None:
    """Returns a skill that is named in prose; None if the clause before it speaks of the other player."""
    subject = _SUBJECT.search(before)
    if subject is None or (subject[1] is not None and player in (None, int(subject[1]))):
        return skill
    return None
