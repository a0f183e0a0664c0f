"""The observations of learned policies, and the feasible skills that they contain."""

import numpy as np

from bba.agents.learned.policy import Mask
from bba.kernels import maybe_compiled
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout
from bba.kitchen.observation import REACH, Float32Array, encode_observation, observation_size
from bba.kitchen.state import StateVector


class ObservationEncoder:
    """Encodes both players' observations on one layout from the public state.

    Args:
        layout: the kitchen.
        fast: whether to compute with compiled kernels.
    """

    def __init__(self, layout: Layout, *, fast: bool) -> None:
        self._grid, self._width = grid_of(layout), layout.width
        self._observe = maybe_compiled(encode_observation, fast=fast)
        self._scratch = np.empty((2, N_SKILLS), np.int32)

    def of(self, state: StateVector) -> Float32Array:
        """Returns the observations of players 0 and 1, (2, size)."""
        encoded = np.empty((2, observation_size(self._grid)), np.float32)
        self._observe(self._grid, state, self._width, self._scratch, encoded)
        return encoded


def feasible_mask(encoded: Float32Array) -> Mask:
    """Returns the feasible skills, (27,), of the player with this observation.

    An observation contains the proximity of each skill, 0 for an infeasible one.
    """
    mask: Mask = encoded[REACH : REACH + N_SKILLS] > 0
    return mask
