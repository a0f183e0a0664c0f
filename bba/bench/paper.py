"""The preprint's values, shown beside ours. They are those of another planner and labelled so."""

import json
from functools import cache

from pydantic import BaseModel, ConfigDict, ValidationError

from bba.agents.registry import model_of
from bba.errors import BBAError
from bba.files import data_dir, first_problem, read_text

PAPER_FILE = "paper.json"
FIRST_MODEL = "gpt-4o"  # the preprint's language model where it names no other


class PaperPlace(BaseModel):
    """The place of a value: `agent` is ``first - second`` for a difference, `model` None without a language model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
    agent: str
    model: str | None = None
    layout: str
    group: str
    variant: str = "default"
    measure: str


class PaperValue(PaperPlace):
    """One value of the preprint and its place in the tables.

    Attributes:
        mean: the value.
        sd: its standard deviation; None for a difference.
        low, high: the interval of a difference; None for other values.
    """

    mean: float
    sd: float | None = None
    low: float | None = None
    high: float | None = None


@cache
def paper_values() -> dict[PaperPlace, PaperValue]:
    """Returns all values by place.

    Raises:
        BBAError: the file is damaged.
    """
    path = data_dir("configs/benchmarks") / PAPER_FILE
    try:
        found = [PaperValue.model_validate(entry) for entry in json.loads(read_text(path))["figures"]]
    except ValidationError as error:
        raise BBAError(f"{path}: {first_problem(error)}") from None
    except (ValueError, KeyError, TypeError):
        raise BBAError(f"{path}: not a file of the preprint's values") from None
    return {PaperPlace(**value.model_dump(include=set(PaperPlace.model_fields))): value for value in found}


def paper_value(place: PaperPlace) -> PaperValue | None:
    """Returns the value of a place; without one for this planner, that of the first model or of no model."""
    model = model_of(place.model) or place.model
    tried = (place.model_copy(update={"model": name}) for name in (model, FIRST_MODEL, None))
    return next((paper_values()[place] for place in tried if place in paper_values()), None)
