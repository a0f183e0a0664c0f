"""Reads the answers to side queries, which may be decorated, in any case, and surrounded by prose. Never raises.

A result is None if nothing could be read, or if the answer can be read in two ways.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from bba.planner.skill_text import named_skill

Value = TypeVar("Value")

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


def read_judgement(text: str) -> bool | None:
    """Whether the judge says to replan, from its verdict line or else from the only one of the two words in it."""
    found = {word.lower() for word in _VERDICT.findall(text) or _JUDGEMENT.findall(text)}
    return found == {"replan"} if len(found) == 1 else None


@lru_cache(maxsize=64)  # an answer is read when it is checked, when it is used and when it is committed
def read_truths(text: str, count: int) -> tuple[bool, ...] | None:
    """Reads `count` truth values from numbered lines; without any numbers, from the words in their order."""
    numbered = _by_number(text, count, _truth)
    if numbered is not None or _NUMBERED.search(text):
        return numbered
    words = [word.lower() == "true" for word in _TRUTH.findall(text)]
    return tuple(words) if len(words) == count else None


@lru_cache(maxsize=64)
def read_skills(text: str, count: int) -> tuple[int, ...] | None:
    """Reads `count` skill numbers from numbered lines."""
    return _by_number(text, count, named_skill)


@lru_cache(maxsize=64)
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
