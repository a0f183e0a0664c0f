"""The two networks of the rollout planner on one layout, and the behaviour network as a model of how cooks choose."""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import maybe_compiled
from bba.kitchen import constants
from bba.kitchen.grid import grid_of
from bba.kitchen.state import StateVector
from bba.planner.rollout.futures import choice_probabilities, new_buffers
from bba.planner.rollout.network import Network, PlanningNetworks

NOTHING_KNOWN = np.empty(0)


class BehaviourNetwork:
    """What a cook would choose if it chose a skill now, by the behaviour network.

    Args:
        networks: of the layout.
        fast: whether to compute with compiled kernels; the numbers are the same.
    """

    def __init__(self, networks: PlanningNetworks, *, fast: bool) -> None:
        self._grid, self._width = grid_of(networks.layout), networks.layout.width
        self._network = Network.of(networks.behaviour)
        self._fast = fast
        self._buffers = new_buffers(self._grid, self._network, self._network)

    def probabilities(
        self, state: StateVector, player: int, partner: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Returns the probability of each skill, (27,); 0 for infeasible ones.

        Args:
            state: the present state.
            player: who chooses.
            partner: the probabilities, (27,), of what the other cook runs; None if nothing is known of it.
        """
        known, found = NOTHING_KNOWN if partner is None else partner, np.zeros(constants.N_SKILLS)
        choose = maybe_compiled(choice_probabilities, fast=self._fast)
        choose(self._grid, state, player, known, self._network, self._width, self._buffers, found)
        return found
