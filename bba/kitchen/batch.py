"""Vectorised kitchen: one compiled call steps N games, or plays each until a player must choose a skill.

For training, sweeps and benchmarks. Time between two choices of a player is what a semi-Markov decision process is of.
"""

import math
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from bba.config import SKILL_TIMEOUT
from bba.errors import seed_number, seeds_from, whole_number
from bba.kernels import compiled, kernel, optimised
from bba.kitchen.constants import (
    COMPLETED,
    EVENT,
    FACING,
    HELD,
    INTERRUPTED,
    INVALID,
    N_ACTIONS,
    N_SKILLS,
    NO_SKILL,
    POSITION,
    REWARD,
    STEP,
    BoolArray,
    Int32Array,
    Int64Array,
    StateVector,
)
from bba.kitchen.controller import ENDED, SKILL, TARGET, SkillRuns, game_step, new_skill_runs, start_skill
from bba.kitchen.kitchen import Kitchen, initial_state
from bba.kitchen.layout import Grid, Layout
from bba.kitchen.observation import N_FEATURES, event_feature, observation_size
from bba.kitchen.observation_writer import (
    DTYPES,
    Workspace,
    shares_of,
    write_all_bytes,
    write_all_halves,
    write_all_observations,
)
from bba.kitchen.skills import mark_feasible
from bba.kitchen.transition import step

NO_CHOICE = -1  # the player does not choose a skill now
NO_MASKS = np.zeros((0, 2, N_SKILLS), np.bool_)  # where nobody asks for them
# Games that a thread needs to pay: those that take it a third of a millisecond. To wake it takes up to a tenth of one.
FOR_STEPS = 16_384
FOR_MASKS = 1024
FOR_SKILLS = 2048
FOR_OBSERVATIONS = 2048
CACHE_LINE = 64  # bytes
SLICES = 4  # for each thread, so that the others take more where the system lets one wait


class SpanTotals(NamedTuple):
    """Totals of each of N games over some steps.

    Attributes:
        rewards: sum of the team's reward, (N,).
        features: count of each of the nine features for each player, (N, 2, 9).
        steps: steps played, (N,).
    """

    rewards: Int64Array
    features: Int64Array
    steps: Int64Array

    @classmethod
    def zeros(cls, n: int) -> Self:
        """Returns the totals of no step."""
        return cls(np.zeros(n, np.int64), np.zeros((n, 2, N_FEATURES), np.int64), np.zeros(n, np.int64))


