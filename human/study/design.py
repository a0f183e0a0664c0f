"""The design of a study: its factors, the groups that they make, the order of games, practice and breaks."""

from itertools import product
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from human.study.model import LongText, StudyModel, mistake

FactorName = Literal["layouts", "agents", "hints", "speed"]
OrderOfGames = Literal["latin", "random", "fixed"]
Speed = Annotated[float, Field(ge=1, le=50)]  # steps a second


class Levels(NamedTuple):
    """The levels of every factor, as one group meets them."""

    layouts: tuple[str, ...]
    agents: tuple[str, ...]
    hints: tuple[bool, ...]
    speed: tuple[float, ...]

    @property
    def games(self) -> int:
        """The number of games: each level of each factor with each of the others."""
        return len(self.layouts) * len(self.agents) * len(self.hints) * len(self.speed)


class Factors(StudyModel):
    """The levels of factors beside kitchens and agents; a factor that is not named has the study's one value.

    Attributes:
        hints: whether participants see one useful next thing.
        speed: steps a second.
    """

    hints: Annotated[tuple[bool, ...], Field(max_length=2)] = ()
    speed: Annotated[tuple[Speed, ...], Field(max_length=8)] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        levels: dict[str, tuple[float, ...]] = {"hints": self.hints, "speed": self.speed}
        for name, listed in levels.items():
            if len(set(listed)) < len(listed):
                raise mistake([name], "one of them is there twice")
        return self


class PracticeRule(StudyModel):
    """What participants must have learned before the games, and what happens if they have not.

    Attributes:
        stages: of the tutorial, how many must be completed; 0: any number.
        tries: how often they may try; a try is what is not yet met of the tutorial, and all questions of practice.
        otherwise: what happens after the last try: they are excluded, or go on all the same.
        instructions: a text that is shown before the questions of practice, at every try; None for none.
    """

    stages: Annotated[int, Field(ge=0)] = 0
    tries: Annotated[int, Field(ge=1, le=20)] = 3
    otherwise: Literal["exclude", "go-on"] = "exclude"
    instructions: LongText | None = None


class BreakRule(StudyModel):
    """Breaks between games.

    Attributes:
        every: a break comes after so many games.
        shortest: seconds before participants can go on.
        longest: seconds after which the study goes on without being asked; less than the idle limit of a served study.
    """

    every: Annotated[int, Field(ge=1)] = 1
    shortest: Annotated[float, Field(ge=0, le=600)] = 0.0
    longest: Annotated[float, Field(gt=0, le=600)] = 120.0

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.shortest > self.longest:
            raise mistake(["shortest"], f"{self.shortest:g} is more than longest, {self.longest:g}")
        return self


def groups_of(levels: Levels, between: tuple[FactorName, ...]) -> tuple[Levels, ...]:
    """Returns the groups: one for each combination of levels of the factors that differ between participants."""
    choices = (
        [(level,) for level in listed] if name in between else [listed] for name, listed in levels._asdict().items()
    )
    return tuple(Levels(*chosen) for chosen in product(*choices))


def group_name(group: Levels, between: tuple[FactorName, ...]) -> str | None:
    """Returns what a group has that others have not, as ``agents=bayes hints=True``; None if there is one group."""
    return " ".join(f"{name}={getattr(group, name)[0]}" for name in between) or None
