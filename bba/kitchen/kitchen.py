"""`Kitchen`: one game's world, for Python callers."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bba.errors import BBAError
from bba.kernels import at_speed
from bba.kitchen import constants, rules, skills
from bba.kitchen.constants import Skill
from bba.kitchen.grid import Grid, grid_of
from bba.kitchen.layout import Layout
from bba.kitchen.scene import Scene, scene_of
from bba.kitchen.state import COMPLETED, EVENT, REWARD, SCORE, STEP, StateVector, initial_state


@dataclass(frozen=True, slots=True)
class Event:
    """A successful interaction, seen by everybody: who, which skill it advanced, and whether that completed it."""

    player: int
    skill: Skill
    complete: bool


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step brought: the team's reward and the public events, player 0's first."""

    reward: int
    events: tuple[Event, ...]


class Kitchen:
    """One kitchen with two players.

    Args:
        layout: a shipped layout's name, or a `Layout`.
        seed: of everything random in this game; 0 or more.
        mobility: chance, 0 to 1, that a direction action is carried out, for each player. 1 for people; agents that
            play by controller move like people with 0.35.
        fast: compiled rules instead of plain ones. The states are the same.
    """

    def __init__(
        self,
        layout: str | Layout,
        seed: int = 0,
        *,
        mobility: tuple[float, float] = (1.0, 1.0),
        fast: bool = False,
    ) -> None:
        self.layout = Layout.load(layout) if isinstance(layout, str) else layout
        if seed < 0:
            raise BBAError(f"seed: {seed} is not allowed; 0 or more")
        if not all(0.0 <= chance <= 1.0 for chance in mobility):
            raise BBAError(f"mobility: {mobility} is not allowed; from 0 to 1 for each player")
        self.grid: Grid = grid_of(self.layout)
        self.mobility = mobility
        self.fast = fast
        self.state: StateVector = initial_state(self.layout, self.grid, seed, mobility)
        self._step = at_speed(rules.step, fast=fast)
        self._survey = at_speed(skills.feasible_targets, fast=fast)

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
        """Begin a fresh game with this seed."""
        self.state = initial_state(self.layout, self.grid, seed, self.mobility)

    def step(self, actions: Sequence[int]) -> StepResult:
        """Play one step with one action (0 to 5) for each player.

        Raises:
            ValueError: not two actions, or one that is not 0 to 5.
        """
        first, second = (int(action) for action in actions)
        if not (0 <= first < constants.N_ACTIONS and 0 <= second < constants.N_ACTIONS):
            raise ValueError(f"actions {first}, {second}: each must be 0 to {constants.N_ACTIONS - 1}")
        self.advance(first, second)
        return StepResult(int(self.state[REWARD]), events_of(self.state))

    def advance(self, first: int, second: int) -> None:
        """Play one step without decoding what it brought (the quick way; actions must be valid)."""
        self._step(self.grid, self.state, first, second)

    def scene(self) -> Scene:
        """Everything public, decoded: names and coordinates."""
        return scene_of(self.layout, self.state)

    def mask(self, player: int) -> NDArray[np.bool_]:
        """Which of the 27 skills the player could start now, shape (27,)."""
        target = np.empty(constants.N_SKILLS, np.int32)
        self._survey(self.grid, self.state, player, target, np.empty(constants.N_SKILLS, np.int32))
        return target >= 0

    def fork(self) -> Self:
        """An independent copy: same state, same future draws."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.state = self.state.copy()
        return copy

    def digest(self) -> str:
        """A hash of the whole state, the same on every machine."""
        return state_digest(self.state)


def state_digest(state: StateVector) -> str:
    """The hash of a state row: 16 hex digits."""
    return hashlib.blake2b(state.astype("<i4", copy=False).tobytes(), digest_size=8).hexdigest()


def events_of(state: StateVector) -> tuple[Event, ...]:
    """The public events of the last step."""
    return tuple(
        Event(player, Skill(int(state[EVENT + player])), bool(state[COMPLETED + player]))
        for player in (0, 1)
        if state[EVENT + player] != constants.NO_SKILL
    )
