"""`Kitchen`: the environment of one game as a Python object; and `Scene`: its state decoded into names and coordinates.

A `Scene` is a frozen copy of the public state. Screens, prompts and tests read it; nothing writes to it.
Coordinates are ``(x, y)``, origin at the top left. Times are in steps.
"""

import hashlib
from collections.abc import Sequence
from copy import copy
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from bba.errors import BBAError, seed_number
from bba.kernels import maybe_compiled
from bba.kitchen import constants, skills, transition
from bba.kitchen.constants import (
    COMPLETED,
    DELIVERIES,
    DIRTY_PLATES,
    DISH,
    DISHES,
    EVENT,
    FACING,
    HELD,
    KEY,
    MOBILITY,
    MOBILITY_ONE,
    N_ORDERS,
    POSITION,
    REWARD,
    SCORE,
    STATE_HEADER,
    STEP,
    STREAK,
    TIME_LEFT,
    BoolArray,
    StateVector,
)
from bba.kitchen.layout import ORDER_STARTS, PLATES, Grid, Layout, Position, grid_of
from bba.kitchen.orders import add_order

TILE_AHEAD = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player: position, facing (north, south, east or west) and held item (None: nothing)."""

    position: Position
    facing: str
    held: str | None

    @property
    def ahead(self) -> Position:
        """The tile that it faces, which may lie beyond the map."""
        x, y = self.position
        right, down = TILE_AHEAD[self.facing]
        return x + right, y + down


@dataclass(frozen=True, slots=True)
class ObjectView:
    """One item on a counter or station.

    `state` is "" for an item without a state; "unready" or "ready" for food on a board; "unrinsed" for a dirty
    plate in a sink; "cooking", "ready", "warning" or "burning" on a grill or in a pot. `progress` counts chops, rinses
    or cooking steps since the food was put in; `total` is the number at which the current stage ends (chops or rinses
    needed; the step at which cooking, ready or warning ends), 0 where nothing is counted.
    """

    name: str
    position: tuple[int, int]
    tile: str
    state: str = ""
    progress: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class OrderView:
    """One active order: the dish, the steps it has left and the steps it had at the start."""

    dish: str
    left: int
    life: int


@dataclass(frozen=True, slots=True)
class Scene:
    """The public state of a game at one step.

    `kitchen` is the layout that a notebook draws it on, None for a scene made by hand; it is no part of the state.
    """

    layout: str
    step: int
    score: int
    streak: int
    deliveries: int
    dirty_plates: int
    players: tuple[PlayerView, PlayerView]
    objects: tuple[ObjectView, ...]
    orders: tuple[OrderView, ...]
    kitchen: Layout | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Returns the scene as plain JSON types (JSON turns tuples into lists)."""
        state = asdict(replace(self, kitchen=None))
        del state["kitchen"]
        return state


def scene_of(layout: Layout, state: StateVector) -> Scene:
    """Decodes a state vector into a scene."""
    values: list[int] = state.tolist()
    width = layout.width
    timers = STATE_HEADER + layout.width * layout.height
    return Scene(
        layout=layout.name,
        step=values[STEP],
        score=values[SCORE],
        streak=values[STREAK],
        deliveries=values[DELIVERIES],
        dirty_plates=values[DIRTY_PLATES],
        players=(_player(values, 0, width), _player(values, 1, width)),
        objects=tuple(
            _object(layout, values[STATE_HEADER + tile], values[timers + tile], position, kind, name)
            for tile, position, kind, name in _item_tiles(layout)
            if values[STATE_HEADER + tile]
        ),
        orders=tuple(
            OrderView(DISHES[values[DISH + i]], values[TIME_LEFT + i], layout.orders.life)
            for i in range(values[N_ORDERS])
        ),
        kitchen=layout,
    )


