"""Many games as one environment to learn in, from decision to decision.

Each game is one column. In each column a step is one decision of a learner: the skill that it is to run. The game then
goes on, its companion choosing for itself, until a learner has to choose again. What the team was paid meanwhile, and
the weights of what the learners did, is the decision's reward. Where one policy sits in both seats it decides for
whichever is free, for the first seat before the second, so that the column is one decision process with one reward.
No sample is spent on a step without a choice.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from bba.kitchen import constants
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.controller import new_skill_runs
from bba.kitchen.layout import Layout
from bba.kitchen.observation import REACH, Float32Array, observation_size
from bba.kitchen.skill_stepping import NO_CHOICE, SkillStepper, SpanTotals
from bba.kitchen.state import STEP
from bba.learning.rl.fixed_partners import BatchPartner, Masks
from bba.learning.rl.initial_states import InitialStates

BOTH = np.array([[True, True]])  # one policy in both seats
EITHER = np.array(
    [[True, False], [False, True]]
)  # the learner in the first seat in one game, in the second in the next
REWARD_SCALE = 0.05  # a delivery is then worth about 5, which suits a value network


class KitchenVecEnv(VecEnv):  # type: ignore[misc]  # no types
    """N games on one layout as N columns.

    Args:
        layout: the kitchen.
        learners: which seats the learner has in each game, booleans (N, 2), at least one in each.
        companion: who has the other seats; None where there are none.
        weights: worth of each of the nine features in points, shape (9,).
        starts: where games start.
        length: steps of a game.
        seed: of everything drawn.

    Attributes:
        durations: steps that each column's last decision took, shape (N,).
        steps_played: steps played in all games together.
        earned: the team's reward so far, over all games and restarts, shape (N,).
        counts: how often each player did each feature, over all games and restarts, shape (N, 2, 9).
    """

    def __init__(
        self,
        layout: Layout,
        learners: NDArray[np.bool_],
        companion: BatchPartner | None,
        weights: NDArray[np.floating],
        starts: InitialStates,
        length: int,
        seed: int,
    ) -> None:
        n = len(learners)
        self.batch = KitchenBatch(layout, n)
        self.learners, self.companion, self.weights = learners, companion, np.asarray(weights, np.float64)
        self.starts, self.length, self.rng = starts, length, np.random.default_rng(seed)
        self.until = np.zeros(n, np.int32)
        self.decider = np.zeros(n, np.int64)
        self.durations = np.zeros(n, np.int64)
        self.steps_played = 0
        self.earned = np.zeros(n, np.int64)
        self.counts = np.zeros((n, 2, len(weights)), np.int64)
        self._span = SpanTotals(n)
        self._advance = SkillStepper(self.batch)
        self._every = np.arange(n)
        self._masks: Masks = np.zeros((n, constants.N_SKILLS), np.bool_)
        self._actions: NDArray[np.integer] = np.zeros(n, np.int64)
        hints = companion.hints if companion else 0
        size = observation_size(self.batch.grid) + hints
        self.render_mode = None
        super().__init__(n, Box(0.0, 1.0, (size,), np.float32), Discrete(constants.N_SKILLS))

    def reset(self) -> Float32Array:
        """Begin every game afresh."""
        self.begin(self._every)
        self._settle(np.full((self.num_envs, 2), NO_CHOICE, np.int32))
        self._span.clear()
        return self.look()

    def begin(self, games: NDArray[np.int64]) -> None:
        """Begin these games afresh."""
        for i in games.tolist():
            self.batch.states[i] = self.starts.draw(self.rng)
            self.batch.runs[i] = new_skill_runs()
        self.until[games] = self.batch.states[games, STEP] + self.length
        if self.companion:
            self.companion.begin(games, self.rng)

    def step_async(self, actions: NDArray[np.integer]) -> None:
        """Take the deciders' skills, (N,)."""
        self._actions = actions

    def step_wait(self) -> tuple[Float32Array, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play on to the next decision in every game."""
        self._span.clear()
        chosen = np.full((self.num_envs, 2), NO_CHOICE, np.int32)
        chosen[self._every, self.decider] = self._actions
        self._settle(chosen)
        rewards = self._book()
        over = self.batch.states[:, STEP] >= self.until
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            ended = np.flatnonzero(over)
            last = self.look()
            for i in ended.tolist():
                infos[i] = {"terminal_observation": last[i], "TimeLimit.truncated": True}
            self.begin(ended)
            self._settle(np.full((self.num_envs, 2), NO_CHOICE, np.int32))
        return self.look(), rewards, over, infos

    def look(self) -> Float32Array:
        """What each game's decider sees, (N, size), and from now on its mask."""
        seen = self.batch.observe()[self._every, self.decider]
        self._masks = mask_of(seen)
        if self.companion is None or self.companion.hints == 0:
            return seen
        return np.concatenate([seen, self.companion.hint(self._every)], axis=1)

    def action_masks(self) -> Masks:
        """Which skills each game's decider can start, (N, 27)."""
        return self._masks

    def _settle(self, chosen: NDArray[np.int32]) -> None:
        """Start what was chosen and play on until, in every game, a learner has to choose or the game is over."""
        while True:
            self._advance(chosen, self.until, self._span)
            waiting = self.batch.waiting
            asked = waiting & ~self.learners & (self.batch.states[:, STEP] < self.until)[:, None]
            games, seats = np.nonzero(asked)
            if self.companion is None or len(games) == 0:
                break
            seen = self.batch.observe(games)[np.arange(len(games)), seats]
            chosen = np.full((self.num_envs, 2), NO_CHOICE, np.int32)
            chosen[games, seats] = self.companion.choose(games, seen, mask_of(seen), self.rng)
        free = waiting & self.learners
        self.decider = np.where(free.any(axis=1), free.argmax(axis=1), self.learners.argmax(axis=1))

    def _book(self) -> NDArray[np.float32]:
        """Book the span since the last decisions; returns the learners' rewards, (N,)."""
        span = self._span
        self.durations = span.steps.copy()
        self.steps_played += int(span.steps.sum())
        self.earned += span.rewards
        self.counts += span.features
        theirs = (span.features * self.learners[:, :, None]).sum(axis=1) @ self.weights
        rewards: NDArray[np.float32] = ((span.rewards + theirs) * REWARD_SCALE).astype(np.float32)
        return rewards

    # --- what stable-baselines3 asks of a vectorised environment ---------------------------------------------------

    def close(self) -> None:
        """Nothing to close."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether the columns have this attribute."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same attribute for every column."""
        return [getattr(self, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Columns are not set one by one.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(attr_name)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Of each column, its row of what the method returns for all."""
        result = getattr(self, method_name)(*args, **kwargs)
        return [result[i] for i in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:  # noqa: ARG002
        """Nothing is wrapped."""
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: Any) -> Sequence[int]:
        return range(self.num_envs) if indices is None else np.atleast_1d(indices).tolist()


def in_turn(learners: NDArray[np.bool_], games: int) -> NDArray[np.bool_]:
    """So many games (games, 2) whose learners' seats are as given (M, 2), over and over."""
    return learners[np.arange(games) % len(learners)]


def mask_of(seen: Float32Array) -> Masks:
    """Which skills are feasible, (M, 27), as observations (M, size) say: those whose target can be reached."""
    return seen[:, REACH : REACH + constants.N_SKILLS] > 0
