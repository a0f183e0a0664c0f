"""The values of the preprint's tables by place. They are those of another planner and labelled so."""

import json
from functools import cache

from pydantic import BaseModel

from bba.agents import model_of
from bba.errors import BBAError
from bba.files import data_dir, read_text
from bba.validation import checked

PAPER_FILE = "paper.json"
FIRST_MODEL = "gpt-4o"  # the preprint's language model where it names no other


class PaperPlace(BaseModel, frozen=True, extra="forbid"):
    """The place of a value: `agent` is ``first - second`` for a difference, `model` None without a language model."""

    table: str
    agent: str
    model: str | None = None
    layout: str
    group: str
    variant: str = "default"
    measure: str


class PaperValue(PaperPlace, frozen=True):
    """One value of the preprint and its place in the tables.

    Attributes:
        mean: the value.
        sd: its standard deviation; None for a difference.
        low, high: the interval of a difference; None for other values.
        computed: whether it is the mean of other values here, and not printed there.
    """

    mean: float
    sd: float | None = None
    low: float | None = None
    high: float | None = None
    computed: bool = False


@cache
def paper_values() -> dict[PaperPlace, PaperValue]:
    """Returns all values by place.

    Raises:
        BBAError: the file is damaged.
    """
    path = data_dir("configs/benchmarks") / PAPER_FILE
    try:
        figures = json.loads(read_text(path))["figures"]
    except (ValueError, KeyError, TypeError):
        raise BBAError(f"{path}: not a file of the preprint's values") from None
    values = {}
    for figure in figures:
        value = checked(PaperValue, figure, path)
        place = PaperPlace(**value.model_dump(include=set(PaperPlace.model_fields)))
        values[place] = value
    return values


def paper_value(place: PaperPlace) -> PaperValue | None:
    """Returns the value of a place; without one for this planner, that of the first model or of no model."""
    values = paper_values()
    for model in (model_of(place.model) or place.model, FIRST_MODEL, None):
        value = values.get(place.model_copy(update={"model": model}))
        if value is not None:
            return value
    return None
