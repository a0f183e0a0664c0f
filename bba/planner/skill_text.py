"""Reads one skill from a short text, such as what stands after a label or on a line of its own. Never raises.

A number counts only if it stands alone, because prose is full of positions, steps and players. A number beside a name
must agree with it.
"""

import re

from bba.kitchen.constants import N_SKILLS, SKILL_NAMES

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
_DIGITS = re.compile(r"[0-9]+")
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
    return _quoted(value) if value.lstrip()[:1] in '"“«' and _QUOTED.search(value) else _with_reason(value)


def alone(text: str) -> int | None:
    """Reads a text that is nothing but a skill: a number, a name in any case, or both if they agree."""
    core = _BULLET.sub("", text, count=1).strip(DECORATION)
    core = _PREFIX.sub("", core, count=1) if _PREFIX.match(core) else core
    if _NUMBER.fullmatch(core):
        return in_range(core)
    if first := _NUMBER_FIRST.match(core):
        named, number = _name(core[first.end() :]), int(first[1])
    elif last := _NUMBER_LAST.search(core):
        named, number = _name(core[: last.start()]), int(last[1])
    else:
        return _name(core)
    return named if named == number else None


def written_out(text: str) -> set[int | None]:
    """Finds the skills that a text names as the prompt does; contains None if a number before a name disagrees."""
    return {agreed(number, name) for number, name in _WRITTEN_OUT.findall(text)}


def names_with_context(text: str, before: int) -> list[tuple[str, int | None]]:
    """Returns the same skills in their order, each with up to `before` characters that stand before it."""
    found = _WRITTEN_OUT.finditer(text)
    return [(text[max(0, one.start() - before) : one.start()], agreed(one[1] or "", one[2])) for one in found]


def agreed(number: str, name: str) -> int | None:
    """Returns the skill of this name; None if the number before it is another skill's."""
    skill = SKILL_NAMES.index(name)
    return skill if not number or int(number) == skill else None


def in_range(digits: str) -> int | None:
    """Returns the skill of this number; None if there is none."""
    number = int(digits)
    return number if number < N_SKILLS else None


def why_unreadable(text: str) -> str:
    """Returns why no skill could be read from a text."""
    core = text.strip(DECORATION)
    named = sorted({skill for skill in written_out(text) if skill is not None})
    if len(named) > 1:
        return f"it names several skills ({', '.join(SKILL_NAMES[skill] for skill in named)}), not one"
    for number, name in _WRITTEN_OUT.findall(text):
        if agreed(number, name) is None:
            return f"{name} is number {SKILL_NAMES.index(name)}, not {number}"
    if re.fullmatch(r"[0-9]{1,4}", core):
        return f"there is no skill {core}; they are 0 to {N_SKILLS - 1}"
    return "no single skill can be read from it"


def _quoted(value: str) -> int | None:
    """Reads a skill in quotation marks, whatever follows unless that quotes another one."""
    found = {skill for inner in _QUOTED.findall(value) if (skill := alone(inner)) is not None}
    first = alone(_QUOTED.findall(value)[0])
    return first if found == {first} else None


def _with_reason(value: str) -> int | None:
    """Reads a number that a reason follows, which may repeat the number but not hold another one."""
    reasoned = _NUMBER_THEN_REASON.fullmatch(value.strip(DECORATION))
    if reasoned is None or any(int(other) != int(reasoned[1]) for other in _DIGITS.findall(reasoned[2])):
        return None
    return in_range(reasoned[1])


def _name(text: str) -> int | None:
    return _NUMBERS.get(_SPACES.sub(" ", text.strip(DECORATION)).upper())
