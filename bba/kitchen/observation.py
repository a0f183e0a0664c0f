"""What a learned policy sees of the kitchen: one short vector of numbers from 0 to 1 for each player.

In this order, S being the layout's boards, grills, pots and sinks in reading order:

====================  ==========================================================================================
own body (20)         x and y as shares of the map; facing north, south, east, west (one-hot); hand (an item, below)
other body (20)       the same of the other player
orders (4 x 3)        steak asked for; mushroom asked for; share of its time left. All 0: no such order
team (2)              streak, 1 from five on; plates on the dirty stack as a share of the layout's plates
own reach (27)        for each skill 1 / (1 + walking distance to its nearest target); 0: infeasible
other reach (27)      the same for the other player
stations (S x 10)     content (meat, mushroom, rice, dirty plate, clean plate, charcoal; one-hot); progress (chops,
                      rinses or steps of heat, as a share of what it takes to be ready, clean or burning); ready;
                      warning; burning
counters (14)         an item (below): how many of the kind lie on counters, 1 from four on
====================  ==========================================================================================

An item is 14 numbers: meat, mushroom, rice, tortilla, chopped meat, chopped mushroom, dirty plate, charcoal,
extinguisher (one-hot); clean plate, and on it steak, mushroom, rice, tortilla.
"""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen import constants
from bba.kitchen.constants import (
    BOARD,
    BOILED_RICE,
    CHARCOAL,
    CHOPPED_MEAT,
    CHOPPED_MUSHROOM,
    CHOPPED_STEAK,
    COUNTER,
    DIRTY_PLATE,
    FIRE_EXT,
    FRIED_MUSHROOM,
    N_SKILLS,
    NOTHING,
    PLATE,
    READY,
    SINK,
)
from bba.kitchen.grid import BURNING_AT, CHOPS, ORDER_LIFE, PLATES, RINSES, UNREACHABLE, Grid
from bba.kitchen.layout import MAX_ORDERS
from bba.kitchen.skills import cooking_stage, feasible_targets
from bba.kitchen.state import (
    DIRTY_PLATES,
    DISH,
    FACING,
    HEADER,
    HELD,
    N_ORDERS,
    POSITION,
    STREAK,
    TIME_LEFT,
    StateVector,
)

Float32Array = NDArray[np.float32]

ITEM = 14
BODY = 2 + 4 + ITEM
ORDERS = 2 * BODY
TEAM = ORDERS + 3 * MAX_ORDERS
REACH = TEAM + 2
STATIONS = REACH + 2 * N_SKILLS
STATION = 10
FULL_STREAK, MANY_ITEMS = 5, 4


def observation_size(grid: Grid) -> int:
    """How many numbers an observation has on this layout."""
    kinds = (constants.BOARD, constants.GRILL, constants.POT, constants.SINK)
    return STATIONS + STATION * int(np.isin(grid.tile, kinds).sum()) + ITEM


@kernel
def encode_observation(
    grid: Grid, state: StateVector, width: int, scratch: NDArray[np.int32], out: Float32Array
) -> None:
    """Write both players' observations into `out` (2, size); `scratch` is (2, 27)."""
    out[:] = 0
    for p in range(2):
        feasible_targets(grid, state, p, scratch[0], scratch[1])
        encode_player(grid, state, p, width, out[p, :BODY])
        for skill in range(N_SKILLS):
            if scratch[1, skill] < UNREACHABLE:
                out[p, REACH + skill] = 1 / (1 + scratch[1, skill])
    encode_team(grid, state, out[0])
    encode_objects(grid, state, out[0])
    copy_shared_parts(out)


@kernel
def copy_shared_parts(out: Float32Array) -> None:
    """Each player sees the other's body and reach too; the second sees the same team and things as the first."""
    size = out.shape[1]
    for p in range(2):
        for i in range(BODY):
            out[p, BODY + i] = out[1 - p, i]
        for i in range(REACH, REACH + N_SKILLS):
            out[p, N_SKILLS + i] = out[1 - p, i]
    for i in range(ORDERS, size):
        if i < REACH or i >= STATIONS:
            out[1, i] = out[0, i]


@kernel
def encode_player(grid: Grid, state: StateVector, p: int, width: int, out: Float32Array) -> None:
    """Where player p is, which way it looks, what it holds."""
    here, height = state[POSITION + p], len(grid.tile) // width
    out[0], out[1] = (here % width) / (width - 1), (here // width) / (height - 1)
    out[2 + state[FACING + p]] = 1
    encode_item(state[HELD + p], 1, out[6:])


@kernel
def encode_item(item: int, many: int, out: Float32Array) -> None:
    """Add 1 / `many` where the 14 numbers of an item say what it is, never above 1."""
    if item == NOTHING:
        return
    if item < PLATE:
        out[item - 1] = min(out[item - 1] + 1 / many, 1)
        return
    out[FIRE_EXT] = min(out[FIRE_EXT] + 1 / many, 1)
    for bit in range(4):
        if item >> bit & 1:
            out[FIRE_EXT + 1 + bit] = min(out[FIRE_EXT + 1 + bit] + 1 / many, 1)


@kernel
def encode_team(grid: Grid, state: StateVector, out: Float32Array) -> None:
    """Orders, streak and the stack of plates."""
    for order in range(state[N_ORDERS]):
        out[ORDERS + 3 * order + state[DISH + order]] = 1
        out[ORDERS + 3 * order + 2] = state[TIME_LEFT + order] / grid.params[ORDER_LIFE]
    out[TEAM] = min(state[STREAK], FULL_STREAK) / FULL_STREAK
    out[TEAM + 1] = state[DIRTY_PLATES] / grid.params[PLATES]


@kernel
def encode_objects(grid: Grid, state: StateVector, out: Float32Array) -> None:
    """What is on the stations and on the counters."""
    at_station, counters = STATIONS, len(out) - ITEM
    for at in range(len(grid.tile)):
        tile = grid.tile[at]
        if tile == COUNTER:
            encode_item(state[HEADER + at], MANY_ITEMS, out[counters:])
        elif BOARD <= tile <= SINK:
            encode_station(grid, state, at, out[at_station : at_station + STATION])
            at_station += STATION


@kernel
def encode_station(grid: Grid, state: StateVector, at: int, out: Float32Array) -> None:
    """What is on a board, on a grill, in a pot or in a sink, and how far it has got."""
    tile, item, progress = grid.tile[at], state[HEADER + at], state[HEADER + len(grid.tile) + at]
    if item == NOTHING:
        return
    out[content_index(item)] = 1
    if tile == BOARD:
        out[6] = progress / grid.params[CHOPS]
        out[7] = 1 if progress >= grid.params[CHOPS] else 0
    elif tile == SINK:
        out[6] = progress / grid.params[RINSES] if item == DIRTY_PLATE else 1
        out[7] = 1 if item == PLATE else 0
    elif item != CHARCOAL:
        out[6] = progress / grid.params[BURNING_AT]
        now = cooking_stage(grid, progress)
        if now >= READY:
            out[6 + now] = 1


@kernel
def content_index(item: int) -> int:
    """The place of a station's content among the six."""
    if item in (CHOPPED_MEAT, CHOPPED_STEAK):
        return 0
    if item in (CHOPPED_MUSHROOM, FRIED_MUSHROOM):
        return 1
    if item == BOILED_RICE:
        return 2
    if item == DIRTY_PLATE:
        return 3
    return 4 if item == PLATE else 5
