"""The base of a study's models: immutable, without unknown keys, and with a place for each mistake."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Annotated, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from bba.validation import first_problem

Entries = TypeVar("Entries", bound=tuple[object, ...])


def each_once(entries: Entries) -> Entries:
    """Returns the entries of a field that may hold nothing twice; raises ValueError where it does."""
    for entry in entries:
        if entries.count(entry) > 1:
            raise ValueError(f"{entry} is there twice")
    return entries


EachOnce = AfterValidator(each_once)
LongText = Annotated[str, Field(min_length=1, max_length=20_000)]
ShortText = Annotated[str, Field(min_length=1, max_length=400)]
Place = tuple[str | int, ...]
Problem = tuple[Sequence[str | int], str]  # where, by keys and positions; and what it is


class StudyModel(BaseModel):
    """Base of a study's models: immutable, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class ConsistentModel(StudyModel):
    """Base of the models of which not all values go together: the first problem is their mistake."""

    @abstractmethod
    def _problems(self) -> Iterator[Problem]:
        """Yields the problems of the values, in the order in which they are looked for."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        for place, message in self._problems():
            raise mistake(place, message)
        return self


def mistake(place: Sequence[str | int], message: str) -> PydanticCustomError:
    """Returns the error of a validator that knows better where the mistake is: by keys and positions below it."""
    return PydanticCustomError("mistake", "{message}", {"message": message, "place": tuple(place)})


def first_mistake(error: ValidationError) -> tuple[Place, str]:
    """Returns the place of the first problem of a failed validation, as keys and list positions, and the problem."""
    problem = error.errors(include_url=False, include_input=False)[0]
    context = problem.get("ctx", {})
    place = (*problem["loc"], *context.get("place", ()))
    keys = ".".join(str(part) for part in problem["loc"])
    message = first_problem(error).removeprefix(keys).removeprefix(": ")
    return tuple(part for part in place if part != "[key]"), message