def _player(values: list[int], player: int, width: int) -> PlayerView:
    tile = values[POSITION + player]
    facing = constants.ACTION_NAMES[values[FACING + player]]
    return PlayerView((tile % width, tile // width), facing, constants.ITEM_NAMES.get(values[HELD + player]))


@lru_cache(maxsize=64)
def _item_tiles(layout: Layout) -> tuple[tuple[int, Position, int, str], ...]:
    """Returns every tile that can hold an item: its index, position, kind and the name of the kind."""
    kinds = grid_of(layout).kind.tolist()
    holders = (constants.COUNTER, constants.BOARD, constants.GRILL, constants.POT, constants.SINK)
    return tuple(
        (tile, (tile % layout.width, tile // layout.width), kind, constants.TILE_NAMES[kind])
        for tile, kind in enumerate(kinds)
        if kind in holders
    )


def _object(layout: Layout, item: int, progress: int, position: Position, kind: int, tile: str) -> ObjectView:
    name = constants.ITEM_NAMES[item]
    timing = layout.timing
    if kind == constants.BOARD:
        state = "ready" if progress >= timing.chops else "unready"
        return ObjectView(name, position, tile, state, progress, timing.chops)
    if item == constants.DIRTY_PLATE and kind == constants.SINK:
        return ObjectView(name, position, tile, "unrinsed", progress, timing.rinses)
    if kind in (constants.GRILL, constants.POT) and item != constants.CHARCOAL:
        ends = (timing.cooking, timing.cooking + timing.ready, timing.cooking + timing.ready + timing.warning)
        stage = sum(progress >= end for end in ends)
        return ObjectView(name, position, tile, constants.STAGE_NAMES[stage], progress, ends[min(stage, 2)])
    return ObjectView(name, position, tile)


@dataclass(frozen=True, slots=True)
class Event:
    """A successful interaction, public to both players: the player, the skill, and whether it was completed."""

    player: int
    skill: constants.Skill
    complete: bool


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step: the team's reward and the public events, player 0's first."""

    reward: int
    events: tuple[Event, ...]


def initial_state(layout: Layout, grid: Grid, seed: int, mobility: tuple[float, float]) -> StateVector:
    """Returns the state of a new game: players at their starts facing north, all plates dirty on the stack."""
    tiles = len(grid.kind)
    state = np.zeros(STATE_HEADER + 2 * tiles, np.int32)
    state[KEY] = np.random.SeedSequence(seed).generate_state(1)[0] >> 1
    state[DIRTY_PLATES] = grid.params[PLATES]
    for player, (x, y) in enumerate(layout.starts):
        state[POSITION + player] = y * layout.width + x
        state[FACING + player] = constants.NORTH
        state[MOBILITY + player] = round(mobility[player] * MOBILITY_ONE)
        state[EVENT + player] = constants.NO_SKILL
    x, y = layout.extinguisher
    state[STATE_HEADER + y * layout.width + x] = constants.FIRE_EXT
    for _ in range(int(np.count_nonzero(grid.params[ORDER_STARTS:][: constants.MAX_ORDERS] == 0))):
        add_order(grid, state)
    return state


def is_state(state: StateVector) -> bool:
    """Whether an array has the type and the order in memory of a state."""
    return state.dtype == np.int32 and state.ndim == 1 and state.flags.c_contiguous


class Kitchen:
    """One kitchen with two players.

    Args:
        layout: a shipped layout's name, the path of a layout file, or a `Layout`.
        seed: determines all random draws of the game; 0 or more.
        mobility: probability that a direction action is carried out (mobility noise), of both players or of each. None:
            1, as of all who choose primitive actions; 0.35 makes agents that use the controller move about as fast as
            people.
        fast: use compiled rules instead of plain ones. The states are the same.

    Raises:
        BBAError: an unknown layout, or a seed or mobility that is out of range.
    """

    def __init__(
        self,
        layout: str | Path | Layout,
        seed: int = 0,
        *,
        mobility: float | tuple[float, float] | None = None,
        fast: bool = False,
    ) -> None:
        self.layout = Layout.load(layout)
        seed = seed_number(seed)
        self.grid: Grid = grid_of(self.layout)
        self.mobility = _chances(mobility)
        self.fast = fast
        self.state: StateVector = initial_state(self.layout, self.grid, seed, self.mobility)
        self._step = maybe_compiled(transition.step, fast=fast)
        self._feasible_targets = maybe_compiled(skills.feasible_targets, fast=fast)

    def __repr__(self) -> str:
        return f"Kitchen({self.layout.name}: step {self.steps}, score {self.score})"

    @property
    def steps(self) -> int:
        """Steps played so far."""
        return int(self.state[STEP])

    @property
    def score(self) -> int:
        """The team's reward so far."""
        return int(self.state[SCORE])

    def reset(self, seed: int = 0) -> None:
        """Starts a new game with this seed, 0 to 2^63 - 1.

        Raises:
            BBAError: another seed.
        """
        self.state = initial_state(self.layout, self.grid, seed_number(seed), self.mobility)

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

    def mask(self, player: int) -> BoolArray:
        """Returns the feasible skills of a player, booleans of shape (27,)."""
        target = np.empty(constants.N_SKILLS, np.int32)
        self._feasible_targets(self.grid, self.state, player, target, np.empty(constants.N_SKILLS, np.int32))
        return target >= 0

    def fork(self) -> Self:
        """Returns an independent copy with the same state and the same future random draws."""
        clone = copy(self)
        clone.state = self.state.copy()
        return clone


def state_digest(state: StateVector) -> str:
    """Returns the hash of a state vector, the same on every machine: 16 hex digits."""
    return hashlib.blake2b(state.astype("<i4", copy=False).tobytes(), digest_size=8).hexdigest()


def events_of(state: StateVector) -> tuple[Event, ...]:
    """Returns the public events of the last step."""
    return tuple(
        Event(player, constants.Skill(int(state[EVENT + player])), bool(state[COMPLETED + player]))
        for player in (0, 1)
        if state[EVENT + player] != constants.NO_SKILL
    )


def _chances(mobility: float | tuple[float, float] | None) -> tuple[float, float]:
    """Returns the mobility of both players; raises `BBAError` if it is not one or two numbers from 0 to 1."""
    if mobility is None:
        return 1.0, 1.0
    each = (mobility, mobility) if isinstance(mobility, int | float) else mobility
    try:
        first, second = map(float, each)
    except (TypeError, ValueError):
        first = -1.0
        second = first
    if not (0.0 <= first <= 1.0 and 0.0 <= second <= 1.0):
        raise BBAError(f"mobility: {mobility} is not allowed; from 0 to 1 for each player")
    return first, second
