"""The two networks of the rollout planner on one layout, and the behaviour network as a model of how cooks choose."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bba.kernels import maybe_compiled
from bba.kitchen import constants
from bba.kitchen.controller import new_skill_runs
from bba.kitchen.grid import Grid, grid_of
from bba.kitchen.layout import Layout
from bba.kitchen.observation import observation_size
from bba.kitchen.state import HEADER, StateVector
from bba.planner.rollout.futures import Buffers, choice_probabilities
from bba.planner.rollout.network import Layers, Network, NetworkBuffers

NOTHING_KNOWN = np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class PlanningNetworks:
    """The networks on one layout.

    Attributes:
        layout: the kitchen.
        behaviour: from a cook's observation, followed by the other cook's skill (one-hot, 27; all 0 if it is not
            known), to one logit per skill.
        value: from player 0's observation to the discounted reward that is still to come, in units of `value_scale`.
        discount: per step, with which the value was learned.
        value_scale: points.
    """

    layout: Layout
    behaviour: Layers
    value: Layers
    discount: float
    value_scale: float


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


def new_buffers(grid: Grid, behaviour: Network, value: Network) -> Buffers:
    """Returns the arrays that futures on this grid are computed in."""
    return Buffers(
        state=np.zeros(HEADER + 2 * len(grid.kind), np.int32),
        runs=new_skill_runs(),
        actions=np.zeros(2, np.int32),
        reach=np.zeros((2, constants.N_SKILLS), np.int32),
        observations=np.zeros((2, observation_size(grid)), np.float32),
        parts=np.zeros(constants.N_SKILLS, np.int64),
        feasible=np.zeros(constants.N_SKILLS, np.bool_),
        behaviour=NetworkBuffers.of(behaviour),
        value=NetworkBuffers.of(value),
    )
