"""The observation vector of a learned policy: numbers from 0 to 1, one vector for each player.

The parts in order; S is the number of boards, grills, pots and sinks, which come in reading order:

====================  ==========================================================================================
own player (20)       x and y, scaled to the map; facing north, south, east, west (one-hot); held item (see below)
other player (20)     the same for the other player
orders (4 x 3)        is for steak; is for mushroom; fraction of its time left. All 0: no such order
team (2)              streak, 1 from five on; dirty plates on the stack as a fraction of the layout's plates
own reach (27)        for each skill 1 / (1 + walking distance to its nearest target); 0: infeasible
other reach (27)      the same for the other player
stations (S x 10)     content (meat, mushroom, rice, dirty plate, clean plate, charcoal; one-hot); progress (chops,
                      rinses or steps of cooking, as a fraction of those until ready, clean or burning); ready;
                      warning; burning
counters (14)         number of items of each kind on counters, divided by four, at most 1
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
from bba.kitchen.layout import BURNING_AT, CHOPS, MAX_ORDERS, ORDER_LIFE, PLATES, RINSES, UNREACHABLE, Grid
from bba.kitchen.rules import cooking_stage, feasible_targets
from bba.kitchen.state import (
    DIRTY_PLATES,
    DISH,
    FACING,
    HELD,
    N_ORDERS,
    POSITION,
    STATE_HEADER,
    STREAK,
    TIME_LEFT,
    StateVector,
)

Float32Array = NDArray[np.float32]

ITEM_SIZE = 14
PLAYER_SIZE = 2 + 4 + ITEM_SIZE
ORDERS = 2 * PLAYER_SIZE
TEAM = ORDERS + 3 * MAX_ORDERS
REACH = TEAM + 2
STATIONS = REACH + 2 * N_SKILLS
STATION_SIZE = 10
FULL_STREAK, MANY_ITEMS = 5, 4  # the streak and the number of items that are encoded as 1


def observation_size(grid: Grid) -> int:
    """Returns the length of an observation on this layout."""
    kinds = (constants.BOARD, constants.GRILL, constants.POT, constants.SINK)
    return STATIONS + STATION_SIZE * int(np.isin(grid.kind, kinds).sum()) + ITEM_SIZE


@kernel
def encode_observation(
    grid: Grid, state: StateVector, width: int, scratch: NDArray[np.int32], out: Float32Array
) -> None:
    """Writes both players' observations into `out` (2, size); `scratch` has shape (2, 27)."""
    out[:] = 0
    for player in range(2):
        feasible_targets(grid, state, player, scratch[0], scratch[1])
        encode_player(grid, state, player, width, out[player, :PLAYER_SIZE])
        for skill in range(N_SKILLS):
            if scratch[1, skill] < UNREACHABLE:
                out[player, REACH + skill] = 1 / (1 + scratch[1, skill])
    encode_team(grid, state, out[0])
    encode_objects(grid, state, out[0])
    copy_shared_parts(out)


@kernel
def copy_shared_parts(out: Float32Array) -> None:
    """Copies each player's own parts to the other's observation, and the shared parts from the first to the second."""
    size = out.shape[1]
    for player in range(2):
        for i in range(PLAYER_SIZE):
            out[player, PLAYER_SIZE + i] = out[1 - player, i]
        for i in range(REACH, REACH + N_SKILLS):
            out[player, N_SKILLS + i] = out[1 - player, i]
    for i in range(ORDERS, size):
        if i < REACH or i >= STATIONS:
            out[1, i] = out[0, i]


@kernel
def encode_player(grid: Grid, state: StateVector, player: int, width: int, out: Float32Array) -> None:
    """Writes a player's position, facing and held item."""
    here, height = state[POSITION + player], len(grid.kind) // width
    out[0], out[1] = (here % width) / (width - 1), (here // width) / (height - 1)
    out[2 + state[FACING + player]] = 1
    encode_item(state[HELD + player], 1, out[6:])


@kernel
def encode_item(item: int, many: int, out: Float32Array) -> None:
    """Adds 1 / `many` to the entries that encode an item, up to 1."""
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
    """Writes the orders, the streak and the stack of dirty plates."""
    for order in range(state[N_ORDERS]):
        out[ORDERS + 3 * order + state[DISH + order]] = 1
        out[ORDERS + 3 * order + 2] = state[TIME_LEFT + order] / grid.params[ORDER_LIFE]
    out[TEAM] = min(state[STREAK], FULL_STREAK) / FULL_STREAK
    out[TEAM + 1] = state[DIRTY_PLATES] / grid.params[PLATES]


@kernel
def encode_objects(grid: Grid, state: StateVector, out: Float32Array) -> None:
    """Writes the content of stations and counters."""
    offset, counters = STATIONS, len(out) - ITEM_SIZE
    for tile in range(len(grid.kind)):
        kind = grid.kind[tile]
        if kind == COUNTER:
            encode_item(state[STATE_HEADER + tile], MANY_ITEMS, out[counters:])
        elif BOARD <= kind <= SINK:
            encode_station(grid, state, tile, out[offset : offset + STATION_SIZE])
            offset += STATION_SIZE


@kernel
def encode_station(grid: Grid, state: StateVector, tile: int, out: Float32Array) -> None:
    """Writes the content and the progress of a board, grill, pot or sink."""
    kind, item, progress = grid.kind[tile], state[STATE_HEADER + tile], state[STATE_HEADER + len(grid.kind) + tile]
    if item == NOTHING:
        return
    out[content_index(item)] = 1
    if kind == BOARD:
        out[6] = progress / grid.params[CHOPS]
        out[7] = 1 if progress >= grid.params[CHOPS] else 0
    elif kind == SINK:
        out[6] = progress / grid.params[RINSES] if item == DIRTY_PLATE else 1
        out[7] = 1 if item == PLATE else 0
    elif item != CHARCOAL:
        out[6] = progress / grid.params[BURNING_AT]
        stage = cooking_stage(grid, progress)
        if stage >= READY:
            out[6 + stage] = 1


@kernel
def content_index(item: int) -> int:
    """Returns the index of a station's content in its one-hot code of six."""
    if item in (CHOPPED_MEAT, CHOPPED_STEAK):
        return 0
    if item in (CHOPPED_MUSHROOM, FRIED_MUSHROOM):
        return 1
    if item == BOILED_RICE:
        return 2
    if item == DIRTY_PLATE:
        return 3
    return 4 if item == PLATE else 5
