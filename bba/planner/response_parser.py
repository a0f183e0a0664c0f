"""Parses a model's responses, without raising: which feasible skill a plan names, and whose plan it is.

Answers in JSON, in tags or in one line are first written as labelled lines, such as ``Plan for Player 0: "11"``. A
label is what stands before a colon (or =, ->, "is") and consists of the words for a plan, of words for a player, and of
filling words alone: ``Action``, ``My final answer``, ``Plan for P0 (me)``, ``Player 1's plan``. A line that only names
a player is a heading: the labels below it are that player's.

The skill is read from the line with the player's plan, which counts whatever else stands there. Without one, a label
that names no player may give it (``Action: 11``), then a line of its own, as a number or a skill name in any case.
Failing that, the text must contain exactly one skill name as the prompt writes it, or "I choose 11". What is said of
the other player is never taken for one's own plan.
"""

import ast
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from bba.kitchen.constants import SKILL_NAMES
from bba.planner.short_answers import (
    DECORATION,
    alone,
    in_range,
    named_skill,
    names_with_context,
    why_unreadable,
    written_out,
)
from bba.text import encodable_values

_MOST = 8_000  # characters of a JSON answer; a longer one is none
_TAGS = "plan|answer|action|skill|choice|output|response|final_answer|final"
_FIRST_TAG = re.compile(rf"(?<![:=])(?<![:=][ \"'])<(?:{_TAGS})>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_TAGS})>", re.IGNORECASE)
_TYPESET = re.compile(r"\\(?:boxed|text|textbf|mathbf|mathrm)\b")
_INLINE = re.compile(
    r"(?<=[^\s;|,/])[ \t;|,/]{1,8}[*_]{0,3}"
    r"(?=(?:(?:plan|intention) for p(?:layer)? ?[0-9]|teammate (?:role belief|strategy hypothesis))[^\n:]{0,20}:)",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])")


def as_lines(text: str) -> str:
    """Returns a response with each labelled part on a line of its own."""
    text = _TYPESET.sub("", text)
    text = _TAG.sub("\n", _FIRST_TAG.sub("\nanswer: ", text)) if _FIRST_TAG.search(text) else _TAG.sub(" ", text)
    begin = text.find("{")
    end = text.rfind("}")
    found = _object(text[begin : end + 1]) if 0 <= begin < end else None
    if found:
        text = "\n".join([text[:begin], *_flat(found, ()), text[end + 1 :]])
    return _INLINE.sub("\n", text)


def _object(text: str) -> dict[str, object] | None:
    """Returns the JSON object in a text; one in Python's spelling counts, too. None if it is neither."""
    if len(text) > _MOST:
        return None
    readers = (json.loads,) if "\\" in text else (json.loads, ast.literal_eval)  # which warns of escapes
    for read in readers:
        try:
            value = read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(value, dict):
            return {str(key): inner for key, inner in encodable_values(value).items()}
    return None


def _flat(value: object, path: tuple[str, ...]) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, (*path, _CAMEL.sub(" ", str(key)).replace("_", " ").replace("-", " ")))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _flat(inner, path)
    else:
        yield f"{' '.join(path)}: {' '.join(str(value).split())}"


TEAMMATE = -1  # the seat of a plan for the teammate that names no number
BOTH = -2  # the seat of a plan for two players

LabelKind = Literal["plan", "belief", "intention"]
_LONGEST = 80  # characters of a label
_START = re.compile(r"[^\w\n(\[]*(?:[0-9][.)][^\w\n]*)?[^\w\n]*")
_SEPARATOR = re.compile(r"[:=：]|->|→|\bis\b", re.IGNORECASE)
_CELL = re.compile(r"\|")  # between the cells of a table
_BELIEF_LABEL = re.compile(r"teammate\s+(?:role\s+belief|strategy\s+hypothesis)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|[0-9]+")
_SEAT = re.compile(r"(?:player|agent|cook|chef|p)[\s#{<\[_]*([0-9])(?![0-9])", re.IGNORECASE)
_ASIDE = re.compile(r"[(\[]([^()\[\]]*)[)\]]")

# Words of labels in German, French, Spanish and Chinese, by what the prompt calls it.
_TRANSLATIONS = {
    "player": "spielers spieler joueur jugador 玩家",
    "plan": "计划",
    "action": "aktion acción 行动",
    "answer": "antwort réponse respuesta 答案",
    "chosen": "gewählte choisie elegida",
    "intention": "absicht intención 意图",
    "teammate": "mitspielers mitspieler coéquipier compañero 队友",
    "my": "meine mein mon ma mi 我的",
    "for": "für pour para",
    "of": "von des der du de del le la el 的",
}
_ENGLISH = {word: english for english, words in _TRANSLATIONS.items() for word in words.split()}
_FOREIGN = re.compile("|".join(rf"\b{word}\b" if word[0] < "\u4e00" else word for word in _ENGLISH), re.IGNORECASE)

