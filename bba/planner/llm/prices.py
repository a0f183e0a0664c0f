"""Prices of language models, by name, by the name without its provider, and by the name without its version."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, RootModel

from bba.files import read_toml
from bba.planner.chat import Usage
from bba.resources import data_dir

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_VERSION = re.compile(r"(?:[-@](?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}|[0-9]{4}|latest))+$")


class Price(BaseModel):
    """US dollars per million tokens: sent (`prompt`), received (`completion`), and sent again (`cached`).

    `cached` is the price of tokens that the provider still has in its own cache; None for the price of others.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    prompt: Dollars
    completion: Dollars
    cached: Dollars | None = None

    def of(self, usage: Usage) -> float:
        """Returns the cost of this usage in US dollars."""
        cached = self.prompt if self.cached is None else self.cached
        fresh = usage.prompt_tokens - usage.cached_tokens
        return (fresh * self.prompt + usage.cached_tokens * cached + usage.completion_tokens * self.completion) / 1e6


class _Table(RootModel[dict[str, Price]]):
    """Prices by model name."""

    model_config = ConfigDict(defer_build=True)


def price_file(path: Path | None) -> Path:
    """Returns the user's price table, or the one that ships with the project."""
    return path or data_dir("configs/prices.toml")


def price_of(model: str, path: Path | None = None) -> Price | None:
    """Returns the price of a model; None if the table does not list it under any of its names.

    Raises:
        BBAError: the table cannot be read, or an entry is invalid.
    """
    table = read_toml(price_file(path), _Table).root
    return next((table[name] for name in _names(model) if name in table), None)


def _names(model: str) -> list[str]:
    """Returns the names of a model, the most exact first: ``openai/gpt-4o-2024-08-06`` is a ``gpt-4o``."""
    plain = model.rpartition("/")[2]
    return list(dict.fromkeys([model, plain, _VERSION.sub("", model), _VERSION.sub("", plain).lower()]))
