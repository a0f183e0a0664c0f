"""Short answers: the forms in which a model gives a skill besides text, and how a skill or the answer to a side query
is read.

A number counts only if it stands alone, because prose is full of positions, steps and players. A number beside a name
must agree with it. Answers may be decorated, in any case, and surrounded by prose. A result is None if nothing could be
read, or if the answer can be read in two ways.

As a choice the answer is a JSON object whose values are enumerated, so that no other one can be written. Scores are
the probabilities of the feasible skills, read from the log-probabilities of one token; the answer is then written as a
JSON object with ``plan`` and ``scores``, which is what recordings, caches and logs keep.
"""

import hashlib
import json
import math
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase
from typing import Any, TypeVar

from bba.belief.roles import ROLE_NAMES
from bba.kitchen.constants import N_SKILLS, SKILL_NAMES
from bba.planner.scene_text import NUMBERED_SKILLS

DECORATION = " \t\r\n*_`\"'“”‘’«».,;:!()[]{}<>#$|"
_NUMBERS = {name.replace("_", " "): number for number, name in enumerate(SKILL_NAMES)}
_SPACES = re.compile(r"[\s_-]+")
_BULLET = re.compile(r"^\s*[-*•]\s+")
_PREFIX = re.compile(r"(?:index|idx|skill|action|option|number|no\.)[\s#:*`\"']{1,4}(?=\w)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,2}")
_NUMBER_FIRST = re.compile(r"([0-9]{1,2})[\s:.,;)\]=–—*`\"'-]+(?![0-9])")
_NUMBER_LAST = re.compile(r"[\s:.,;(\[=–—*`\"'-]+([0-9]{1,2})$")
_NUMBER_THEN_REASON = re.compile(r"([0-9]{1,2})[*`\"'’”)\]]*\s*(?:[,;:(–—-]|\.\s|\bbecause\b|\bsince\b)(.*)", re.DOTALL)
_QUOTED = re.compile(r"[\"“«]([^\"“”«»\n]{1,60})[\"”»]")
_ANY_NUMBER = re.compile(r"[0-9]+")
_WRITTEN_OUT = re.compile(
    r"(?:(?<![\w.])([0-9]{1,2})[\s:.)\]=–—*`\"'-]{1,4})?"
    rf"(?<![\w-])({'|'.join(sorted(SKILL_NAMES, key=len, reverse=True))})(?![\w-])"
)


def named_skill(value: str) -> int | None:
    """Reads the skill after a label, where a reason may follow on the same line; None if it cannot be read."""
    skill = alone(value)
    if skill is not None:
        return skill
    named = written_out(value)
    if named:
        return named.pop() if len(named) == 1 else None
    quotes = _QUOTED.findall(value)
    begins_with_quote = value.lstrip()[:1] in '"“«'
    if quotes and begins_with_quote:
        return _quoted(quotes)
    return _with_reason(value)


def alone(text: str) -> int | None:
    """Reads a text that is nothing but a skill: a number, a name in any case, or both if they agree."""
    core = _BULLET.sub("", text, count=1).strip(DECORATION)
    prefix = _PREFIX.match(core)
    if prefix:
        core = core[prefix.end() :]
    if _NUMBER.fullmatch(core):
        return in_range(core)
    number = _NUMBER_FIRST.match(core)
    if number:
        named = _named(core[number.end() :])
    else:
        number = _NUMBER_LAST.search(core)
        if not number:
            return _named(core)
        named = _named(core[: number.start()])
    return named if named == int(number[1]) else None


def written_out(text: str) -> set[int | None]:
    """Finds the skills that a text names as the prompt does; contains None if a number before a name disagrees."""
    return {agreed(number, name) for number, name in _WRITTEN_OUT.findall(text)}


def names_with_context(text: str, width: int) -> list[tuple[str, int | None]]:
    """Returns the skills of `written_out` in their order, each after the up to `width` characters before its name."""
    skills = []
    for match in _WRITTEN_OUT.finditer(text):
        context = text[max(0, match.start() - width) : match.start()]
        skills.append((context, agreed(match[1] or "", match[2])))
    return skills


def agreed(number: str, name: str) -> int | None:
    """Returns the skill of this name; None if the number before it is another skill's."""
    skill = SKILL_NAMES.index(name)
    return skill if not number or int(number) == skill else None


def in_range(digits: str) -> int | None:
    """Returns the skill of this number; None if no skill has it."""
    number = int(digits)
    return number if number < N_SKILLS else None


