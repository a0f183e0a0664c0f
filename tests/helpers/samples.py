"""What a test is tried with: a few values in every run, all of them under `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """Returns parameters for one argument: the first as they are, the others marked `long`."""
    every = list(values)
    return [*every[:quick], *(pytest.param(value, marks=pytest.mark.long) for value in every[quick:])]
