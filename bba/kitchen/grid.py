"""The grid: a layout as the arrays that the kernels read (tile kinds, neighbours, walking distances, parameters).

Tiles are numbered in reading order: tile ``y * width + x``. Distances are computed once per layout.
"""

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kitchen import constants
from bba.kitchen.layout import DIRECTION_OFFSETS, MAX_ORDERS, Layout

UNREACHABLE = 9999  # the distance to a place that cannot be walked to

# Indices into `Grid.params`.
CHOPS, RINSES, READY_AT, WARNING_AT, BURNING_AT, PLATES, ORDER_LIFE = range(7)
ORDER_STARTS = 7  # then, for 1 to MAX_ORDERS active orders, the first step at which that many are active
STREAK_FACTORS = ORDER_STARTS + MAX_ORDERS  # then the tip's factor for a streak of 1, 2, …


class Grid(NamedTuple):
    """The arrays of a layout with T tiles. They are read-only by convention."""

    kind: NDArray[np.int32]  # (T,) kind of each tile, see `bba.kitchen.constants`
    is_pass_counter: NDArray[np.int32]  # (T,) 1 on pass counters
    neighbour: NDArray[np.int32]  # (T, 4) the tile to the north, south, east and west; -1 outside the map
    distance: NDArray[np.int16]  # (T, T) walking distance between floor tiles; UNREACHABLE where there is no path
    distance_to_adjacent: NDArray[np.int16]  # (T, T) [station, floor]: from a floor tile to one beside the station
    distance_around: NDArray[np.int16]  # (T, T, T) [usable station, blocked, floor]: the same with one blocked
    stations: NDArray[np.int32]  # tiles that can be used from some floor tile, in reading order
    stoves: NDArray[np.int32]  # grills and pots
    params: NDArray[np.int32]  # the layout's timing, plates and order rules, see above


@functools.lru_cache(maxsize=64)
def grid_of(layout: Layout) -> Grid:
    """The arrays of a layout (cached: the same layout gives the same object)."""
    chars = "".join(layout.rows).replace("1", " ").replace("2", " ")
    kind = np.array([constants.TILE_CHARS.index(char) for char in chars], np.int32)
    neighbour = _neighbours(layout)
    distance = _walking_distances(kind, neighbour)
    distance_to_adjacent = _distances_to_adjacent(kind, neighbour, distance)
    is_pass_counter = np.zeros(len(kind), np.int32)
    is_pass_counter[[y * layout.width + x for x, y in layout.pass_counters]] = 1
    usable = (kind != constants.FLOOR) & (distance_to_adjacent.min(axis=1) < UNREACHABLE)
    return Grid(
        kind=kind,
        is_pass_counter=is_pass_counter,
        neighbour=neighbour,
        distance=distance,
        distance_to_adjacent=distance_to_adjacent,
        distance_around=_distances_around(kind, neighbour, np.flatnonzero(usable)),
        stations=np.flatnonzero(usable).astype(np.int32),
        stoves=np.flatnonzero((kind == constants.GRILL) | (kind == constants.POT)).astype(np.int32),
        params=_params(layout),
    )


def _neighbours(layout: Layout) -> NDArray[np.int32]:
    table = np.full((layout.width * layout.height, 4), -1, np.int32)
    for (x, y), _ in layout.tiles():
        for direction, (dx, dy) in enumerate(DIRECTION_OFFSETS):
            if 0 <= x + dx < layout.width and 0 <= y + dy < layout.height:
                table[y * layout.width + x, direction] = (y + dy) * layout.width + x + dx
    return table


def _walking_distances(kind: NDArray[np.int32], neighbour: NDArray[np.int32]) -> NDArray[np.int16]:
    table = np.full((len(kind), len(kind)), UNREACHABLE, np.int16)
    floor = np.flatnonzero(kind == constants.FLOOR)
    table[floor, floor] = 0
    around = np.where(neighbour[floor] >= 0, neighbour[floor], np.argmax(kind != constants.FLOOR))
    while True:  # every round lets all paths grow by one step; stations stay unreachable
        grown = np.minimum(table[:, floor], table[:, around].min(axis=2) + 1)
        if (grown == table[:, floor]).all():
            return table
        table[:, floor] = grown


def _distances_to_adjacent(
    kind: NDArray[np.int32], neighbour: NDArray[np.int32], distance: NDArray[np.int16]
) -> NDArray[np.int16]:
    table = np.full_like(distance, UNREACHABLE)
    for station in np.flatnonzero(kind != constants.FLOOR):
        floor = [n for n in neighbour[station] if n >= 0 and kind[n] == constants.FLOOR]
        if floor:
            table[station] = distance[floor].min(axis=0)
    return table


def _distances_around(
    kind: NDArray[np.int32], neighbour: NDArray[np.int32], stations: NDArray[np.intp]
) -> NDArray[np.int16]:
    """Returns the distances with one floor tile blocked, all at once: every round lets all paths grow by one step."""
    tiles = len(kind)
    floor = np.flatnonzero(kind == constants.FLOOR)
    around = np.where(neighbour[floor] >= 0, neighbour[floor], stations[0])  # a station has no distance of its own
    beside = (neighbour[floor][:, :, None] == stations).any(axis=1).T  # (stations, floor)
    shape = (len(stations), len(floor), tiles)  # [station, blocked, floor]
    distance = np.full(shape, UNREACHABLE, np.int16)
    distance[:, :, floor] = np.where(beside, 0, UNREACHABLE)[:, None, :]
    blocked = np.arange(len(floor))
    distance[:, blocked, floor] = UNREACHABLE
    for _ in range(len(floor)):
        grown = np.minimum(distance[:, :, floor], distance[:, :, around].min(axis=3) + 1)
        grown[:, blocked, blocked] = UNREACHABLE
        if (grown == distance[:, :, floor]).all():
            break
        distance[:, :, floor] = grown
    table = np.full((tiles, tiles, tiles), UNREACHABLE, np.int16)
    table[np.ix_(stations, floor)] = distance
    return table


def _params(layout: Layout) -> NDArray[np.int32]:
    timing, orders = layout.timing, layout.orders
    ready, warning = timing.cooking, timing.cooking + timing.ready
    never = np.iinfo(np.int32).max
    active_from = [
        next((step for step, count in orders.active if count >= wanted), never) for wanted in range(1, MAX_ORDERS + 1)
    ]
    return np.array(
        [
            timing.chops,
            timing.rinses,
            ready,
            warning,
            warning + timing.warning,
            layout.plates,
            orders.life,
            *active_from,
            *orders.multipliers,
        ],
        np.int32,
    )