def why_unreadable(text: str) -> str:
    """Returns why no skill could be read from a text."""
    core = text.strip(DECORATION)
    named = sorted({skill for skill in written_out(text) if skill is not None})
    if len(named) > 1:
        names = ", ".join([SKILL_NAMES[skill] for skill in named])
        return f"it names several skills ({names}), not one"
    for number, name in _WRITTEN_OUT.findall(text):
        if agreed(number, name) is None:
            return f"{name} is number {SKILL_NAMES.index(name)}, not {number}"
    if re.fullmatch(r"[0-9]{1,4}", core):
        return f"there is no skill {core}; they are 0 to {N_SKILLS - 1}"
    return "no single skill can be read from it"


def _quoted(quotes: Sequence[str]) -> int | None:
    """Reads the skill of the first of some quotations; None if another one quotes another skill."""
    skills = [alone(quote) for quote in quotes]
    first = skills[0]
    return first if set(skills) <= {first, None} else None


def _with_reason(value: str) -> int | None:
    """Reads a number that a reason follows, which may repeat the number but not hold another one."""
    match = _NUMBER_THEN_REASON.fullmatch(value.strip(DECORATION))
    if match is None:
        return None
    number = match[1]
    for digits in _ANY_NUMBER.findall(match[2]):
        if int(digits) != int(number):
            return None
    return in_range(number)


def _named(text: str) -> int | None:
    """Returns the skill whose name a text is, in any case; None if it is no such name."""
    name = _SPACES.sub(" ", text.strip(DECORATION))
    return _NUMBERS.get(name.upper())


Value = TypeVar("Value")

LONGEST_HYPOTHESIS = 300  # characters of a hypothesis that are kept; it is sent along with every later query
# No two adjacent parts of a pattern match the same characters, so that parsing takes linear time.
_VERDICT = re.compile(r"^[^\w\n]*verdict[^\w\n:=]*[:=][^\w\n]*(replan|continue)\b(?! or\b)", re.I | re.M)
_JUDGEMENT = re.compile(r"\b(replan|continue)\b", re.I)
_TRUTH = re.compile(r"\b(true|false)\b", re.I)
_NUMBERED = re.compile(
    r"^[^\w\n]*(?:(?:hypothesis|prediction|h)[^\w\n]*)?([0-9]{1,3})[*_`\"'\]]*[ \t]*[:.)=–—-](.*)$",
    re.I | re.M,
)
_HYPOTHESIS = re.compile(r"^[^\w\n]*hypothesis(?: [0-9]+)?[^\w\n:]*:(.*)$", re.I | re.M)
_QUOTES = " \t*_`\"'“”‘’«»#"


def read_judgement(text: str) -> bool | None:
    """Whether the judge says to replan, from its verdict line or else from the only one of the two words in it."""
    matches = _VERDICT.findall(text) or _JUDGEMENT.findall(text)
    verdicts = {match.lower() for match in matches}
    return verdicts == {"replan"} if len(verdicts) == 1 else None


@lru_cache(maxsize=64)  # an answer is read when it is checked, when it is used and when it is committed
def read_truths(text: str, count: int) -> tuple[bool, ...] | None:
    """Reads `count` truth values from numbered lines; without any numbers, from the words in their order."""
    numbered = _by_number(text, count, _truth)
    if numbered is not None or _NUMBERED.search(text):
        return numbered
    truths = tuple([word.lower() == "true" for word in _TRUTH.findall(text)])
    return truths if len(truths) == count else None


@lru_cache(maxsize=64)
def read_skills(text: str, count: int) -> tuple[int, ...] | None:
    """Reads `count` skill numbers from numbered lines."""
    return _by_number(text, count, named_skill)


@lru_cache(maxsize=64)
def read_hypothesis(text: str) -> str | None:
    """Reads a hypothesis from the labelled line, else from the only line, as `read_free_words`."""
    labelled = _HYPOTHESIS.findall(text)
    lines = labelled or [line for line in text.splitlines() if line.strip()]
    return read_free_words(lines[0]) if len(lines) == 1 else None


def read_free_words(text: str) -> str | None:
    """Reads words as one line without control characters; None if there are none."""
    return one_line(text).strip(_QUOTES)[:LONGEST_HYPOTHESIS].strip() or None


def one_line(text: str) -> str:
    """Returns a text without control characters, its words separated by single spaces."""
    printable = "".join([char if char.isprintable() else " " for char in text])
    return " ".join(printable.split())


def _by_number(text: str, count: int, read: Callable[[str], Value | None]) -> tuple[Value, ...] | None:
    """Reads the lines numbered 1 to `count`; None if one is missing, unreadable, or given twice with other values."""
    by_number: dict[int, Value | None] = {}
    for number, rest in _NUMBERED.findall(text):
        value = read(rest)
        if by_number.setdefault(int(number), value) != value:
            return None
    values = []
    for number in range(1, count + 1):
        value = by_number.get(number)
        if value is None:
            return None
        values.append(value)
    return tuple(values)


