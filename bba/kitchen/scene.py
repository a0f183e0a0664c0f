"""Scenes: the state decoded into names and coordinates.

A `Scene` is a frozen copy of the public state. Screens, prompts and tests read it; nothing writes to it.
Coordinates are ``(x, y)``, origin at the top left. Times are in steps.
"""

from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

from bba.kitchen import constants
from bba.kitchen.layout import Layout, Position, grid_of
from bba.kitchen.state import (
    DELIVERIES,
    DIRTY_PLATES,
    DISH,
    DISHES,
    FACING,
    HELD,
    N_ORDERS,
    POSITION,
    SCORE,
    STATE_HEADER,
    STEP,
    STREAK,
    TIME_LEFT,
    StateVector,
)


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player: position, facing (north, south, east or west) and held item (None: nothing)."""

    position: tuple[int, int]
    facing: str
    held: str | None


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
    width, timers = layout.width, STATE_HEADER + layout.width * layout.height
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
    name, timing = constants.ITEM_NAMES[item], layout.timing
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
