"""The scores of a study's instruments: what the answers to several questions make together."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from human.study.model import EachOnce, ShortText, StudyModel
from human.study.questionnaire import SLIDER_END, Answer


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
        """What the score measures and how it is made, in words."""
        lowest, highest = self.range
        items = []
        for item in self.items:
            items.append(f"{item} (reversed)" if item in self.reversed else item)
        scaled = ""
        if (self.factor, self.offset) != (1, 0):
            scaled = f", times {self.factor:g}, then {self.offset:+g}"
        return f"{self.text}, {lowest:g} to {highest:g}: {self.method} of {', '.join(items)}{scaled}"

    def value(self, points: Mapping[str, int | None], answers: Mapping[str, Answer]) -> float | None:
        """Returns the score; None if an item has no answer.

        Args:
            points: of each scale, by the name of its question; None for a slider.
            answers: by the names of their questions.
        """
        total = 0
        for item in self.items:
            answer = answers.get(item)
            if not isinstance(answer, int):
                return None
            if item not in self.reversed:
                total += answer
                continue
            most = points[item]
            sum_of_ends = SLIDER_END if most is None else 1 + most  # of the lowest and the highest answer
            total += sum_of_ends - answer
        count = len(self.items) if self.method == "mean" else 1
        return self.factor * total / count + self.offset
