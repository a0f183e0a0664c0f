"""The questionnaire of a study: its questions, each with the answers that it takes."""

from collections.abc import Iterator, Sequence
from math import inf, isfinite
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from bba.language import say
from human.study.model import ConsistentModel, EachOnce, Problem, ShortText

Kind = Literal["scale", "slider", "choice", "choices", "number", "text"]
When = Literal["start", "practice", "after-game", "end"]
Order = Literal["fixed", "random"]
Answer = int | float | str | tuple[int | float | str, ...] | None  # None: left out

POINTS = 5  # points of a scale that says nothing else
SLIDER_END = 100  # a slider goes from 0 to this
MAX_ANSWER_LENGTH = 4000  # characters of an answer in words
MEASURED: tuple[Kind, ...] = ("scale", "slider", "number")  # the kinds whose answers have a mean
LISTED: tuple[Kind, ...] = ("choice", "choices")
# The keys that only some kinds of question have.
ONLY_FOR: dict[str, tuple[Kind, ...]] = {
    "points": ("scale",),
    "labels": ("scale",),
    "ends": ("scale", "slider"),
    "choices": LISTED,
    "least": ("number",),
    "most": ("number",),
}
# The field of an answer, and the column of its table, that holds an answer of each kind.
ANSWER_FIELDS: dict[Kind, str] = {
    "scale": "score",
    "slider": "score",
    "number": "number",
    "text": "words",
    "choice": "chosen",
    "choices": "chosen",
}
Expected = int | float | ShortText | tuple[int | float | ShortText, ...]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class SurveyQuestion(ConsistentModel):
    """A question and the answers that it takes.

    Attributes:
        name: its name in the tables.
        text: the question as participants read it.
        when: before everything else, after the tutorial (then `expect` says which answer is right), after every game,
            or after the last game.
        type: what kind of answer it takes.
        points: of a scale, the number of its points, 2 to 11.
        labels: of a scale, the labels of all its points; or
        ends: of a scale or a slider, the labels of the lowest and the highest point.
        choices: what there is to choose from: one, or any number of them.
        least, most: the limits of a number.
        required: whether it must be answered; words may be left out if nothing else is said.
        expect: the answer of an attentive participant; the tables say whether it was given.
        order: whether it changes places with its neighbours that are "random" too, at random.
        show_if: names of earlier questions, each with the answer or answers of which one must have been given.
        block: the block from which it was included; questions change places within their block only.
    """

    name: Name
    text: ShortText
    when: When = "after-game"
    type: Kind
    points: Annotated[int, Field(ge=2, le=11)] | None = None
    labels: Annotated[tuple[ShortText, ...], Field(min_length=2, max_length=11)] | None = None
    ends: tuple[ShortText, ShortText] | None = None
    choices: Annotated[tuple[ShortText, ...], Field(min_length=2, max_length=30), EachOnce] | None = None
    least: float | None = None
    most: float | None = None
    required: bool
    expect: Expected | None = None
    order: Order = "fixed"
    show_if: dict[str, Expected] = Field(alias="show-if", default_factory=dict)
    block: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, data: Any) -> Any:
        """Fills in missing keys: a question with ends is a scale of five points, another one is for words."""
        if not isinstance(data, dict):
            return data
        values = {name: value for name, value in data.items() if value is not None}
        is_scale = "ends" in values or "labels" in values or "points" in values
        kind = values.setdefault("type", "scale" if is_scale else "text")
        values.setdefault("required", kind != "text")
        if kind == "scale" and "points" not in values:
            labels = values.get("labels")
            values["points"] = POINTS
            if isinstance(labels, list | tuple) and 2 <= len(labels) <= 11:
                values["points"] = len(labels)
        return values

    def _problems(self) -> Iterator[Problem]:
        for key, kinds in ONLY_FOR.items():
            if getattr(self, key) is not None and self.type not in kinds:
                yield [key], f"a question of type {self.type!r} has none; it is for {' and '.join(kinds)}"
        if self.type in LISTED and self.choices is None:
            yield ["choices"], f"missing; a question of type {self.type!r} lists what there is to choose from"
        if self.labels and self.ends:
            yield ["ends"], "either labels for all points or ends, not both"
        if self.labels and len(self.labels) != self.points:
            yield ["labels"], f"there are {len(self.labels)} for {self.points} points"
        least, most = self._limits
        if least > most:
            yield ["least"], f"{least:g} is more than most, {most:g}"
        if self.expect is not None:
            problem = self.problem_with(self.expect)
            if problem is not None:
                yield ["expect"], f"is no answer to this question: {problem}"

    @property
    def _limits(self) -> tuple[float, float]:
        least = -inf
        if self.least is not None:
            least = self.least
        most = inf
        if self.most is not None:
            most = self.most
        return least, most

    @property
    def options(self) -> tuple[str, ...]:
        """The lines to choose from: the choices, or the points of a scale with their labels."""
        if self.choices is not None:
            return self.choices
        points = self.points or 0
        labels: Sequence[str] = self.labels or ()
        if not labels:
            low, high = self.ends or ("", "")
            labels = [low] + [""] * (points - 2) + [high]
        width = len(str(points))
        lines = []
        for point, label in enumerate(labels, 1):
            line = f"{point:{width}}  {label}"
            lines.append(line.rstrip())
        return tuple(lines)

    @property
    def answers(self) -> tuple[int | str, ...]:
        """The answers for which the options stand: the choices, or the points of a scale; none of other types."""
        if self.choices is not None:
            return self.choices
        return tuple(range(1, (self.points or 0) + 1))

    def problem_with(self, answer: Answer) -> str | None:
        """Returns what is wrong with an answer, for who gave it; None if it can be taken."""
        if answer in (None, "", ()):
            return say("please answer this question") if self.required else None
        choices = self.choices or ()
        match self.type:
            case "scale":
                if not _between(answer, int, 1, self.points or POINTS):
                    return say("choose a point, 1 to {most}", most=self.points)
            case "slider":
                if not _between(answer, int, 0, SLIDER_END):
                    return say("choose a value, 0 to 100")
            case "choice":
                if answer not in choices:
                    return say("choose one of those that are listed")
            case "choices":
                if not isinstance(answer, tuple) or not set(answer) <= set(choices):
                    return say("choose among those that are listed")
            case "number":
                least, most = self._limits
                if not _between(answer, float, least, most):
                    return self._number_wanted()
            case "text":
                return _problem_with_words(answer)
        return None

    def _number_wanted(self) -> str:
        """Returns which numbers the question takes, for who has given none of these."""
        least = ""
        if self.least is not None:
            least = f"{self.least:g}"
        most = ""
        if self.most is not None:
            most = f"{self.most:g}"
        if least and most:
            return say("please give a number from {least} up to {most}", least=least, most=most)
        if least:
            return say("please give a number from {least}", least=least)
        if most:
            return say("please give a number up to {most}", most=most)
        return say("please give a number")

    def as_expected(self, answer: Answer) -> bool | None:
        """Returns whether an answer is the expected one, in whatever order of choices; None if none is expected."""
        if self.expect is None:
            return None
        return _parts(self.expect) == _parts(answer)


def meets(expected: Expected, answer: Answer) -> bool:
    """Returns whether an answer is the expected one or one of several; of several choices, one of them suffices."""
    return not _parts(expected).isdisjoint(_parts(answer))


def _parts(answer: Answer | Expected) -> set[int | float | str | None]:
    return set(answer) if isinstance(answer, tuple) else {answer}


def _between(answer: Answer, kind: type[int] | type[float], low: float, high: float) -> bool:
    """Returns whether an answer is a number from `low` to `high`; a whole one where `kind` is int."""
    if isinstance(answer, bool) or not isinstance(answer, int | float) or not isfinite(answer):
        return False
    if kind is int and not isinstance(answer, int):
        return False
    return low <= answer <= high


def _problem_with_words(answer: Answer) -> str | None:
    if not isinstance(answer, str):
        return say("please answer in words")
    length = len(answer)
    if length > MAX_ANSWER_LENGTH:
        return say("{length} characters; there is room for {most}", length=length, most=MAX_ANSWER_LENGTH)
    return None
