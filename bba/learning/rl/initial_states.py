"""Where training games start: at random places of a fresh kitchen, or in the middle of a game that was played."""

import numpy as np

from bba.kitchen import constants, state
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.grid import UNREACHABLE
from bba.kitchen.layout import Layout
from bba.kitchen.state import KEY, POSITION, StateVector
from bba.play.game import MOBILITY


class InitialStates:
    """Draws start states.

    Args:
        layout: the kitchen.
        mobility: chance, 0 to 1, that a direction action is carried out, for both players.
        played: rows of games under way, shape (M, …); None if there are none yet.
        share: the share of games, 0 to 1, that start from `played`.
    """

    def __init__(
        self, layout: Layout, mobility: float = MOBILITY, played: StateVector | None = None, share: float = 0.5
    ) -> None:
        fresh = KitchenBatch(layout, 1, mobility=(mobility, mobility))
        self._fresh, self._mobility = (
            fresh.states[0].copy(),
            fresh.states[0, state.MOBILITY : state.MOBILITY + 2].copy(),
        )
        floor = fresh.grid.kind == constants.FLOOR
        walk = fresh.grid.distance
        self._places = [np.flatnonzero(floor & (walk[self._fresh[POSITION + p]] < UNREACHABLE)) for p in range(2)]
        self._played, self._share = played, 0.0 if played is None else share

    def draw(self, rng: np.random.Generator) -> StateVector:
        """One start state, with a key of its own for all that is random in the game."""
        if self._played is not None and rng.random() < self._share:
            row: StateVector = self._played[rng.integers(len(self._played))].copy()
            row[state.MOBILITY : state.MOBILITY + 2] = self._mobility
        else:
            row = self._fresh.copy()
            first = rng.choice(self._places[0])
            row[POSITION], row[POSITION + 1] = first, rng.choice(self._places[1][self._places[1] != first])
        row[KEY] = rng.integers(2**31)
        return row
