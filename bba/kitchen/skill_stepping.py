"""Playing many games from one choice to the next: the steps in which nobody has to choose are played in one call."""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import compiled, kernel
from bba.kitchen.batch import SKILL_TIMEOUT, KitchenBatch
from bba.kitchen.constants import NO_SKILL
from bba.kitchen.controller import SKILL, SkillRuns, check_completion, next_actions, start_skill
from bba.kitchen.features import N_FEATURES, feature
from bba.kitchen.grid import Grid
from bba.kitchen.rules import step
from bba.kitchen.state import COMPLETED, EVENT, FACING, HELD, POSITION, REWARD, STEP, StateVector

NO_CHOICE = -1


class SpanTotals:
    """What happened in each of N games since it was last cleared.

    Attributes:
        rewards: the team's reward, shape (N,), int64.
        features: how often each player did each of the nine features, shape (N, 2, 9), int64.
        steps: steps played, shape (N,), int64.
    """

    def __init__(self, n: int) -> None:
        self.rewards = np.zeros(n, np.int64)
        self.features = np.zeros((n, 2, N_FEATURES), np.int64)
        self.steps = np.zeros(n, np.int64)

    def clear(self) -> None:
        """Begin a new span in every game."""
        for array in (self.rewards, self.features, self.steps):
            array[:] = 0


class SkillStepper:
    """Plays the games of a batch until somebody has to choose.

    Args:
        batch: the games; changed in place.
        timeout: steps after which a skill ends unfinished.
    """

    def __init__(self, batch: KitchenBatch, timeout: int = SKILL_TIMEOUT) -> None:
        self._batch, self._timeout = batch, timeout
        self._advance = compiled(advance_all)
        self._actions = np.zeros(2, np.int32)

    def __call__(self, chosen: NDArray[np.int32], until: NDArray[np.int32], span: SpanTotals) -> None:
        """Start the skills in `chosen`, shape (N, 2) with UNCHOSEN for none, then play on.

        Each game is played until a player has to choose or `until` (N,) steps of it are played. Nothing is played
        where somebody has to choose already. An infeasible skill is not started. What happens is added to `span`.
        """
        batch = self._batch
        self._advance(
            batch.grid, batch.states, batch.runs, chosen, until, self._timeout, self._actions,
            span.rewards, span.features, span.steps,
        )  # fmt: skip


@kernel
def advance_all(
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
    """Every game, from one choice to the next."""
    for i in range(len(states)):
        for p in range(2):
            if chosen[i, p] >= 0 and runs[i, p, SKILL] == NO_SKILL:
                start_skill(grid, states[i], runs[i], p, chosen[i, p])
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
    """One step of a game in which both players run a skill; `features` (2, 9) counts what they did."""
    at0, at1 = grid.neighbour[state[POSITION], state[FACING]], grid.neighbour[state[POSITION + 1], state[FACING + 1]]
    held0, held1 = state[HELD], state[HELD + 1]
    next_actions(grid, state, runs, actions)
    step(grid, state, actions[0], actions[1])
    count_feature(grid, state, 0, at0, held0, features)
    count_feature(grid, state, 1, at1, held1, features)
    check_completion(grid, state, runs, 0, timeout)
    check_completion(grid, state, runs, 1, timeout)


@kernel
def count_feature(grid: Grid, state: StateVector, p: int, at: int, held: int, features: NDArray[np.int64]) -> None:
    """Add what player p did at tile `at`, having held `held`, to the counts (2, 9)."""
    if state[COMPLETED + p] == 1:
        did = feature(grid.tile[at], held, state[EVENT + p])
        if did >= 0:
            features[p, did] += 1
