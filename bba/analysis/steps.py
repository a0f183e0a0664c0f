"""The steps of a game in which something holds, without reading the whole game again at every step.

Which steps of a game are exported.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple, Self

from bba.errors import BBAError
from bba.play.trace import Trace

KEPT_GAMES = 4  # games that are remembered: those of one screen


class StepsWhere:
    """Reads every tick of a game once; of the last few games that it is asked about.

    Args:
        holds: whether it holds in a step of a trace, 1 for the first.
    """

    def __init__(self, holds: Callable[[Trace, int], bool]) -> None:
        self._holds = holds
        self._games: list[_Game] = []

    def last(self, trace: Trace, step: int) -> int:
        """Returns the last step up to this one in which it holds; 0 if there is none."""
        count = self.count(trace, step)
        return self._game(trace).found[count - 1] if count else 0

    def count(self, trace: Trace, step: int) -> int:
        """Returns in how many steps up to this one it holds."""
        game = self._game(trace)
        while game.read < step:
            game.read += 1
            if self._holds(trace, game.read):
                game.found.append(game.read)
        return bisect_right(game.found, step)

    def _game(self, trace: Trace) -> "_Game":
        game = next((game for game in self._games if game.trace is trace), None)
        if game is None:
            game = _Game(trace)
            self._games = [game, *self._games[: KEPT_GAMES - 1]]
        return game


class _Game:
    """How far a game was read, and the steps that were found."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.read, self.found = trace, 0, list[int]()


class StepRange(NamedTuple):
    """A range of steps: `first` to `last` (None: the newest), both included, every `every`-th of them."""

    first: int = 1
    last: int | None = None
    every: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses ``100:300``, ``100:300:2``, ``:300``, ``::2`` or, for one step, ``300``.

        Raises:
            BBAError: another form, a step below 1, or an end before the beginning.
        """
        found = re.fullmatch(r"([0-9]{0,7})(?:(:)([0-9]{0,7})(?::([0-9]{0,7}))?)?", text.strip())
        if found is None or not text.strip():
            raise BBAError(f"{text[:60]!r} is not FIRST:LAST or FIRST:LAST:EVERY, such as 100:300 or 1:2400:2")
        first = int(found[1] or 1)
        last = int(found[3]) if found[3] else None if found[2] else first
        steps = cls(first, last, int(found[4] or 1))
        if steps.first < 1 or steps.every < 1 or (steps.last is not None and steps.last < steps.first):
            raise BBAError(f"{text!r} must count from 1, forward")
        return steps

    def of(self, played: int) -> range:
        """Returns these steps of a game with `played` steps; those beyond its end are left out.

        Raises:
            BBAError: none of them has been played.
        """
        steps = range(self.first, min(played, self.last or played) + 1, self.every)
        if not steps:
            raise BBAError(f"there is no step {self.first} to export; the game has {played}")
        return steps
