"""Parses a model's responses, without raising: which feasible skill a plan names, and the answers to side queries.

The skill is read from the ``Plan for Player N:`` line. A response without any labelled line may give the skill on a
line of its own, as a number or a skill name in any case. Failing that, the text must contain exactly one skill name as
the prompt writes it. A number counts only if it stands alone, because prose is full of positions, steps and players.

The answer to a side query may be decorated, in any case, and surrounded by prose. It is None if nothing could be read,
or if it can be read in two ways.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeVar

from bba.kitchen.constants import N_SKILLS, SKILL_NAMES

Value = TypeVar("Value")

_NUMBERS = {name.replace("_", " "): number for number, name in enumerate(SKILL_NAMES)}
_DECORATION = " \t\r\n*_`\"'“”‘’«».,;:!()[]{}<>#"
_SPACES = re.compile(r"[\s_-]+")
_LABEL = re.compile(
    r"^[^\w\n]*(?:[0-9][.)][^\w\n]*)?"
    r"(?:teammate\s+role\s+(?P<belief>belief)|(?P<intent>intention)\s+for\s+player\s*[0-9]?"
    r"|plan\s+for\s+player\s*(?P<player>[0-9]?))"
    r"[*_`\"' ]*(?::|=|->)(?P<value>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r"^\s*[-*•]\s+")
_NUMBER = re.compile(r"[0-9]{1,2}")
_NUMBER_FIRST = re.compile(r"([0-9]{1,2})[\s:.,;)\]=–—*`\"'-]+(?![0-9])")
_NUMBER_LAST = re.compile(r"[\s:.,;(\[=–—*`\"'-]+([0-9]{1,2})$")
_NUMBER_THEN_REASON = re.compile(r"([0-9]{1,2})[*`\"'’”)\]]*\s*[,;:(–—-][^0-9]*")
_WRITTEN_OUT = re.compile(
    r"(?:(?<![\w.])([0-9]{1,2})[\s:.)\]=–—*`\"'-]{1,4})?"
    rf"(?<![\w-])({'|'.join(sorted(SKILL_NAMES, key=len, reverse=True))})(?![\w-])"
)

LONGEST = 300  # characters of a hypothesis that are kept; it is sent along with every later query
# No two adjacent parts of a pattern match the same characters, so that parsing takes linear time.
_VERDICT = re.compile(r"^[^\w\n]*verdict[^\w\n:=]*[:=][^\w\n]*(replan|continue)\b(?! or\b)", re.I | re.M)
_JUDGEMENT = re.compile(r"\b(replan|continue)\b", re.I)
_TRUTH = re.compile(r"\b(true|false)\b", re.I)
_NUMBERED = re.compile(
    r"^[^\w\n]*(?:(?:hypothesis|prediction)[^\w\n]*)?([0-9]{1,3})[*_`\"'\]]*[ \t]*[:.)=–—-](.*)$",
    re.I | re.M,
)
_HYPOTHESIS = re.compile(r"^[^\w\n]*hypothesis(?: [0-9]+)?[^\w\n:]*:(.*)$", re.I | re.M)
_QUOTES = " \t*_`\"'“”‘’«»#"


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


def parse_response(text: str, feasible: Collection[int]) -> ParsedResponse:
    """Parses a response leniently. Never raises.

    Args:
        text: the response.
        feasible: the skills that can run now.
    """
    belief: str | None = None
    intention: int | None = None
    plans: dict[str, int | None] = {}
    for label in _LABEL.finditer(text):
        if label["belief"]:
            # It is shown on a terminal, which would execute control characters.
            belief = "".join(filter(str.isprintable, label["value"])).strip(_DECORATION) or None
        elif label["intent"]:
            intention = named_skill(label["value"])
        else:
            value = label["value"]
            plans[label["player"]] = (
                named_skill(value) if value.strip(_DECORATION) else _unlabelled(text[label.end() :])
            )
    if len(plans) > 1:
        return ParsedResponse(None, belief, intention, "the answer holds plans for two players")
    skill = next(iter(plans.values())) if plans else _unlabelled(text)
    if skill is None:
        return ParsedResponse(None, belief, intention, "no single skill can be read from the answer")
    if skill not in feasible:
        return ParsedResponse(None, belief, intention, f"{skill}:{SKILL_NAMES[skill]} cannot run now")
    return ParsedResponse(skill, belief, intention, None)


def named_skill(value: str) -> int | None:
    """Reads the skill after a label, where a reason may follow on the same line; None if it cannot be read."""
    skill = _alone(value)
    if skill is not None:
        return skill
    named = _written_out(value)
    if named:
        return named.pop() if len(named) == 1 else None
    reasoned = _NUMBER_THEN_REASON.fullmatch(value.strip(_DECORATION))
    return _in_range(reasoned[1]) if reasoned else None


def _unlabelled(text: str) -> int | None:
    """Reads the skill of a response without labels: alone on a line, else the only skill name written out."""
    if _LABEL.search(text):
        return None
    lone: set[int | None] = {skill for skill in map(_alone, text.splitlines()) if skill is not None}
    named = lone or _written_out(text)
    return named.pop() if len(named) == 1 else None


def _written_out(text: str) -> set[int | None]:
    """Finds the skills that a text names as the prompt does; contains None if a number before a name disagrees."""
    skills = {(SKILL_NAMES.index(name), number) for number, name in _WRITTEN_OUT.findall(text)}
    return {skill if not number or int(number) == skill else None for skill, number in skills}


def _alone(text: str) -> int | None:
    """Reads a text that is nothing but a skill: a number, a name in any case, or both if they agree."""
    core = _BULLET.sub("", text, count=1).strip(_DECORATION)
    if _NUMBER.fullmatch(core):
        return _in_range(core)
    if first := _NUMBER_FIRST.match(core):
        named, number = _name(core[first.end() :]), int(first[1])
    elif last := _NUMBER_LAST.search(core):
        named, number = _name(core[: last.start()]), int(last[1])
    else:
        return _name(core)
    return named if named == number else None


def _name(text: str) -> int | None:
    return _NUMBERS.get(_SPACES.sub(" ", text.strip(_DECORATION)).upper())


def _in_range(digits: str) -> int | None:
    number = int(digits)
    return number if number < N_SKILLS else None


def read_judgement(text: str) -> bool | None:
    """Whether the judge says to replan, from its verdict line or else from the only one of the two words in it."""
    found = {word.lower() for word in _VERDICT.findall(text) or _JUDGEMENT.findall(text)}
    return found == {"replan"} if len(found) == 1 else None


def read_truths(text: str, count: int) -> tuple[bool, ...] | None:
    """Reads `count` truth values from numbered lines; without any numbers, from the words in their order."""
    numbered = _by_number(text, count, _truth)
    if numbered is not None or _NUMBERED.search(text):
        return numbered
    words = [word.lower() == "true" for word in _TRUTH.findall(text)]
    return tuple(words) if len(words) == count else None


def read_skills(text: str, count: int) -> tuple[int, ...] | None:
    """Reads `count` skill numbers from numbered lines."""
    return _by_number(text, count, named_skill)


def read_hypothesis(text: str) -> str | None:
    """Reads a hypothesis from the labelled line, else from the only line; the result has no control characters."""
    labelled = _HYPOTHESIS.findall(text)
    lines = labelled or [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        return None
    words = " ".join("".join(char if char.isprintable() else " " for char in lines[0]).split())
    return words.strip(_QUOTES)[:LONGEST].strip() or None


def _by_number(text: str, count: int, read: Callable[[str], Value | None]) -> tuple[Value, ...] | None:
    """Reads the lines numbered 1 to `count`; None if one is missing, unreadable, or given twice with other values."""
    found: dict[int, Value | None] = {}
    for number, rest in _NUMBERED.findall(text):
        value = read(rest)
        if found.setdefault(int(number), value) != value:
            return None
    values = tuple(value for number in range(1, count + 1) if (value := found.get(number)) is not None)
    return values if len(values) == count else None


def _truth(text: str) -> bool | None:
    words = {word.lower() for word in _TRUTH.findall(text)}
    return words == {"true"} if len(words) == 1 else None
