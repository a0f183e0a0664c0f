"""Initial states of training games: random positions in a fresh kitchen, or a state from the middle of a game."""

import numpy as np

from bba.config import EPISODE_DEFAULTS
from bba.kitchen import constants, state
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.grid import UNREACHABLE
from bba.kitchen.layout import Layout
from bba.kitchen.state import KEY, POSITION, StateVector


class InitialStates:
    """Samples initial states.

    Args:
        layout: the kitchen.
        mobility: probability, 0 to 1, that a movement is carried out, for both players.
        recorded: states of games in progress, shape (R, …); None for none.
        recorded_share: share of games, 0 to 1, that start from one of the recorded states.
    """

    def __init__(
        self,
        layout: Layout,
        mobility: float = EPISODE_DEFAULTS.mobility,
        recorded: StateVector | None = None,
        recorded_share: float = 0.5,
    ) -> None:
        batch = KitchenBatch(layout, 1, mobility=(mobility, mobility))
        self._fresh = batch.states[0].copy()
        self._mobility = batch.states[0, state.MOBILITY : state.MOBILITY + 2].copy()
        floor, distance = batch.grid.kind == constants.FLOOR, batch.grid.distance
        self._positions = [np.flatnonzero(floor & (distance[self._fresh[POSITION + p]] < UNREACHABLE)) for p in (0, 1)]
        self._recorded, self._recorded_share = recorded, 0.0 if recorded is None else recorded_share

    def sample(self, rng: np.random.Generator) -> StateVector:
        """Returns one initial state, with a random key of its own for everything random in the game."""
        if self._recorded is not None and rng.random() < self._recorded_share:
            sampled: StateVector = self._recorded[rng.integers(len(self._recorded))].copy()
            sampled[state.MOBILITY : state.MOBILITY + 2] = self._mobility
        else:
            sampled = self._fresh.copy()
            first = rng.choice(self._positions[0])
            second = rng.choice(self._positions[1][self._positions[1] != first])
            sampled[POSITION], sampled[POSITION + 1] = first, second
        sampled[KEY] = rng.integers(2**31)
        return sampled