_INTENTION = {"intention", "intent", "predicted", "prediction", "expected"}
_NOUNS = {"plan", "action", "skill", "answer", "choice", "decision", "selection", "move", "choose", "index"}
_THEIRS = {"teammate", "teammates", "partner", "partners", "other", "their", "his", "her", "them", "mate"}
_ALLOWED = (
    _NOUNS
    | _THEIRS
    | {"me", "my", "myself", "i", "own", "ego", "self"}
    | {"player", "agent", "cook", "chef", "p"}
    | {"for", "of", "the", "a", "s", "to", "this", "your"}
    | {"final", "next", "chosen", "selected", "best", "now", "current", "new", "recommended", "immediate"}
    | {"number", "name", "id", "step", "turn"}
)


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
            if labels and (labels[-1].below or not labels[-1].value.strip(" \t*_`\"'")):
                labels[-1] = labels[-1]._replace(value=f"{labels[-1].value}\n{line}", below=True)
        elif found.kind == "plan" and not found.value.strip() and not _NOUNS.intersection(_WORD.findall(line.lower())):
            heading = found.seat
            labels.append(found._replace(below=True))
        else:
            labels.append(found._replace(seat=heading) if found.seat is None and found.kind == "plan" else found)
    return labels


def _label(line: str) -> Label | None:
    """Returns the label of a line; None if it has none."""
    begin = _START.match(line)
    start = begin.end() if begin else 0
    separator = _SEPARATOR.search(line, start, start + _LONGEST) or _CELL.search(line, start, start + _LONGEST)
    end = separator.start() if separator else len(line)
    words = line[start:end]
    value = line[separator.end() :] if separator else ""
    if len(words) > _LONGEST:
        return None
    words = _FOREIGN.sub(lambda found: f" {_ENGLISH[found[0].lower()]} ", words)
    if _BELIEF_LABEL.match(words) and separator:
        return Label("belief", None, value)
    return _kind(words, value)


def _kind(words: str, value: str) -> Label | None:
    tokens = set(_WORD.findall(words.lower()))
    seat = _seat_named(words)
    if tokens & _INTENTION and "plan" not in tokens:
        return Label("intention", seat, value)
    numbers = {token for token in tokens if token.isdigit()}
    # Words in brackets may be any if the rest names a plan.
    asides = {token for aside in _ASIDE.findall(words) for token in _WORD.findall(aside.lower())}
    if not tokens or tokens - numbers - _ALLOWED - asides or numbers - set(_SEAT.findall(words)):
        return None
    if tokens & _NOUNS:
        return Label("plan", seat, value, strong="plan" in tokens)
    names_player = seat is not None and not value.strip(" \t*_`\"'")
    return Label("plan", seat, value) if names_player or (seat is not None and alone(value) is not None) else None


def _seat_named(words: str) -> int | None:
    """Returns the player that a label names, outside brackets first; None if it names none."""
    outside = _ASIDE.sub(" ", words)
    for part in (outside, words):
        seats = {int(number) for number in _SEAT.findall(part)}
        if seats:
            return seats.pop() if len(seats) == 1 else BOTH
    tokens = set(_WORD.findall(words.lower()))
    return TEAMMATE if tokens & _THEIRS else None


_LONGEST_READ = 20_000  # characters of a response that are read: its last ones
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
    read = _read_response(text[-_LONGEST_READ:], player)
    if read.skill is None or read.skill in feasible:
        return read
    return replace(read, skill=None, problem=f"{read.skill}:{SKILL_NAMES[read.skill]} cannot run now")


@lru_cache(maxsize=512)  # the scripted planner says the same again and again
def _read_response(text: str, player: int | None) -> ParsedResponse:
    text = as_lines(text)
    labels = read_labels(text)
    skill, problem = _planned(text, labels, player)
    said = {label.kind: label.value for label in labels}  # the last of each kind
    # What is believed of the partner, for a terminal, which would execute control characters.
    belief = "".join(filter(str.isprintable, said.get("belief", ""))).strip(DECORATION)
    intention = named_skill(said["intention"]) if "intention" in said else None
    return ParsedResponse(skill, belief or None, intention, problem if skill is None else None)


def holds_plan(text: str) -> bool:
    """Whether a text has a line from which a plan can be read, for whomever."""
    labels = read_labels(as_lines(text[-_LONGEST_READ:]))
    return any(label.strong and named_skill(label.value) is not None for label in labels)


def _planned(text: str, labels: Sequence[Label], player: int | None) -> tuple[int | None, str]:
    """Returns the skill that is planned, or None and why there is none."""
    plans = [label for label in labels if label.kind == "plan"]
    loose = [label for label in plans if label.seat is None]
    own = [
        label
        for label in plans
        if label.seat is not None and (label.seat >= 0 if player is None else label.seat == player)
    ]
    others = [label for label in plans if label.seat is not None and label not in own]
    if len({label.seat for label in own}) > 1 or any(label.seat == BOTH for label in others):
        return None, "it holds plans for two players"
    if own:
        return _read(own[-1])
    if others and (not loose or any(_read(label)[0] is None for label in others)):
        whom = "the teammate" if others[-1].seat == TEAMMATE else f"Player {others[-1].seat}"
        return None, f"it plans for {whom}, and not for {_name(player)}"
    skill = _agreed(loose)
    if skill is not None:
        return skill, ""
    if others or any(label.kind != "plan" for label in labels):
        return None, f"it has no readable line with the plan for {_name(player)}"
    return _unlabelled(text, player), why_unreadable(text)


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
