"""The points of the preprint's prompts, and ours that it has not: which of them the texts of a folder make.

A point is looked for by its words, so that a text that says it in quite other words counts as one that lacks it.
"""

import re
from typing import NamedTuple

from bba.planner.prompt_loader import Prompts, Template

_FLAGS = re.IGNORECASE | re.DOTALL | re.MULTILINE
_SHOWN_TAGS = ("cooking", "ready", "waiting", "warning", "burnt")
_STATION_LETTERS = "MZRTUBGPWDSX"


class Point(NamedTuple):
    """Something that the preprint's prompts say, or that ours alone say.

    Attributes:
        text: the name of the template, or of the section of lines.md.
        says: the point in a few words.
        words: regular expressions, all of which are found in a text that makes the point.
        in_preprint: whether the preprint makes it.
    """

    text: str
    says: str
    words: tuple[str, ...]
    in_preprint: bool = True

    def found_in(self, text: str) -> re.Match[str] | None:
        """Returns where a text makes this point: the match of the first of its words; None if it does not."""
        matches = [re.search(words, text, _FLAGS) for words in self.words]
        return matches[0] if all(matches) else None


def _has(text: str, says: str, *words: str) -> Point:
    return Point(text, says, words)


def _has_not(text: str, says: str, *words: str) -> Point:
    return Point(text, says, words, in_preprint=False)


