"""What participants read and are asked: the pages of a study, its questions and their answers, and what these score."""

from collections.abc import Iterator, Mapping
from math import inf, isfinite
from operator import not_
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from bba.language import say
from human.study.model import ConsistentModel, EachOnce, LastEnding, LongText, Problem, ShortText, StudyModel

Kind = Literal["scale", "slider", "choice", "choices", "number", "text"]
When = Literal["start", "practice", "after-game", "end"]
PageWhen = Literal["start", "before-games", "between-games", "after-games", "end"]
Order = Literal["fixed", "random"]
Answer = int | float | str | tuple[int | float | str, ...] | None  # None: left out

Picture = Annotated[str, Field(pattern=r"^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+=*$")]

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


class InformationPage(ConsistentModel):
    """A page of the study's own, such as instructions or a debriefing.

    Attributes:
        name: its name in the tables.
        when: after consent; right before the first game; between two games, after a break; after the last game and its
            questions; after all questions, also for who was screened out.
        text: what participants read.
        heading: above it; None for the title of the study.
        picture: below the text, as an address that holds it whole.
        picture_text: what it shows, for who does not see it.
        endings: of a page after all questions, the endings to which it belongs; none for all of them.
    """

    name: Name
    when: PageWhen
    text: LongText
    heading: ShortText | None = None
    # Not written where they are empty: the digests of earlier studies stay.
    picture: Picture | None = Field(None, exclude_if=not_)
    picture_text: ShortText | None = Field(None, alias="picture-text", exclude_if=not_)
    endings: Annotated[tuple[LastEnding, ...], EachOnce] = Field((), exclude_if=not_)

    def _problems(self) -> Iterator[Problem]:
        yield bool(self.endings) and self.when != "end", ["endings"], 'is for a page with when = "end"'
        yield bool(self.picture) != bool(self.picture_text), ["picture-text"], "a picture has one, and nothing else has"


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
        """Fills in what is not said: a question with ends is a scale of five points, another one is for words."""
        if not isinstance(data, dict):
            return data
        given = {name: value for name, value in data.items() if value is not None}
        kind = given.setdefault("type", "scale" if {"ends", "labels", "points"} & set(given) else "text")
        given.setdefault("required", kind != "text")
        if kind == "scale" and "points" not in given:
            labels = given.get("labels")
            given["points"] = len(labels) if isinstance(labels, list | tuple) and 2 <= len(labels) <= 11 else POINTS
        return given

    def _problems(self) -> Iterator[Problem]:
        labels = self.labels or ()
        least, most = self._limits
        for key, kinds in ONLY_FOR.items():
            yield (
                getattr(self, key) is not None and self.type not in kinds,
                [key],
                f"a question of type {self.type!r} has none; it is for {' and '.join(kinds)}",
            )
        yield (
            self.type in LISTED and self.choices is None,
            ["choices"],
            f"missing; a question of type {self.type!r} lists what there is to choose from",
        )
        yield bool(labels and self.ends), ["ends"], "either labels for all points or ends, not both"
        yield len(labels) not in (0, self.points), ["labels"], f"there are {len(labels)} for {self.points} points"
        yield least > most, ["least"], f"{least:g} is more than most, {most:g}"
        wrong = self.problem_with(self.expect) if self.expect is not None else None
        yield wrong is not None, ["expect"], f"is no answer to this question: {wrong}"

    @property
    def _limits(self) -> tuple[float, float]:
        return -inf if self.least is None else self.least, inf if self.most is None else self.most

    @property
    def options(self) -> tuple[str, ...]:
        """The lines to choose from: the choices, or the points of a scale with their labels."""
        if self.choices is not None:
            return self.choices
        points = self.points or 0
        low, high = self.ends or ("", "")
        labels = self.labels or (low, *("",) * (points - 2), high)
        return tuple(f"{point:{len(str(points))}}  {label}".rstrip() for point, label in enumerate(labels, 1))

    def problem_with(self, answer: Answer) -> str | None:
        """Returns what is wrong with an answer, for who gave it; None if it can be taken."""
        if answer in (None, "", ()):
            return say("please answer this question") if self.required else None
        choices = self.choices or ()
        least, most = self._limits
        limits = {  # by whether there is a least and a most
            (False, False): say("please give a number"),
            (True, False): say("please give a number from {least}", least=f"{least:g}"),
            (False, True): say("please give a number up to {most}", most=f"{most:g}"),
            (True, True): say("please give a number from {least} up to {most}", least=f"{least:g}", most=f"{most:g}"),
        }[self.least is not None, self.most is not None]
        length = len(answer) if isinstance(answer, str) else 0
        room = say("{length} characters; there is room for {most}", length=length, most=MAX_ANSWER_LENGTH)
        checks: dict[Kind, tuple[bool, str]] = {  # whether it can be taken, and what to say if not
            "scale": (
                _between(answer, int, 1, self.points or POINTS),
                say("choose a point, 1 to {most}", most=self.points),
            ),
            "slider": (_between(answer, int, 0, SLIDER_END), say("choose a value, 0 to 100")),
            "choice": (answer in choices, say("choose one of those that are listed")),
            "choices": (
                isinstance(answer, tuple) and {*answer} <= {*choices},
                say("choose among those that are listed"),
            ),
            "number": (_between(answer, float, least, most), limits),
            "text": (0 < length <= MAX_ANSWER_LENGTH, room if length else say("please answer in words")),
        }
        fine, problem = checks[self.type]
        return None if fine else problem

    def as_expected(self, answer: Answer) -> bool | None:
        """Returns whether an answer is the expected one, in whatever order of choices; None if none is expected."""
        return None if self.expect is None else _parts(self.expect) == _parts(answer)


