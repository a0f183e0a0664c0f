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
from collections.abc import Callable, Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

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

_LONGEST_JSON = 8_000  # characters of a JSON answer; a longer text is not read as JSON
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
    if _FIRST_TAG.search(text):
        text = _FIRST_TAG.sub("\nanswer: ", text)
        text = _TAG.sub("\n", text)
    else:
        text = _TAG.sub(" ", text)
    begin = text.find("{")
    end = text.rfind("}") + 1
    if 0 <= begin < end:
        values = _json_object(text[begin:end])
        if values:
            lines = [text[:begin]]
            lines.extend(_labelled_lines(values, ()))
            lines.append(text[end:])
            text = "\n".join(lines)
    return _INLINE.sub("\n", text)


def _json_object(text: str) -> dict[str, object] | None:
    """Returns the JSON object that a text is, also in Python's spelling; None if it is neither."""
    if len(text) > _LONGEST_JSON:
        return None
    readers: list[Callable[[str], Any]] = [json.loads]
    if "\\" not in text:  # Python warns of unknown escapes
        readers.append(ast.literal_eval)
    for read in readers:
        try:
            value = read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(value, dict):
            return {str(key): inner for key, inner in encodable_values(value).items()}
    return None


def _labelled_lines(value: object, path: tuple[str, ...]) -> Iterator[str]:
    """Yields a line for each plain value of a nested one; its label is the keys that lead to it, as words."""
    if isinstance(value, dict):
        for key, inner in value.items():
            label = _CAMEL.sub(" ", str(key)).replace("_", " ").replace("-", " ")
            yield from _labelled_lines(inner, (*path, label))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _labelled_lines(inner, path)
    else:
        label = " ".join(path)
        single_spaced = " ".join(str(value).split())
        yield f"{label}: {single_spaced}"


TEAMMATE = -1  # the seat of a plan for the teammate that names no number
BOTH = -2  # the seat of a plan for two players

LabelKind = Literal["plan", "belief", "intention"]
_LONGEST_LABEL = 80  # characters of a label
_MARKUP = " \t*_`\"'"  # characters around a value that say nothing
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


def _by_foreign_word() -> dict[str, str]:
    english_words = {}
    for english, translations in _TRANSLATIONS.items():
        for translation in translations.split():
            english_words[translation] = english
    return english_words


def _word_pattern(word: str) -> str:
    """Returns the pattern of a whole word; Chinese has no spaces between words."""
    return word if word[0] >= "\u4e00" else rf"\b{word}\b"


_ENGLISH = _by_foreign_word()
_FOREIGN = re.compile("|".join([_word_pattern(word) for word in _ENGLISH]), re.IGNORECASE)

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
        label = _label_of(line)
        if label is None:
            if labels and _takes_next_line(labels[-1]):
                value = f"{labels[-1].value}\n{line}"
                labels[-1] = labels[-1]._replace(value=value, below=True)
        elif label.kind != "plan":
            labels.append(label)
        elif not label.value.strip() and not _NOUNS.intersection(_tokens(line)):
            heading = label.seat
            labels.append(label._replace(below=True))
        elif label.seat is None:
            labels.append(label._replace(seat=heading))
        else:
            labels.append(label)
    return labels


def _takes_next_line(label: Label) -> bool:
    """Whether a line without a label belongs to the value of this label above it."""
    return label.below or not label.value.strip(_MARKUP)


def _label_of(line: str) -> Label | None:
    """Returns the label of a line; None if it has none."""
    bullet = _START.match(line)
    start = bullet.end() if bullet else 0
    limit = start + _LONGEST_LABEL
    separator = _SEPARATOR.search(line, start, limit) or _CELL.search(line, start, limit)
    if separator:
        label = line[start : separator.start()]
        value = line[separator.end() :]
    else:
        label = line[start:]
        value = ""
    if len(label) > _LONGEST_LABEL:
        return None
    label = _FOREIGN.sub(lambda match: f" {_ENGLISH[match[0].lower()]} ", label)
    if _BELIEF_LABEL.match(label) and separator:
        return Label("belief", None, value)
    return _plan_or_intention(label, value)


def _plan_or_intention(label: str, value: str) -> Label | None:
    """Returns the label of a plan or an intention; None if the words before the separator are neither."""
    tokens = _tokens(label)
    seat = _seat_named(label)
    if tokens & _INTENTION and "plan" not in tokens:
        return Label("intention", seat, value)
    numbers = {token for token in tokens if token.isdigit()}
    # Words in brackets may be any if the rest names a plan.
    asides = _tokens(" ".join(_ASIDE.findall(label)))
    strange_words = tokens - numbers - _ALLOWED - asides
    strange_numbers = numbers - set(_SEAT.findall(label))
    if not tokens or strange_words or strange_numbers:
        return None
    if tokens & _NOUNS:
        return Label("plan", seat, value, strong="plan" in tokens)
    if seat is not None and (not value.strip(_MARKUP) or alone(value) is not None):
        return Label("plan", seat, value)
    return None


def _seat_named(label: str) -> int | None:
    """Returns the player that a label names, outside brackets first; None if it names none."""
    outside = _ASIDE.sub(" ", label)
    for part in (outside, label):
        seats = {int(number) for number in _SEAT.findall(part)}
        if len(seats) > 1:
            return BOTH
        if seats:
            return seats.pop()
    if _tokens(label) & _THEIRS:
        return TEAMMATE
    return None


def _tokens(text: str) -> set[str]:
    """Returns the words and numbers of a text, in lower case."""
    return set(_WORD.findall(text.lower()))