POINTS = (
    _has("base", "the names of ordered dishes", "steak_burrito_dish", "mushroom_burrito_dish"),
    _has("base", "up to four orders", r"\b(?:four|4)\b[^\n]*\borders?\b|\borders?\b[^\n]*\b(?:four|4)\b"),
    _has("base", "the bonus of the first order", r"in-order|first[^\n]*bonus|bonus[^\n]*first"),
    _has("base", "other orders can be delivered", "deliver"),
    _has("base", "two recipes of protein, rice and tortilla", "steak", "mushroom", "rice", "tortilla"),
    _has("base", "a tortilla is not cooked", r"tortilla[^\n]*\b(?:not|no|never|without|uncooked|directly|straight)\b"),
    _has("base", "protein is chopped, then grilled", r"chop.*grill"),
    _has("base", "rice is cooked in a pot", r"rice[^\n]*\bpot\b|\bpot\b[^\n]*rice"),
    _has("base", "dirty plates are washed in the sink", "dirty", "sink"),
    _has("base", "clean plates take cooked food", "clean[ _]plate"),
    _has("base", "the letters of stations", *(rf"(?-i:\b{letter}\b)" for letter in _STATION_LETTERS)),
    _has("base", "the tags of objects", *_SHOWN_TAGS),
    _has("base", "fire: extinguisher, charcoal, trash", "extinguisher|fire_ext", "charcoal", "trash"),
    _has("base", "PASS_OBJECT and PUT_DOWN_OBJECT apart", "PASS", "PUT_DOWN"),
    _has("base", "the least wasteful action where none is certain", "wast"),
    _has("base", "VALID ACTIONS only", "VALID ACTIONS"),
    _has("base", "an integer from 0 to 26 or a name, thought of silently", r"\b0\b.{0,8}\b26\b", "silent|internal"),
    _has_not("base", "steps of cooking", r"\b\d+ (?:time)?steps\b|\{(?:cooking|ready|warning)\}"),
    _has_not("base", "the number of chops", r"\b\d+ chops\b|\{chops\}"),
    _has_not("base", "the number of rinses", r"\b\d+ rinses\b|rinse[^\n]*\b\d+ times|\{rinses\}"),
    _has_not("base", "the number of plates", r"\bplates: (?:\d+|\{plates\})|\b\d+ plates\b"),
    _has_not("base", "streaks and their multiplier", r"\bstreak|\bmultipl"),
    _has_not("base", "the price of what nobody ordered", r"\bhalf\b"),
    _has_not("base", "clocks of orders", r"\bclocks?\b|\bruns? out\b"),
    _has_not("base", "our eight rules of choice", r"^1\. Put a fire out first|^6\. Among useful skills|^8\. STAY only"),
    _has("bayes", "a Bayesian filter on the teammate's role", "Bayes", r"\brole\b"),
    _has("bayes", "no work twice", "duplicat|twice|repeat"),
    _has("bayes", "a block of game rules", "game rules", "tortilla"),
    _has("bayes", "out of a fire by skills 14, 3 and 6", r"\b14\b.*\b3\b.*\b6\b"),
    _has("bayes", "three lines", r"^Teammate role belief:.*^Intention for Player.*^Plan for Player"),
    _has("bayes", "one action only", "one action"),
    _has("hypothetical", "hypotheses, a prediction, a complementary action", "hypothes", "predict", "complement"),
    _has("hypothetical", "VALID ACTIONS only", "VALID ACTIONS"),
    _has(
        "hypothetical",
        "three lines, and nothing after the last one",
        r"^Teammate strategy hypothesis:.*^Predicted next behavior for Player.*^Plan for Player",
        r"\bnothing\b|\bno (?:other )?text\b",
    ),
    _has(
        "scene",
        "the scene's lines in their order",
        r"\{layout\}.*\{stations\}.*\{step\}.*\{ego\}.*\{mate\}.*orders:.*objects:.*Teammate intent:.*"
        r"\{urgency\}.*VALID ACTIONS ->.*Return one action only",
    ),
    _has(
        "belief",
        "the belief's lines in their order",
        r"\{role\}.*\{confidence\}.*\{commitment\}.*\{heading\}.*\{posterior\}.*\{advice\}",
    ),
    _has("advice_uncertain", "not to wait", r"\bnot\b[^\n]*\bwait\b"),
    _has("flag_low_confidence", "LOW CONFIDENCE in brackets, no STAY", r"^\[.*LOW CONFIDENCE", "STAY"),
    _has("flag_moderate_confidence", "MODERATE CONFIDENCE in brackets, complements", r"^\[.*MODERATE", "complement"),
    _has_not("flag_moderate_confidence", "that urgent needs come first", "urgent"),
    _has("flag_priority", "PRIORITY ORDER in brackets", r"^\[.*PRIORITY ORDER"),
    _has("flag_fire", "FIRE in brackets", r"^\[.*FIRE"),
    _has_not("flag_fire", "skills against a fire", r"\b\d+:"),
    _has("flag_about_to_burn", "COOKING TIMER in brackets", r"^\[.*TIMER"),
    _has("flag_charcoal", "CHARCOAL in brackets, skills 24 and 6", r"^\[.*CHARCOAL", r"\b24\b.*\b6\b"),
    _has_not("flag_charcoal", "charcoal in a pot", r"\bpot\b"),
    _has("evaluate", "True or False of each hypothesis by its number", r"h[\w<>]*: .*True", "False"),
    _has("generate", "instruction, scene, events, hypotheses", r"strategy.*\{scene\}.*\{events\}.*\{hypotheses\}"),
    _has("generate", "one concise strategy", "concise|short|brief"),
    _has("predict", "instruction, scene, events, strategy", r"(?:next|predict).*\{scene\}.*\{events\}.*\{strategy\}"),
    _has("predict", "one concise next behavior", "concise|short|brief"),
    _has("hypotheses", "the scene, then what is known", r"\{scene\}.*\{strategy\}.*\{prediction\}.*\{hypotheses\}"),
    _has("hypotheses", "then to complement, not to repeat", r"\{hypotheses\}.*complement", "duplicat|again|repeat"),
    _has("hypotheses", "then the three lines", r"\{hypotheses\}.*^Teammate strategy.*^Predicted.*^Plan for Player"),
    _has("retry_plan", "the feasible skills", r"\{feasible\}"),
)


class Remark(NamedTuple):
    """What a text lacks, or says besides.

    Attributes:
        file: where it stands.
        line: the line that says more than the preprint; None for what is lacking.
        says: the point in a few words.
    """

    file: str
    line: int | None
    says: str

    def __str__(self) -> str:
        if self.line is None:
            return f"{self.file}: lacks {self.says}"
        return f"{self.file}, line {self.line}: the preprint has not: {self.says}"


def remarks(prompts: Prompts) -> list[Remark]:
    """Returns what some prompts lack of the preprint's points, and what they say besides, in the order of `POINTS`."""
    found = []
    for point in POINTS:
        template = _text_of(prompts, point.text)
        match = point.found_in(template.text)
        if point.in_preprint and match is None:
            found.append(Remark(template.source, None, point.says))
        if not point.in_preprint and match is not None:
            line = template.first_line + template.text.count("\n", 0, match.start())
            found.append(Remark(template.source, line, point.says))
    return found


def _text_of(prompts: Prompts, name: str) -> Template:
    return prompts.lines[name] if name in prompts.lines else prompts.templates[name]
