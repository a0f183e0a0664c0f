"""What learned policies see at a step, and what both players could do then."""

import numpy as np

from bba.agents.learned.policy import Mask
from bba.kernels import maybe_compiled
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout
from bba.kitchen.observation import REACH, Float32Array, encode_observation, observation_size
from bba.kitchen.state import StateVector


class ObservationEncoder:
    """Both players' observations on one layout, computed from the public state.

    Args:
        layout: the kitchen.
        fast: whether to compute with compiled kernels.
    """

    def __init__(self, layout: Layout, *, fast: bool) -> None:
        self._grid, self._width = grid_of(layout), layout.width
        self._observe = maybe_compiled(encode_observation, fast=fast)
        self._scratch = np.empty((2, N_SKILLS), np.int32)

    def of(self, state: StateVector) -> Float32Array:
        """The observations of player 0 and player 1, (2, size)."""
        seen = np.empty((2, observation_size(self._grid)), np.float32)
        self._observe(self._grid, state, self._width, self._scratch, seen)
        return seen


def feasible_mask(seen: Float32Array) -> Mask:
    """The mask of whoever sees this, (27,): an observation tells how far each skill is, 0 where it is infeasible."""
    mask: Mask = seen[REACH : REACH + N_SKILLS] > 0
    return mask
