"""Prices of models: a table in a TOML file, in US dollars per million tokens."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, RootModel

from bba.files import read_toml
from bba.planner.chat import Usage
from bba.resources import data_dir

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel):
    """US dollars per million tokens sent (`prompt`) and received (`completion`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: Dollars
    completion: Dollars

    def of(self, usage: Usage) -> float:
        """Returns the cost of this usage in US dollars."""
        return (usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion) / 1e6


class _Table(RootModel[dict[str, Price]]):
    """Prices by model name."""


def price_file(path: Path | None) -> Path:
    """Returns the user's price table, or the one that ships with the project."""
    return path or data_dir("configs/prices.toml")


def price_of(model: str, path: Path | None = None) -> Price | None:
    """Returns the price of a model; None if the table does not list it.

    Raises:
        BBAError: the table cannot be read, or an entry is invalid.
    """
    return read_toml(price_file(path), _Table).root.get(model)
