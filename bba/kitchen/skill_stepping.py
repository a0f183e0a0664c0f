"""Semi-MDP stepping: advances each game of a batch, in one compiled call, until a player must choose a skill."""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import compiled, kernel
from bba.kitchen.batch import SKILL_TIMEOUT, KitchenBatch
from bba.kitchen.constants import NO_SKILL
from bba.kitchen.controller import SKILL, SkillRuns, check_completion, next_actions, start_skill
from bba.kitchen.features import N_FEATURES, event_feature
from bba.kitchen.grid import Grid
from bba.kitchen.rules import step
from bba.kitchen.state import COMPLETED, EVENT, FACING, HELD, POSITION, REWARD, STEP, StateVector

NO_CHOICE = -1  # the player does not choose a skill now


class SpanTotals:
    """Totals of each of N games since the last `clear`.

    Attributes:
        rewards: sum of the team's reward, shape (N,), int64.
        features: count of each of the nine features for each player, shape (N, 2, 9), int64.
        steps: steps played, shape (N,), int64.
    """

    def __init__(self, n: int) -> None:
        self.rewards = np.zeros(n, np.int64)
        self.features = np.zeros((n, 2, N_FEATURES), np.int64)
        self.steps = np.zeros(n, np.int64)

    def clear(self) -> None:
        """Sets all totals to 0."""
        for array in (self.rewards, self.features, self.steps):
            array[:] = 0


class SkillStepper:
    """Advances the games of a batch until a player must choose a skill.

    Args:
        batch: the games; changed in place.
        timeout: steps after which a skill ends unfinished.
    """

    def __init__(self, batch: KitchenBatch, timeout: int = SKILL_TIMEOUT) -> None:
        self._batch, self._timeout = batch, timeout
        self._advance = compiled(advance_until_choice)
        self._actions = np.zeros(2, np.int32)

    def __call__(self, chosen: NDArray[np.int32], until: NDArray[np.int32], span: SpanTotals) -> None:
        """Starts the skills in `chosen`, shape (N, 2) with NO_CHOICE for none, then advances every game.

        A game stops when a player must choose or when it has reached step `until`, shape (N,). It does not advance at
        all if a player must choose already. An infeasible skill is not started. Totals are added to `span`.
        """
        batch = self._batch
        self._advance(
            batch.grid, batch.states, batch.runs, chosen, until, self._timeout, self._actions,
            span.rewards, span.features, span.steps,
        )  # fmt: skip


@kernel
def advance_until_choice(
    grid: Grid,
    states: StateVector,
    runs: SkillRuns,
    chosen: NDArray[np.int32],
    until: NDArray[np.int32],
    timeout: int,
    actions: NDArray[np.int32],
    rewards: NDArray[np.int64],
    features: NDArray[np.int64],
    steps: NDArray[np.int64],
) -> None:
    """Starts the chosen skills and advances every game to its next choice."""
    for i in range(len(states)):
        for player in range(2):
            if chosen[i, player] >= 0 and runs[i, player, SKILL] == NO_SKILL:
                start_skill(grid, states[i], runs[i], player, chosen[i, player])
        while runs[i, 0, SKILL] != NO_SKILL and runs[i, 1, SKILL] != NO_SKILL and states[i, STEP] < until[i]:
            step_with_skills(grid, states[i], runs[i], timeout, actions, features[i])
            rewards[i] += states[i, REWARD]
            steps[i] += 1


@kernel
def step_with_skills(
    grid: Grid,
    state: StateVector,
    runs: SkillRuns,
    timeout: int,
    actions: NDArray[np.int32],
    features: NDArray[np.int64],
) -> None:
    """Plays one step of a game in which both players run a skill; adds their features to the counts (2, 9)."""
    faced0 = grid.neighbour[state[POSITION], state[FACING]]
    faced1 = grid.neighbour[state[POSITION + 1], state[FACING + 1]]
    held0, held1 = state[HELD], state[HELD + 1]
    next_actions(grid, state, runs, actions)
    step(grid, state, actions[0], actions[1])
    count_feature(grid, state, 0, faced0, held0, features)
    count_feature(grid, state, 1, faced1, held1, features)
    check_completion(grid, state, runs, 0, timeout)
    check_completion(grid, state, runs, 1, timeout)


@kernel
def count_feature(
    grid: Grid, state: StateVector, player: int, tile: int, held: int, features: NDArray[np.int64]
) -> None:
    """Adds the feature of what a player did at a tile, holding `held` before, to the counts (2, 9)."""
    if state[COMPLETED + player] == 1:
        feature = event_feature(grid.kind[tile], held, state[EVENT + player])
        if feature >= 0:
            features[player, feature] += 1
