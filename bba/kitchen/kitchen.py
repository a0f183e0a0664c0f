"""`Kitchen`: the environment of one game, as a Python object."""

import hashlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bba.errors import BBAError, whole_number
from bba.kernels import maybe_compiled
from bba.kitchen import constants, rules
from bba.kitchen.constants import Skill
from bba.kitchen.layout import Grid, Layout, grid_of
from bba.kitchen.scene import Scene, scene_of
from bba.kitchen.state import COMPLETED, EVENT, REWARD, SCORE, STEP, StateVector, initial_state


@dataclass(frozen=True, slots=True)
class Event:
    """A successful interaction, public to both players: the player, the skill, and whether it was completed."""

    player: int
    skill: Skill
    complete: bool


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step: the team's reward and the public events, player 0's first."""

    reward: int
    events: tuple[Event, ...]


class Kitchen:
    """One kitchen with two players.

    Args:
        layout: a shipped layout's name, the path of a layout file, or a `Layout`.
        seed: determines all random draws of the game; 0 or more.
        mobility: probability that a direction action is carried out, for each player (mobility noise). 1 for people;
            0.35 makes agents that use the controller move about as fast as people.
        fast: use compiled rules instead of plain ones. The states are the same.

    Raises:
        BBAError: an unknown layout, or a seed or mobility that is out of range.
    """

    def __init__(
        self,
        layout: str | Path | Layout,
        seed: int = 0,
        *,
        mobility: tuple[float, float] = (1.0, 1.0),
        fast: bool = False,
    ) -> None:
        self.layout, seed = Layout.load(layout), whole_number("seed", seed, 0)
        self.grid: Grid = grid_of(self.layout)
        self.mobility = _chances(mobility)
        self.fast = fast
        self.state: StateVector = initial_state(self.layout, self.grid, seed, self.mobility)
        self._step = maybe_compiled(rules.step, fast=fast)
        self._feasible_targets = maybe_compiled(rules.feasible_targets, fast=fast)

    def __repr__(self) -> str:
        return f"Kitchen({self.layout.name}: step {self.steps}, score {self.score})"

    @staticmethod
    def layouts() -> list[str]:
        """The names of the layouts that ship with the project."""
        return Layout.names()

    @property
    def steps(self) -> int:
        """Steps played so far."""
        return int(self.state[STEP])

    @property
    def score(self) -> int:
        """The team's reward so far."""
        return int(self.state[SCORE])

    def reset(self, seed: int = 0) -> None:
        """Starts a new game with this seed."""
        self.state = initial_state(self.layout, self.grid, seed, self.mobility)

    def step(self, actions: Sequence[int]) -> StepResult:
        """Plays one step with one action (0 to 5) for each player.

        Raises:
            ValueError: not two actions, or one that is not 0 to 5.
        """
        first, second = (int(action) for action in actions)
        if not (0 <= first < constants.N_ACTIONS and 0 <= second < constants.N_ACTIONS):
            raise ValueError(f"actions {first}, {second}: each must be 0 to {constants.N_ACTIONS - 1}")
        self.advance(first, second)
        return StepResult(int(self.state[REWARD]), events_of(self.state))

    def advance(self, first: int, second: int) -> None:
        """Plays one step without checking the actions and without decoding the result (faster than `step`)."""
        self._step(self.grid, self.state, first, second)

    def scene(self) -> Scene:
        """Returns the public state, decoded into names and coordinates."""
        return scene_of(self.layout, self.state)

    def mask(self, player: int) -> NDArray[np.bool_]:
        """Returns the feasible skills of a player, booleans of shape (27,)."""
        target = np.empty(constants.N_SKILLS, np.int32)
        self._feasible_targets(self.grid, self.state, player, target, np.empty(constants.N_SKILLS, np.int32))
        return target >= 0

    def fork(self) -> Self:
        """Returns an independent copy with the same state and the same future random draws."""
        other = copy(self)
        other.state = self.state.copy()
        return other

    def digest(self) -> str:
        """Returns a hash of the whole state, the same on every machine."""
        return state_digest(self.state)


def state_digest(state: StateVector) -> str:
    """Returns the hash of a state vector: 16 hex digits."""
    return hashlib.blake2b(state.astype("<i4", copy=False).tobytes(), digest_size=8).hexdigest()


def events_of(state: StateVector) -> tuple[Event, ...]:
    """Returns the public events of the last step."""
    return tuple(
        Event(player, Skill(int(state[EVENT + player])), bool(state[COMPLETED + player]))
        for player in (0, 1)
        if state[EVENT + player] != constants.NO_SKILL
    )


def _chances(mobility: tuple[float, float]) -> tuple[float, float]:
    """Returns the mobility of both players; raises `BBAError` if it is not two numbers from 0 to 1."""
    try:
        first, second = map(float, mobility)
    except (TypeError, ValueError):
        first = second = -1.0
    if not (0.0 <= first <= 1.0 and 0.0 <= second <= 1.0):
        raise BBAError(f"mobility: {mobility} is not allowed; from 0 to 1 for each player")
    return first, second