class KitchenBatch:
    """N games on one layout. Game i is the same game as `Kitchen(layout, seed + i, mobility=mobility)`.

    Args:
        layout: a shipped layout's name, the path of a layout file, or a `Layout`.
        n: number of games, 1 or more.
        seed: of game 0; game i has `seed + i`.
        mobility: probability that a direction action is carried out, as in `Kitchen`. None: 1, for skills too.
        threads: among how many threads a call divides the games, 1 or more; it changes nothing but the time. A call
            that is over sooner than a thread wakes up takes fewer of them: it pays with thousands of games.

    Attributes:
        states: the state vectors, shape (N, …), int32, indexed by the names in `bba.kitchen.constants`.
        runs: the controller states, shape (N, 2, …), int32, indexed by the names in `bba.kitchen.controller`.
    """

    def __init__(
        self,
        layout: str | Path | Layout,
        n: int,
        seed: int = 0,
        mobility: float | tuple[float, float] | None = None,
        threads: int = 1,
    ) -> None:
        n = whole_number("n", n)
        threads = whole_number("threads", threads)
        self._first = Kitchen(layout, seed, mobility=mobility)
        self.layout = self._first.layout
        self.grid = self._first.grid
        self.states: StateVector = np.empty((n, len(self._first.state)), np.int32)
        self.runs: SkillRuns = np.empty((n, *new_skill_runs().shape), np.int32)
        self._actions = np.zeros((n, 2), np.int32)
        self._all_games = np.arange(n)
        self._size = observation_size(self.grid)
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._threads = threads
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"KitchenBatch({self.layout.name}: {len(self)} games)"

    @property
    def steps(self) -> int:
        """Steps played in the longest game."""
        return int(self.states[:, STEP].max())

    @property
    def rewards(self) -> Int32Array:
        """The team's reward of the last step in each game, shape (N,)."""
        return self.states[:, REWARD].copy()

    @property
    def waiting(self) -> BoolArray:
        """Which players run no skill and need one, booleans of shape (N, 2)."""
        return self.runs[:, :, SKILL] == NO_SKILL

    def reset(self, seed: int = 0, games: ArrayLike | None = None) -> None:
        """Starts new games, game i with `seed + i`. `games`: only these, as indices or as booleans of shape (N,).

        Raises:
            BBAError: a seed that is not allowed.
        """
        seeds = seeds_from(seed_number(seed), len(self))
        chosen = np.arange(len(self)) if games is None else np.arange(len(self))[np.asarray(games)]
        for i in chosen.tolist():
            self.states[i] = initial_state(self.layout, self.grid, seeds[i], self._first.mobility)
        self.runs[chosen] = new_skill_runs()

    def kitchen(self, i: int) -> Kitchen:
        """Returns an independent copy of game i as a `Kitchen`."""
        copy = self._first.fork()
        copy.state = self.states[i].copy()
        return copy

    def step(self, actions: ArrayLike) -> Int32Array:
        """Plays one step of every game; `actions` (N, 2), 0 to 5. Returns the rewards (N,).

        Raises:
            ValueError: another shape, or an action that is not 0 to 5.
        """
        chosen = self._validated("actions", actions, N_ACTIONS)
        play = compiled(step_all)
        rewards = np.empty(len(self), np.int32)  # written by the kernel: to gather them from the states takes longer

        def play_part(part: slice) -> None:
            play(self.grid, self.states[part], chosen[part], rewards[part])

        self._divide(len(self), FOR_STEPS, play_part)
        return rewards

    def masks(self, players: ArrayLike | None = None) -> BoolArray:
        """Returns the feasible skills of each player, booleans of shape (N, 2, 27).

        `players`, booleans of shape (N, 2): only these players (such as `waiting`); the masks of others are all False.
        """
        selected = np.ones((len(self), 2), np.bool_) if players is None else np.array(players, np.bool_, order="C")
        masks = np.zeros((len(self), 2, N_SKILLS), np.bool_)
        mark = compiled(mark_feasible_all)
        self._divide(len(self), FOR_MASKS, lambda part: mark(self.grid, self.states[part], selected[part], masks[part]))
        return masks

    def step_skills(self, skills: ArrayLike, timeout: int = SKILL_TIMEOUT) -> Int32Array:
        """Plays one step of every game with the controller; `rewards` then holds the rewards of the step.

        A player that runs no skill starts the one given in `skills` (N, 2), 0 to 26, or stays for this step if that is
        infeasible. A player that runs a skill continues it. Returns the status of each player's skill after the step,
        shape (N, 2): `constants.RUNNING`, `DONE`, `INVALID` or `TIMEOUT`. All but the first need a new skill.

        Raises:
            ValueError: another shape, or a skill that is not 0 to 26.
        """
        chosen = self._validated("skills", skills, N_SKILLS)

        play_all = compiled(step_skills_all)

        def play(part: slice) -> None:
            play_all(self.grid, self.states[part], self.runs[part], chosen[part], self._actions[part], timeout)

        self._divide(len(self), FOR_SKILLS, play)
        return self.runs[:, :, ENDED].copy()

    def play_until_choice(self, skills: ArrayLike, until: Int32Array, totals: SpanTotals) -> None:
        """Starts skills, then plays every game until a player must choose one or the game has reached step `until`.

        Args:
            skills: of each player, shape (N, 2); NO_CHOICE for none. An infeasible one is not started, and a game in
                which a player has none is not played.
            until: shape (N,).
            totals: to which those of the steps are added.
        """
        chosen = np.array(skills, np.int32, order="C")
        arrays = self.states, self.runs, chosen, until, SKILL_TIMEOUT, self._actions
        compiled(play_until_choice_all)(self.grid, *arrays, totals)

    def drop(self, players: ArrayLike) -> None:
        """Interrupts the skills of these players, booleans of shape (N, 2); they then need a new one."""
        dropped = np.asarray(players, np.bool_) & ~self.waiting
        self.runs[dropped, SKILL] = NO_SKILL
        self.runs[dropped, TARGET] = -1
        self.runs[dropped, ENDED] = INTERRUPTED

    def observe(
        self,
        games: ArrayLike | None = None,
        *,
        out: NDArray[Any] | None = None,
        masks: BoolArray | None = None,
        dtype: DTypeLike = np.float32,
    ) -> NDArray[Any]:
        """Returns both players' observations, shape (N, 2, size); see `bba.kitchen.observation`.

        Args:
            games: only these, indices of shape (M,); all results then have length M.
            out: where they are written, an array of that shape in C order, and what is returned: faster than to make
                a new one. What shares its memory, as by `torch.from_dlpack`, sees them without a copy.
            masks: where the feasible skills of each player are written, booleans of shape (N, 2, 27) in C order.
            dtype: of a new array: float32, float16 or uint8; `out` has its own. float16 is the nearest to float32, and
                uint8 the nearest 255th.

        Raises:
            ValueError: another shape, dtype or order, or an array that cannot be written to.
        """
        chosen = self._all_games if games is None else self._indices(games)
        shape = (len(chosen), 2, self._size)
        if out is None:
            out = _aligned(shape, np.dtype(dtype))
        _check_array("out", out, shape, DTYPES)
        if masks is None:
            masks = NO_MASKS
        else:
            _check_array("masks", masks, (len(chosen), 2, N_SKILLS), (np.dtype(np.bool_),))
        shares = shares_of(self.layout, out.dtype)
        numbers = out.view(shares.near.dtype)  # kernels know float16 as its bits
        if out.dtype == np.float16:
            write_all = compiled(write_all_halves)
        elif out.dtype == np.uint8:
            write_all = compiled(write_all_bytes)
        else:
            write_all = compiled(write_all_observations)

        def write(part: slice) -> None:
            room = Workspace.on(self.grid, numbers.dtype)
            write_all(self.grid, shares, self.states, chosen[part], room, numbers[part], masks[part])

        self._divide(len(chosen), FOR_OBSERVATIONS, write)
        return out

    def _divide(self, games: int, worth: int, play: Callable[[slice], None]) -> None:
        """Calls `play` with slices of these games, from several threads; a thread needs `worth` of them to pay.

        Each takes the next slice when it is free. A thread that has not woken up when all are taken is not waited for.
        """
        threads = min(self._threads, games // worth)
        if self._pool is None or threads <= 1:
            play(slice(0, games))
            return
        slices = threads * SLICES
        ends = [games * number // slices for number in range(slices + 1)]
        waiting_slices = deque(slice(first, last) for first, last in pairwise(ends))

        def play_what_is_left() -> None:
            while True:
                try:
                    part = waiting_slices.popleft()
                except IndexError:  # the others have taken all
                    return
                play(part)

        running = [self._pool.submit(play_what_is_left) for _ in range(threads - 1)]
        play_what_is_left()
        for helper in running:
            if not helper.cancel():
                helper.result()

    def _indices(self, games: ArrayLike) -> Int64Array:
        chosen = np.array(games, np.int64, order="C")
        if chosen.ndim != 1 or (len(chosen) and not -len(self) <= chosen.min() <= chosen.max() < len(self)):
            raise ValueError(f"games: each must be an index of one of {len(self)} games, in an array of one axis")
        return chosen

    def _validated(self, name: str, values: ArrayLike, limit: int) -> Int32Array:
        array = np.array(values, np.int32, order="C")  # a copy: read-only ones would be compiled for anew
        if array.shape != (len(self), 2):
            raise ValueError(f"{name}: shape {array.shape}; it must be ({len(self)}, 2)")
        if array.view(np.uint32).max() >= limit:  # without a sign, what is below 0 is above every limit
            raise ValueError(f"{name}: from {array.min()} to {array.max()}; each must be 0 to {limit - 1}")
        return array


def _aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Returns an array that begins where a cache line does: JAX copies others."""
    size = math.prod(shape) * dtype.itemsize
    room = np.empty(size + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + size].view(dtype).reshape(shape)


def _check_array(name: str, array: NDArray[Any], shape: tuple[int, ...], dtypes: Collection[np.dtype[Any]]) -> None:
    """Raises a ValueError where a caller's array is not what is written into."""
    if not isinstance(array, np.ndarray) or array.dtype not in dtypes:
        kinds = " or ".join(dtype.name for dtype in dtypes)
        raise ValueError(f"{name}: an array of {getattr(array, 'dtype', type(array).__name__)}; it must be {kinds}")
    if array.shape != shape:
        raise ValueError(f"{name}: shape {array.shape}; it must be {shape}")
    if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
        raise ValueError(f"{name}: read-only or not in C order")


@optimised
@kernel
def step_all(grid: Grid, states: StateVector, actions: Int32Array, rewards: Int32Array) -> None:
    """Plays one step of every game and writes the team's rewards, (N,)."""
    for i in range(len(states)):
        step(grid, states[i], actions[i, 0], actions[i, 1])
        rewards[i] = states[i, REWARD]


@optimised
@kernel
def mark_feasible_all(grid: Grid, states: StateVector, selected: BoolArray, masks: BoolArray) -> None:
    """Sets the feasible skills of the selected players in masks that are False in all places before."""
    for i in range(len(states)):
        for player in range(2):
            if selected[i, player]:
                mark_feasible(grid, states[i], player, masks[i, player])


@optimised
@kernel
def step_skills_all(
    grid: Grid,
    states: StateVector,
    runs: SkillRuns,
    skills: Int32Array,
    actions: Int32Array,
    timeout: int,
) -> None:
    """Plays one step of every game with the controller; a given skill that is infeasible ends at once as INVALID."""
    for i in range(len(states)):
        for player in range(2):
            skill = skills[i, player]
            if runs[i, player, SKILL] == NO_SKILL and not start_skill(grid, states[i], runs[i], player, skill):
                runs[i, player, ENDED] = INVALID
        game_step(grid, states[i], runs[i], actions[i], timeout)


@optimised
@kernel
def play_until_choice_all(
    grid: Grid,
    states: StateVector,
    runs: SkillRuns,
    skills: Int32Array,
    until: Int32Array,
    timeout: int,
    actions: Int32Array,
    totals: SpanTotals,
) -> None:
    """Starts the chosen skills and plays every game to its next choice."""
    for i in range(len(states)):
        state = states[i]
        for player in range(2):
            if skills[i, player] >= 0 and runs[i, player, SKILL] == NO_SKILL:
                start_skill(grid, state, runs[i], player, skills[i, player])
        while runs[i, 0, SKILL] != NO_SKILL and runs[i, 1, SKILL] != NO_SKILL and state[STEP] < until[i]:
            faced0 = grid.neighbour[state[POSITION], state[FACING]]
            faced1 = grid.neighbour[state[POSITION + 1], state[FACING + 1]]
            held0 = state[HELD]
            held1 = state[HELD + 1]
            game_step(grid, state, runs[i], actions[i], timeout)
            count_feature(grid, state, 0, faced0, held0, totals.features[i])
            count_feature(grid, state, 1, faced1, held1, totals.features[i])
            totals.rewards[i] += state[REWARD]
            totals.steps[i] += 1


@kernel
def count_feature(grid: Grid, state: StateVector, player: int, tile: int, held: int, features: Int64Array) -> None:
    """Adds the feature of what a player did at a tile, holding `held` before, to the counts (2, 9)."""
    if state[COMPLETED + player] == 1:
        feature = event_feature(grid.kind[tile], held, state[EVENT + player])
        if feature >= 0:
            features[player, feature] += 1
