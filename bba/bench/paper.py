"""The preprint's figures, to stand beside ours: another planner's, and labelled so."""

import json
from functools import cache
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from bba.bench.episode import MODEL
from bba.errors import BBAError
from bba.files import first_problem, read_text
from bba.resources import data_dir

FILE = "paper.json"
FIRST_MODEL = "gpt-4o"  # the preprint's, unless it names another


class PaperValue(BaseModel):
    """One figure of the preprint: in which table, where in it, and its value.

    `model` is what planned; None for agents without a language model. Differences have an interval, not a `sd`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
    agent: str
    model: str | None = None
    layout: str
    group: str
    variant: str = "default"
    measure: str
    mean: float
    sd: float | None = None
    low: float | None = None
    high: float | None = None


class PaperPlace(NamedTuple):
    """Where a figure stands: `agent` as in the table (a difference is ``first - second``)."""

    table: str
    agent: str
    model: str | None
    layout: str
    group: str
    variant: str
    measure: str


@cache
def paper_values() -> dict[PaperPlace, PaperValue]:
    """All figures by place.

    Raises:
        BBAError: the file is damaged.
    """
    path = data_dir("configs/benchmarks") / FILE
    try:
        found = [PaperValue.model_validate(entry) for entry in json.loads(read_text(path))["figures"]]
    except ValidationError as error:
        raise BBAError(f"{path}: {first_problem(error)}") from None
    except (ValueError, KeyError, TypeError):
        raise BBAError(f"{path}: not a file of figures") from None
    return {PaperPlace(**{name: getattr(figure, name) for name in PaperPlace._fields}): figure for figure in found}


def paper_value(place: PaperPlace) -> PaperValue | None:
    """The figure of a place; where the preprint has none for this planner, that of its first model or of no model."""
    model = place.model.removeprefix(MODEL) if place.model else None
    tried = (place._replace(model=name) for name in (model, FIRST_MODEL, None))
    return next((paper_values()[place] for place in tried if place in paper_values()), None)