class InstrumentScore(StudyModel):
    """How the items of an instrument make one number: their mean or sum, times `factor`, plus `offset`.

    Attributes:
        name: its column in the tables, among whose columns "score" in it tells it.
        text: what it measures, and its direction.
        items: the names of questions with a scale or a slider, all asked at the same point of the study.
        reversed: those of them that count from the other end.
        method: what is made of the items.
        factor, offset: what is made of that.
        range: the lowest and the highest score.
    """

    name: Annotated[str, Field(pattern=r"^([a-z][a-z0-9]*_)*score(_[a-z0-9]+)+$", max_length=60)]
    text: ShortText
    items: Annotated[tuple[str, ...], Field(min_length=1), EachOnce]
    reversed: Annotated[tuple[str, ...], EachOnce] = ()
    method: Literal["mean", "sum"] = "mean"
    factor: float = 1.0
    offset: float = 0.0
    range: tuple[float, float]

    @property
    def meaning(self) -> str:
        """What it is and how it is made, in words."""
        items = (f"{item} (reversed)" if item in self.reversed else item for item in self.items)
        scaled = f", times {self.factor:g}, then {self.offset:+g}" if (self.factor, self.offset) != (1, 0) else ""
        return f"{self.text}, {self.range[0]:g} to {self.range[1]:g}: {self.method} of {', '.join(items)}{scaled}"

    def value(self, points: Mapping[str, int | None], answers: Mapping[str, Answer]) -> float | None:
        """Returns the score; None if an item has no answer.

        Args:
            points: of each scale, by the name of its question; None for a slider.
            answers: by the names of their questions.
        """
        ends = {item: SLIDER_END if (most := points[item]) is None else 1 + most for item in self.reversed}
        given = [(item, answer) for item in self.items if isinstance(answer := answers.get(item), int)]
        if len(given) < len(self.items):
            return None
        total = sum(ends[item] - answer if item in ends else answer for item, answer in given)
        return self.factor * total / (len(given) if self.method == "mean" else 1) + self.offset


def meets(wanted: Expected, answer: Answer) -> bool:
    """Returns whether an answer is the wanted one or one of those wanted; of several choices, one of them suffices."""
    return bool(_parts(wanted) & _parts(answer))


def _parts(answer: Answer | Expected) -> set[int | float | str | None]:
    return set(answer) if isinstance(answer, tuple) else {answer}


def _between(answer: Answer, kind: type[int] | type[float], low: float, high: float) -> bool:
    """Returns whether an answer is a number from `low` to `high`; a whole one where `kind` is int."""
    if isinstance(answer, bool) or not isinstance(answer, int | float) or not isfinite(answer):
        return False
    return (kind is float or isinstance(answer, int)) and low <= answer <= high
