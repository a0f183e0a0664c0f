"""Zoom and pan of a timeline: which steps it shows in so many columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class TimelineWindow(NamedTuple):
    """A part of the game: `width` columns of `per` steps each, from the game's column `first` on.

    Columns begin at fixed steps in every window, so that nothing flickers as the game goes on.
    """

    first: int
    per: int
    width: int

    def column(self, step: int) -> int:
        """Returns the column of a step in the window; outside it is below 0, or `width` and more."""
        return max(0, step - 1) // self.per - self.first

    def step(self, column: int, newest: int) -> int:
        """Returns the last step of a column, in the window or outside it; 0 before the first."""
        return max(0, min(newest, (self.first + column + 1) * self.per))

    def edges(self, newest: int) -> NDArray[np.intp]:
        """Returns the edges of the columns that hold steps: n + 1 rising step numbers for n columns."""
        starts = np.arange(self.first, self.first + self.width + 1, dtype=np.intp) * self.per
        end = max(starts[0], min(newest, starts[-1]))
        return np.append(starts[starts < end], end)


@dataclass(slots=True)
class TimelineZoom:
    """The zoom and position of a timeline.

    Attributes:
        per: steps in a column; None for the fewest that show the whole game.
        first: the first visible column of the game.
    """

    per: int | None = None
    first: int = 0

    def window(self, step: int, newest: int, width: int) -> TimelineWindow:
        """Returns the window on a game of `newest` steps; it moves as little as is needed to keep `step` visible."""
        if self.per is None:
            self.first = 0
            return TimelineWindow(0, _whole(newest, width), width)
        column = max(0, step - 1) // self.per
        self.first = min(max(self.first, column - width + 1), column, max(0, (newest - 1) // self.per - width + 1))
        self.first = max(self.first, 0)
        return TimelineWindow(self.first, self.per, width)

    def zoom(self, inward: bool, step: int, newest: int, width: int) -> None:
        """Zooms in or out with `step` in the middle; zooming out ends at the whole game."""
        whole = _whole(newest, width)
        now = self.per or whole
        if inward:
            per = max(takewhile(lambda size: size < now, _column_sizes()), default=1)
        else:
            per = next(size for size in _column_sizes() if size > now)
        self.per = per if per < whole else None
        self.first = max(0, max(0, step - 1) // per - width // 2)


def _column_sizes() -> Iterator[int]:
    """Yields the steps in a column at each zoom level, without end: 1, 2, 3, 4, 6, 8, 12, …"""
    yield 1
    low, high = 2, 3
    while True:
        yield low
        low, high = high, 2 * low


def _whole(newest: int, width: int) -> int:
    """Returns the fewest steps in a column at which the whole game fits."""
    return next(size for size in _column_sizes() if size * max(1, width) >= newest)
