"""A batch of kitchens played from choice to choice, with what those that must choose observe then, in one call.

Training asks a few games at a time, tens of thousands of times. So the arrays are made once, and Numba looks at their
types once: for a game or two that takes many times as long as to play and to observe them.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bba.config import SKILL_TIMEOUT
from bba.kernels import compiled, kernel, optimised, specialised
from bba.kitchen.batch import NO_CHOICE, KitchenBatch, SpanTotals, play_until_choice_all
from bba.kitchen.constants import (
    N_SKILLS,
    NO_SKILL,
    STEP,
    BoolArray,
    Float32Array,
    Int32Array,
    Int64Array,
    StateVector,
)
from bba.kitchen.controller import SKILL, SkillRuns
from bba.kitchen.layout import Grid
from bba.kitchen.observation import REACH, observation_size
from bba.kitchen.observation_writer import DTYPES, Shares, Workspace, copy, shares_of, write_observations


class Choosers(NamedTuple):
    """Players that must choose a skill, M of them, game by game.

    Attributes:
        games: their games, (M,).
        seats: their seats, (M,).
        observations: what they observe, (M, size).
        masks: the skills that they can start, (M, 27).
    """

    games: Int64Array
    seats: Int64Array
    observations: Float32Array
    masks: BoolArray

    @classmethod
    def room(cls, most: int, size: int) -> "Choosers":
        """Returns room for so many, whose observations have this size."""
        return cls(
            np.zeros(most, np.int64),
            np.zeros(most, np.int64),
            np.zeros((most, size), np.float32),
            np.zeros((most, N_SKILLS), np.bool_),
        )

    def first(self, count: int) -> "Choosers":
        """Returns the first of them: views of the same arrays."""
        return Choosers(self.games[:count], self.seats[:count], self.observations[:count], self.masks[:count])


class ChoiceRounds:
    """Plays the games of a batch from choice to choice.

    Args:
        batch: N games. Only what is in its arrays may be changed from outside.
        asked: of which players is told that they must choose, booleans (N, 2).

    Attributes:
        choices: the skills to be started in the next call, int32 (N, 2); `NO_CHOICE` for none, as after each call.
    """

    def __init__(self, batch: KitchenBatch, asked: BoolArray) -> None:
        size = observation_size(batch.grid)
        self.choices: Int32Array = np.full((len(batch), 2), NO_CHOICE, np.int32)
        self._batch = batch
        self._asked = np.array(asked, np.bool_, order="C")
        self._actions = np.zeros((len(batch), 2), np.int32)
        self._shares = shares_of(batch.layout, DTYPES[0])
        self._room = Workspace.on(batch.grid, DTYPES[0])
        self._both = np.zeros((2, size), np.float32)
        self._found = Choosers.room(self.choices.size, size)
        self._play: Callable[..., int] | None = None
        self._observe: Callable[..., None] | None = None

    def play(self, until: Int32Array, totals: SpanTotals) -> Choosers:
        """Starts the choices, then plays each game until a player must choose or the game has reached step `until`.

        Args:
            until: shape (N,).
            totals: to which those of the steps are added.

        Returns:
            The asked players that must choose, in games that go on; valid until the next call.
        """
        batch = self._batch
        kitchen = batch.grid, self._shares, batch.states, batch.runs
        wanted = self.choices, self._asked, until, SKILL_TIMEOUT
        arguments = *kitchen, *wanted, self._actions, totals, self._room, self._both, self._found
        if self._play is None:
            self._play = specialised(compiled(play_round), *arguments)
        return self._found.first(self._play(*arguments))

    def observe(self, seats: Int64Array) -> tuple[Float32Array, BoolArray]:
        """Returns what one seat of each game observes, (N, size), and can start, (N, 27); `seats` (N,)."""
        batch = self._batch
        observations = np.empty((len(batch), self._both.shape[1]), np.float32)
        masks = np.empty((len(batch), N_SKILLS), np.bool_)
        arguments = batch.grid, self._shares, batch.states, seats, self._room, self._both, observations, masks
        if self._observe is None:
            self._observe = specialised(compiled(observe_seats), *arguments)
        self._observe(*arguments)
        return observations, masks


@optimised
@kernel
def play_round(
    grid: Grid,
    shares: Shares,
    states: StateVector,
    runs: SkillRuns,
    choices: Int32Array,
    asked: BoolArray,
    until: Int32Array,
    timeout: int,
    actions: Int32Array,
    totals: SpanTotals,
    room: Workspace,
    both: Float32Array,
    found: Choosers,
) -> int:
    """Plays every game to its next choice and forgets the choices; returns how many must choose, written to `found`."""
    play_until_choice_all(grid, states, runs, choices, until, timeout, actions, totals)
    count = 0
    for i in range(len(states)):
        for player in range(2):
            choices[i, player] = NO_CHOICE
            if asked[i, player] and runs[i, player, SKILL] == NO_SKILL and states[i, STEP] < until[i]:
                found.games[count] = i
                found.seats[count] = player
                write_seat(grid, shares, states[i], player, room, both, found.observations[count], found.masks[count])
                count += 1
    return count


@optimised
@kernel
def observe_seats(
    grid: Grid,
    shares: Shares,
    states: StateVector,
    seats: Int64Array,
    room: Workspace,
    both: Float32Array,
    observations: Float32Array,
    masks: BoolArray,
) -> None:
    """Writes what one seat of each game observes and can start."""
    for i in range(len(states)):
        write_seat(grid, shares, states[i], seats[i], room, both, observations[i], masks[i])


@kernel
def write_seat(
    grid: Grid,
    shares: Shares,
    state: StateVector,
    player: int,
    room: Workspace,
    both: Float32Array,
    observation: Float32Array,
    mask: BoolArray,
) -> None:
    """Writes what a player observes, (size,), and can start, (27,); `both` (2, size) is room for both players'."""
    write_observations(grid, shares, state, room.counts, room.tiles, room.conditions, room.reach, both[0], both[1])
    copy(both[player], len(observation), observation)
    for skill in range(N_SKILLS):
        mask[skill] = observation[REACH + skill] > 0
