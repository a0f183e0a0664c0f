"""The prices of language models, in US dollars."""

import re
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, Field, model_validator

from bba.errors import LOG
from bba.files import data_dir, read_toml
from bba.planner.chat import Usage

_VERSION = re.compile(r"(?:[-@](?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}|[0-9]{4}|latest))+$")
DAYS = 90  # after which a table of prices is called old
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """US dollars per million tokens: sent (`prompt`), received (`completion`), and sent again (`cached`).

    `cached` is the price of tokens that the provider still has in its own cache; None for the price of others. `batch`
    is the share of all prices that is paid in the provider's batch interface, 1 where there is none. `changes` are the
    prices that hold later, each since its day.
    """

    prompt: Dollars
    completion: Dollars
    cached: Dollars | None = None
    batch: Annotated[float, Field(gt=0, le=1)] = 1.0
    since: date | None = None
    changes: tuple["Price", ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if any(change.since is None for change in self.changes):
            raise ValueError("a change of a price needs a date: since = 2027-01-31")
        return self

    def of(self, usage: Usage, *, batch: bool = False) -> float:
        """Returns the cost of this usage in US dollars; `batch`: in the provider's batch interface."""
        cached = self.prompt if self.cached is None else self.cached
        fresh = usage.prompt_tokens - usage.cached_tokens
        paid = fresh * self.prompt + usage.cached_tokens * cached + usage.completion_tokens * self.completion
        return paid * (self.batch if batch else 1.0) / 1e6

    def on(self, day: date) -> "Price":
        """Returns the price that holds on a day."""
        holding = [change for change in self.changes if change.since is not None and change.since <= day]
        return max(holding, key=lambda change: change.since or day, default=self)


class _Table(BaseModel, extra="allow", defer_build=True):
    """Prices by model name, and the day on which they were compared with the providers' lists."""

    __pydantic_extra__: dict[str, Price]

    checked: date | None = None


@cache
def warn_if_old(path: Path | None) -> None:
    """Warns, once, if a table of prices was not compared with the providers' lists for a long time.

    Raises:
        BBAError: the table cannot be read.
    """
    checked = read_toml(price_file(path), _Table).checked
    if checked is not None and date.today() - checked > timedelta(days=DAYS):
        LOG.warning("prices: %s is of %s; compare it with your provider's list", price_file(path), checked)


def price_file(path: Path | None) -> Path:
    """Returns the user's price table, or the one that ships with the project."""
    return path or data_dir("configs/prices.toml")


def price_of(model: str, path: Path | None = None, day: date | None = None) -> Price | None:
    """Returns the price of a model; None if the table does not list it under any of its names.

    Args:
        model: its name at the endpoint.
        path: the user's table; None for the one that ships with the project.
        day: on which it holds; None for today.

    Raises:
        BBAError: the table cannot be read, or an entry is invalid.
    """
    table = read_toml(price_file(path), _Table).model_extra or {}
    for name in _names(model):
        if name in table:
            price: Price = table[name]
            return price.on(day or date.today())
    return None


def _names(model: str) -> list[str]:
    """Returns the names of a model, the most exact first: ``openai/gpt-4o-2024-08-06`` is a ``gpt-4o``."""
    plain = model.rpartition("/")[2]
    return list(dict.fromkeys([model, plain, _VERSION.sub("", model), _VERSION.sub("", plain).lower()]))
