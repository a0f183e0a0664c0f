"""What a test is tried with: a few values in every run, all of them under `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """Returns parameters for one argument: the first as they are, the others marked `long`."""
    every = list(values)
    return [*every[:quick], *(pytest.param(value, marks=pytest.mark.long) for value in every[quick:])]


def crossed(rows: Iterable[tuple], columns: Iterable[tuple]) -> list[Any]:
    """Returns parameters for two or more arguments: each row with each column, after another in one tuple.

    The first row with the first column is as it is, what has one of these is marked `thorough`, and the rest `long`:
    what depends on one of both alone is found without it.
    """
    return [
        pytest.param(*row, *column, marks=_mark(number, place))
        for number, row in enumerate(rows)
        for place, column in enumerate(columns)
    ]


def _mark(row: int, column: int) -> Any:
    if row and column:
        return pytest.mark.long
    return pytest.mark.thorough if row or column else ()