_LONGEST_READ = 20_000  # characters of a response that are read: its last ones
_CLAUSE = 80  # characters before a skill's name in which its subject is looked for
_I_CHOOSE = re.compile(
    r"\bI(?:['’](?:ll|d)| will| would| should)?(?: now)?"
    r" (?:choose|pick|select|go with|take|run|do|opt for|answer|recommend)"
    r"(?: (?:action|skill|option|index|number))?[ *`\"']{1,4}([0-9]{1,2})(?![0-9])(?!\.[0-9])"
    r"(?![*`\"']* (?:steps?|plates?|orders?|more|times?)\b)",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"\s*[0-9]{1,2}[.)]|.*\n.*\S")  # an item of a list, or several lines
_SUBJECT = re.compile(
    r"\b(?:teammate|partner|other cook|they|he|she|(?:player|p) ?([0-9]))\b[^,.;:\n]*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ParsedResponse:
    """What was read from a response.

    Attributes:
        skill: the feasible skill that the response names; None if there is none.
        belief_text: what the response says about the partner's role; None if it says nothing.
        intention: the skill that the response expects of the partner; None if it expects none.
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
    parsed = _read_response(text[-_LONGEST_READ:], player)
    skill = parsed.skill
    if skill is None or skill in feasible:
        return parsed
    return replace(parsed, skill=None, problem=f"{skill}:{SKILL_NAMES[skill]} cannot run now")


@lru_cache(maxsize=512)  # the scripted planner says the same again and again
def _read_response(text: str, player: int | None) -> ParsedResponse:
    text = as_lines(text)
    labels = read_labels(text)
    skill, problem = _planned_skill(text, labels, player)
    values = {label.kind: label.value for label in labels}  # the last of each kind
    # A terminal, which shows the belief, would execute control characters.
    printable = "".join(filter(str.isprintable, values.get("belief", "")))
    belief = printable.strip(DECORATION)
    intention = named_skill(values["intention"]) if "intention" in values else None
    return ParsedResponse(skill, belief or None, intention, problem if skill is None else None)


def holds_plan(text: str) -> bool:
    """Whether a text has a line from which a plan can be read, for whomever."""
    labels = read_labels(as_lines(text[-_LONGEST_READ:]))
    return any(label.strong and named_skill(label.value) is not None for label in labels)


def _planned_skill(text: str, labels: Sequence[Label], player: int | None) -> tuple[int | None, str]:
    """Returns the skill that is planned, or None and why there is none."""
    ego_plans = []
    partner_plans = []
    loose_plans = []
    for label in labels:
        if label.kind != "plan":
            continue
        if label.seat is None:
            loose_plans.append(label)
        elif label.seat == player or (player is None and label.seat >= 0):
            ego_plans.append(label)
        else:
            partner_plans.append(label)
    ego_seats = {label.seat for label in ego_plans}
    if len(ego_seats) > 1 or any(label.seat == BOTH for label in partner_plans):
        return None, "it holds plans for two players"
    if ego_plans:
        plan = ego_plans[-1]
        return _skill_in(plan), why_unreadable(plan.value)
    name = "one player" if player is None else f"Player {player}"
    if partner_plans and (not loose_plans or any(_skill_in(plan) is None for plan in partner_plans)):
        seat = partner_plans[-1].seat
        partner = "the teammate" if seat == TEAMMATE else f"Player {seat}"
        return None, f"it plans for {partner}, and not for {name}"
    skill = _agreed_skill(loose_plans)
    if skill is not None:
        return skill, ""
    if partner_plans or any(label.kind != "plan" for label in labels):
        return None, f"it has no readable line with the plan for {name}"
    return _unlabelled_skill(text, player), why_unreadable(text)


def _skill_in(label: Label) -> int | None:
    if label.below:
        return _lone_skill(label.value)
    return named_skill(label.value)


def _agreed_skill(labels: Sequence[Label]) -> int | None:
    """Returns the skill of the last strong label that can be read, else the skill that all the labels agree on."""
    skills = set()
    strong_skill = None
    for label in labels:
        skill = _skill_in(label)
        if skill is None:
            continue
        skills.add(skill)
        if label.strong:
            strong_skill = skill
    if strong_skill is not None:
        return strong_skill
    return _only(skills)


def _only(skills: AbstractSet[int | None]) -> int | None:
    """Returns the only skill of a set; None if there is none, or several."""
    return next(iter(skills)) if len(skills) == 1 else None


def _lone_skills(text: str) -> set[int | None]:
    """Returns the skills that stand alone on a line."""
    skills: set[int | None] = {alone(line) for line in text.splitlines()}
    return skills - {None}


def _lone_skill(text: str) -> int | None:
    """Reads the skill that stands alone on a line, else the only one that is written out."""
    return _only(_lone_skills(text) or written_out(text))


def _unlabelled_skill(text: str, player: int | None) -> int | None:
    """Reads the skill of a response without labels; None if several can be read, or if it is the other player's."""
    skills = _lone_skills(text)
    if not skills:
        skills = {_ego_skill(clause, skill, player) for clause, skill in names_with_context(text, _CLAUSE)}
    if not skills:
        skills = {in_range(number) for number in _I_CHOOSE.findall(text)}
    if not skills and not _LIST_ITEM.match(text):
        return named_skill(text)
    return _only(skills)


def _ego_skill(clause: str, skill: int | None, player: int | None) -> int | None:
    """Returns a skill that is named in prose; None if the clause before the name speaks of the other player."""
    subject = _SUBJECT.search(clause)
    if subject is None:
        return skill
    seat = subject[1]
    if seat is not None and player in (None, int(seat)):
        return skill
    return None
