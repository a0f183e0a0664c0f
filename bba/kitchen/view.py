"""Decoding a state row into a `Scene`."""

from functools import lru_cache

from bba.kitchen import codes
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout, Position
from bba.kitchen.scene import ObjectView, OrderView, PlayerView, Scene
from bba.kitchen.state import (
    DELIVERIES,
    DISH,
    DISHES,
    FACING,
    HEADER,
    HELD,
    LEFT,
    N_ORDERS,
    POS,
    SCORE,
    STACK,
    STEP,
    STREAK,
    Row,
)


def scene_of(layout: Layout, row: Row) -> Scene:
    """Everything public about this state."""
    numbers: list[int] = row.tolist()
    width = layout.width
    return Scene(
        layout=layout.name,
        step=numbers[STEP],
        score=numbers[SCORE],
        streak=numbers[STREAK],
        deliveries=numbers[DELIVERIES],
        dirty_plates=numbers[STACK],
        players=(_player(numbers, 0, width), _player(numbers, 1, width)),
        objects=_objects(layout, numbers),
        orders=tuple(
            OrderView(DISHES[numbers[DISH + i]], numbers[LEFT + i], layout.orders.life)
            for i in range(numbers[N_ORDERS])
        ),
    )


def _player(numbers: list[int], player: int, width: int) -> PlayerView:
    at = numbers[POS + player]
    facing = codes.ACTION_NAMES[numbers[FACING + player]]
    return PlayerView((at % width, at // width), facing, codes.ITEM_NAMES.get(numbers[HELD + player]))


@lru_cache(maxsize=64)
def _places(layout: Layout) -> tuple[tuple[int, Position, int, str], ...]:
    """Every tile that can hold an item: its number, position, kind and the kind's name."""
    kinds = grid_of(layout).tile.tolist()
    holders = (codes.COUNTER, codes.BOARD, codes.GRILL, codes.POT, codes.SINK)
    return tuple(
        (at, (at % layout.width, at // layout.width), kind, codes.TILE_NAMES[kind])
        for at, kind in enumerate(kinds)
        if kind in holders
    )


def _objects(layout: Layout, numbers: list[int]) -> tuple[ObjectView, ...]:
    timers = HEADER + layout.width * layout.height
    return tuple(
        _object(layout, numbers[HEADER + at], numbers[timers + at], position, kind, name)
        for at, position, kind, name in _places(layout)
        if numbers[HEADER + at]
    )


def _object(layout: Layout, item: int, progress: int, position: Position, kind: int, tile: str) -> ObjectView:
    name, timing = codes.ITEM_NAMES[item], layout.timing
    if kind == codes.BOARD:
        state = "ready" if progress >= timing.chops else "unready"
        return ObjectView(name, position, tile, state, progress, timing.chops)
    if item == codes.DIRTY_PLATE and kind == codes.SINK:
        return ObjectView(name, position, tile, "unrinsed", progress, timing.rinses)
    if kind in (codes.GRILL, codes.POT) and item != codes.CHARCOAL:
        ends = (timing.cooking, timing.cooking + timing.ready, timing.cooking + timing.ready + timing.warning)
        stage = sum(progress >= end for end in ends)
        return ObjectView(name, position, tile, codes.STAGE_NAMES[stage], progress, ends[min(stage, 2)])
    return ObjectView(name, position, tile)
