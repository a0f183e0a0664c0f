"""The base of a study's models, and the types that they share.

What is noted of a participant beside games and answers: breaks and exclusion.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from bba.files import first_problem

Listed = TypeVar("Listed", bound=tuple[object, ...])


def each_once(listed: Listed) -> Listed:
    """Returns a list, for a field that may hold nothing twice; raises ValueError where it does."""
    twice = next((one for one in listed if listed.count(one) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice} is there twice")
    return listed


EachOnce = AfterValidator(each_once)
LongText = Annotated[str, Field(min_length=1, max_length=20_000)]
ShortText = Annotated[str, Field(min_length=1, max_length=400)]
Place = tuple[str | int, ...]
Problem = tuple[bool, Sequence[str | int], str]  # whether it is there; where, by keys and positions; and what it is


class StudyModel(BaseModel):
    """Base of a study's models: immutable, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class ConsistentModel(StudyModel):
    """Base of the models of which not all values go together: the first problem that is there is their mistake."""

    @abstractmethod
    def _problems(self) -> Iterator[Problem]:
        """Yields all problems that there can be, in the order in which they are looked for."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        for there, place, what in self._problems():
            if there:
                raise mistake(place, what)
        return self


def mistake(place: Sequence[str | int], what: str) -> PydanticCustomError:
    """Returns the error of a validator that knows better where the mistake is: by keys and positions below it."""
    return PydanticCustomError("mistake", "{what}", {"what": what, "place": tuple(place)})


def first_mistake(error: ValidationError) -> tuple[Place, str]:
    """Returns the place of the first problem of a failed validation, as keys and list positions, and the problem."""
    problem = error.errors(include_url=False, include_input=False)[0]
    place = (*problem["loc"], *problem.get("ctx", {}).get("place", ()))
    what = first_problem(error).removeprefix(".".join(map(str, problem["loc"]))).removeprefix(": ")
    return tuple(part for part in place if part != "[key]"), what


class Break(StudyModel):
    """A break, or the time with a page of the study's own.

    Attributes:
        game: the game before it, from 0; None for a page before or after all games.
        page: the name of the page; None for a break.
        started, ended: times; `ended` is None while it lasts.
    """

    game: Annotated[int, Field(ge=0)] | None = None
    page: str | None = None
    started: datetime
    ended: datetime | None = None


class PairPlace(StudyModel):
    """A participant's place in a pair.

    Attributes:
        number: of the pair: that of the participant who came first; it stands for the number of both.
        seat: 0 or 1.
        other: the code of the other one, in folders of earlier versions; it would outlast a withdrawal.
    """

    number: Annotated[int, Field(ge=0)]
    seat: Annotated[int, Field(ge=0, le=1)]
    other: str | None = None


class Exclusion(StudyModel):
    """The exclusion of a participant: when, whether the rule of practice or the researcher excluded them, and why."""

    at: datetime
    why: Literal["practice", "researcher"]
    reason: ShortText | None = None
