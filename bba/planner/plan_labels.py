"""Finds the labelled lines of a response, such as ``Plan for Player 0: "11"``, and whose plan each of them is.

A label is what stands before a colon (or =, ->, "is") and consists of the words for a plan, of words for a player, and
of filling words alone: ``Action``, ``My final answer``, ``Plan for P0 (me)``, ``Player 1's plan``. A line that only
names a player is a heading: the labels below it are that player's.
"""

import re
from typing import Literal, NamedTuple

from bba.planner.skill_text import alone

TEAMMATE = -1  # the seat of a plan for the teammate that names no number
BOTH = -2  # the seat of a plan for two players

LabelKind = Literal["plan", "belief", "intention"]
_LONGEST = 80  # characters of a label
_START = re.compile(r"[^\w\n(\[]*(?:[0-9][.)][^\w\n]*)?[^\w\n]*")
_SEPARATOR = re.compile(r"[:=：]|->|→|\bis\b", re.IGNORECASE)
_BELIEF = re.compile(r"teammate\s+(?:role\s+belief|strategy\s+hypothesis)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|[0-9]+")
_SEAT = re.compile(r"(?:player|agent|cook|chef|p)[\s#{<\[_]*([0-9])(?![0-9])", re.IGNORECASE)
_ASIDE = re.compile(r"[(\[]([^()\[\]]*)[)\]]")

_INTENTION = {"intention", "intent", "predicted", "prediction", "expected"}
_PLAN = {"plan"}
_NOUNS = _PLAN | {"action", "skill", "answer", "choice", "decision", "selection", "move", "choose", "index"}
_MINE = {"me", "my", "myself", "i", "own", "ego", "self"}
_THEIRS = {"teammate", "teammates", "partner", "partners", "other", "their", "his", "her", "them", "mate"}
_PLAYERS = {"player", "agent", "cook", "chef", "p"}
_ARTICLES = {"for", "of", "the", "a", "s", "to", "this", "your"}
_ORDER = {"final", "next", "chosen", "selected", "best", "now", "current", "new", "recommended", "immediate"}
_FILLING = _ARTICLES | _ORDER | {"number", "name", "id", "step", "turn"}
_ALLOWED = _NOUNS | _MINE | _THEIRS | _PLAYERS | _FILLING


class Label(NamedTuple):
    """A labelled value.

    Attributes:
        kind: what the value says.
        seat: the player whom it concerns, `TEAMMATE` or `BOTH`; None if the label does not say.
        value: what follows the label, on its line or, if nothing does, below it.
        strong: whether the label says "plan".
        below: whether the value stands below the label.
    """

    kind: LabelKind
    seat: int | None
    value: str
    strong: bool = False
    below: bool = False


def read_labels(text: str) -> list[Label]:
    """Returns the labels of a text in their order."""
    labels: list[Label] = []
    heading: int | None = None
    for line in text.splitlines():
        found = _label(line)
        if found is None:
            _add_below(labels, line)
        elif not found.strong and found.kind == "plan" and not found.value.strip() and not _noun(line):
            heading = found.seat
            labels.append(found._replace(below=True))
        else:
            labels.append(found._replace(seat=heading) if found.seat is None and found.kind == "plan" else found)
    return labels


def _add_below(labels: list[Label], line: str) -> None:
    """Adds a line without a label to the value of the label above it, if that has none on its own line."""
    if labels and (labels[-1].below or not labels[-1].value.strip(" \t*_`\"'")):
        labels[-1] = labels[-1]._replace(value=f"{labels[-1].value}\n{line}", below=True)


def _label(line: str) -> Label | None:
    """Returns the label of a line; None if it has none."""
    begin = _START.match(line)
    start = begin.end() if begin else 0
    separator = _SEPARATOR.search(line, start, start + _LONGEST)
    end = separator.start() if separator else len(line)
    words, value = line[start:end], line[separator.end() :] if separator else ""
    if len(words) > _LONGEST:
        return None
    if _BELIEF.match(words) and separator:
        return Label("belief", None, value)
    return _kind(words, value)


def _kind(words: str, value: str) -> Label | None:
    tokens, seat = set(_WORD.findall(words.lower())), _seat(words)
    if tokens & _INTENTION and not tokens & _PLAN:
        return Label("intention", seat, value)
    numbers = {token for token in tokens if token.isdigit()}
    if not tokens or tokens - numbers - _ALLOWED - _aside_tokens(words) or numbers - set(_SEAT.findall(words)):
        return None
    if tokens & _NOUNS:
        return Label("plan", seat, value, strong=bool(tokens & _PLAN))
    names_player = seat is not None and not value.strip(" \t*_`\"'")
    return Label("plan", seat, value) if names_player or (seat is not None and alone(value) is not None) else None


def _noun(line: str) -> bool:
    return bool(set(_WORD.findall(line.lower())) & _NOUNS)


def _aside_tokens(words: str) -> set[str]:
    """Returns the words in brackets, which may be any if the rest names a plan."""
    return {token for aside in _ASIDE.findall(words) for token in _WORD.findall(aside.lower())}


def _seat(words: str) -> int | None:
    """Returns the player that a label names, outside brackets first; None if it names none."""
    outside = _ASIDE.sub(" ", words)
    for part in (outside, words):
        seats = {int(number) for number in _SEAT.findall(part)}
        if seats:
            return seats.pop() if len(seats) == 1 else BOTH
    tokens = set(_WORD.findall(words.lower()))
    return TEAMMATE if tokens & _THEIRS else None