def _truth(text: str) -> bool | None:
    truths = {word.lower() for word in _TRUTH.findall(text)}
    return truths == {"true"} if len(truths) == 1 else None


LETTERS = tuple(ascii_uppercase + ascii_lowercase)  # of the skills that are offered, in their order
UNCLEAR = "unclear"  # what an answer may say of a role or an intention


def answer_format(skills: Sequence[int] | None) -> dict[str, Any]:
    """Returns the form of a plan for ``response_format``.

    Args:
        skills: the skills to choose from; None leaves all three values free.
    """
    role: dict[str, Any] = {"type": "string"}
    intention: dict[str, Any] = {"type": "string"}
    plan: dict[str, Any] = {"type": "string"}
    if skills is not None:
        role["enum"] = [*ROLE_NAMES, UNCLEAR]
        intention["enum"] = [*NUMBERED_SKILLS, UNCLEAR]
        plan["enum"] = [NUMBERED_SKILLS[skill] for skill in skills]
    properties = {"teammate_role_belief": role, "intention": intention, "plan": plan}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "plan", "strict": True, "schema": schema}}


def lettered(skills: Iterable[int]) -> str:
    """Returns the skills as options of a question, as ``A = 0:STAY; B = 4:PUT_DOWN``."""
    options = [f"{letter} = {NUMBERED_SKILLS[skill]}" for letter, skill in zip(LETTERS, skills, strict=False)]
    return "; ".join(options)


def scored_answer(tokens: Iterable[tuple[str, float]], skills: Sequence[int], temperature: float, seed: str) -> str:
    """Returns the answer that the log-probabilities of its first token stand for; "" if none is a skill's letter.

    Args:
        tokens: the likeliest tokens with their log-probabilities; a skill whose letter is not among them has none.
        skills: the skills that were offered, in their order.
        temperature: of the scores, from which one is then drawn; 0 scores at 1 and takes the likeliest skill.
        seed: what the draw follows from.
    """
    letters = LETTERS[: len(skills)]
    probabilities = dict.fromkeys(skills, 0.0)
    for token, logarithm in tokens:
        letter = token.strip()
        if letter in letters and math.isfinite(logarithm):
            skill = skills[letters.index(letter)]
            probabilities[skill] += math.exp(min(logarithm, 0.0))
    if not any(probabilities.values()):
        return ""
    exponent = 1 / (temperature or 1)
    weights = {skill: probability**exponent for skill, probability in probabilities.items()}
    total = sum(weights.values())
    scores = {skill: weight / total for skill, weight in weights.items()}
    if temperature:
        generator = random.Random(hashlib.sha256(seed.encode()).digest())
        plan = generator.choices(list(scores), list(scores.values()))[0]
    else:
        plan = max(scores, key=scores.__getitem__)
    named_scores = {NUMBERED_SKILLS[skill]: score for skill, score in scores.items()}
    return json.dumps({"plan": NUMBERED_SKILLS[plan], "scores": named_scores})


def of_letter(text: str, skills: Sequence[int]) -> str:
    """Returns the name of the skill that a letter stands for; the text itself where it is no such letter."""
    by_letter = dict(zip(LETTERS, skills, strict=False))
    skill = by_letter.get(text.strip())
    return text if skill is None else NUMBERED_SKILLS[skill]


def scores_of(response: str) -> dict[int, float] | None:
    """Returns the probabilities of the feasible skills in a scored answer, which sum to one; None for any other."""
    if '"scores"' not in response:
        return None
    try:
        named_scores = json.loads(response)["scores"]
        scores = {NUMBERED_SKILLS.index(name): float(score) for name, score in named_scores.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    are_probabilities = all(0 <= score <= 1 for score in scores.values())
    if not are_probabilities or abs(sum(scores.values()) - 1) >= 1e-6:
        return None
    return scores


def without_scores(response: str) -> str:
    """Returns a scored answer as the model is reminded of it: the letter alone."""
    scores = scores_of(response)
    if scores is None:
        return response
    offered = [NUMBERED_SKILLS[skill] for skill in scores]
    plan = json.loads(response)["plan"]
    return LETTERS[offered.index(plan)]


def entropy(scores: Mapping[int, float]) -> float:
    """Returns the entropy of a distribution in bits, 0 or more."""
    return -sum(score * math.log2(score) for score in scores.values() if score > 0)


def rank(scores: Mapping[int, float], skill: int) -> int | None:
    """Returns the place of a skill among the scores, 1 for the likeliest; None if it was not offered.

    Among equal scores it has the worst place, so that a distribution without an opinion earns none.
    """
    if skill not in scores:
        return None
    return sum(score >= scores[skill] for score in scores.values())
