"""Which steps a timeline of so many columns shows: zoom and pan as plain arithmetic."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class TimelineWindow(NamedTuple):
    """A stretch of the game: `width` columns of `per` steps, the first one the game's column `first`.

    Columns begin at fixed steps, whatever is shown, so that nothing shimmers as the game goes on.
    """

    first: int
    per: int
    width: int

    def column(self, step: int) -> int:
        """The column in which a step lies, seen from the window's first; those outside are below 0 or `width` up."""
        return max(0, step - 1) // self.per - self.first

    def step(self, column: int, newest: int) -> int:
        """The last step of a column, in the window or beside it; 0 before the first."""
        return max(0, min(newest, (self.first + column + 1) * self.per))

    def edges(self, newest: int) -> NDArray[np.intp]:
        """The steps between which the columns lie that hold any: n + 1 rising numbers for n columns."""
        starts = np.arange(self.first, self.first + self.width + 1, dtype=np.intp) * self.per
        end = max(starts[0], min(newest, starts[-1]))
        return np.append(starts[starts < end], end)


@dataclass(slots=True)
class TimelineZoom:
    """How one looks at a game.

    Attributes:
        per: steps a column; None for as few as show the whole game.
        first: the first column shown, as the game counts them.
    """

    per: int | None = None
    first: int = 0

    def window(self, step: int, newest: int, width: int) -> TimelineWindow:
        """What is shown of a game of `newest` steps; the view moves as little as keeps `step` in it."""
        if self.per is None:
            self.first = 0
            return TimelineWindow(0, _whole(newest, width), width)
        column = max(0, step - 1) // self.per
        self.first = min(max(self.first, column - width + 1), column, max(0, (newest - 1) // self.per - width + 1))
        self.first = max(self.first, 0)
        return TimelineWindow(self.first, self.per, width)

    def zoom(self, inward: bool, step: int, newest: int, width: int) -> None:
        """Show fewer steps a column with `step` in the middle, or more; in the end the whole game again."""
        whole = _whole(newest, width)
        now = self.per or whole
        if inward:
            per = max(takewhile(lambda rung: rung < now, _rungs()), default=1)
        else:
            per = next(rung for rung in _rungs() if rung > now)
        self.per = per if per < whole else None
        self.first = max(0, max(0, step - 1) // per - width // 2)


def _rungs() -> Iterator[int]:
    """The steps a column that there are, without end: each is twice the one two before, so that little room is lost."""
    yield 1
    low, high = 2, 3
    while True:
        yield low
        low, high = high, 2 * low


def _whole(newest: int, width: int) -> int:
    """The fewest steps a column at which the whole game fits."""
    return next(rung for rung in _rungs() if rung * max(1, width) >= newest)
