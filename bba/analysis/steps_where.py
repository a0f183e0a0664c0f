"""The steps of a game in which something holds, without reading the whole game again at every step."""

from bisect import bisect_right
from collections.abc import Callable

from bba.play import Trace

GAMES = 4  # games that are remembered: those of one screen


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
            self._games = [game, *self._games[: GAMES - 1]]
        return game


class _Game:
    """How far a game was read, and the steps that were found."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.read, self.found = trace, 0, list[int]()
