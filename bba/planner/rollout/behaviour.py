"""The behaviour network as a model of how cooks choose, and the likeliest future by it, for the screen to show."""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import is_loaded, maybe_compiled
from bba.kitchen import constants
from bba.kitchen.constants import N_SKILLS, NO_SKILL
from bba.kitchen.controller import AGE, PRIORITY, SKILL, new_skill_runs, start_skill
from bba.kitchen.grid import grid_of
from bba.kitchen.state import KEY, POSITION, StateVector
from bba.planner.rollout.futures import begin, choice_probabilities, new_buffers, take_step
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


LUCK = 0  # the random key of every likeliest future, which must not be the game's own


def likeliest_path(
    networks: PlanningNetworks,
    state: StateVector,
    player: int,
    running: tuple[int, int],
    partner: int,
    *,
    steps: int,
    timeout: int,
) -> list[int]:
    """Returns the tile on which a cook is now and after each step of the likeliest future.

    Both cooks go on with their skills; whenever one has ended, they run the one that the behaviour network finds
    likeliest. It computes with plain kernels, but for the network if its compiled kernel is loaded.

    Args:
        networks: of the layout.
        state: the present state.
        player: the cook's seat.
        running: the skill that it runs, and for how many steps it has; NO_SKILL for none.
        partner: the skill that its partner is assumed to run; NO_SKILL lets the network choose.
        steps: of the future.
        timeout: steps after which a skill ends unfinished.
    """
    grid, behaviour = grid_of(networks.layout), BehaviourNetwork(networks, fast=is_loaded(choice_probabilities))
    buffers = new_buffers(grid, Network.of(networks.behaviour), Network.of(networks.value))
    run, (skill, age) = new_skill_runs()[player], running
    run[SKILL], run[AGE], run[PRIORITY] = skill, age, age
    if skill == NO_SKILL:
        skill = _likeliest(behaviour, state, player, partner)
    buffers.state[:], buffers.state[KEY] = state, LUCK
    begin(grid, buffers, run, player, skill, partner)
    path = [int(state[POSITION + player])]
    for _ in range(steps):
        for cook in range(2):
            if buffers.runs[cook, SKILL] == NO_SKILL:
                chosen = _likeliest(behaviour, buffers.state, cook, int(buffers.runs[1 - cook, SKILL]))
                start_skill(grid, buffers.state, buffers.runs, cook, chosen)
        take_step(grid, buffers.state, buffers.runs, timeout, buffers.actions)
        path.append(int(buffers.state[POSITION + player]))
    return path


def _likeliest(behaviour: BehaviourNetwork, state: StateVector, cook: int, other: int) -> int:
    """Returns the skill that the network finds likeliest for a cook, given what the other one runs."""
    known = None if other == NO_SKILL else np.eye(N_SKILLS)[other]
    return int(behaviour.probabilities(state, cook, known).argmax())
