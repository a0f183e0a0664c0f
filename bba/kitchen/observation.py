"""What a learned policy observes, numbers from 0 to 1, one vector for each player; and events that shape its reward.

Event features are nine kinds of work that a learned partner may prefer, each with its own weight.

Method: shaped reward = team reward + the sum of weight times count over the features. A feature counts only the first
time that an item goes through it: taking an item from a dispenser counts, picking it up from a counter does not, and
chopping, washing, potting, grilling and plating happen once to an item. So no feature can be farmed with one item.

The parts of an observation in order; S is the number of boards, grills, pots and sinks, which come in reading order:

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

from bba.kernels import disjoint, kernel, outlined_kernel
from bba.kitchen.constants import (
    BOARD,
    BOIL,
    BOILED_RICE,
    CHARCOAL,
    CHOP,
    CHOPPED_MEAT,
    CHOPPED_MUSHROOM,
    CHOPPED_STEAK,
    COMPLETED,
    COUNTER,
    DIRTY_PLATE,
    DIRTY_PLATES,
    DISH,
    EVENT,
    FACING,
    FIRE_EXT,
    FRIED_MUSHROOM,
    FRY,
    GET_BOILED_RICE,
    GET_MUSHROOM,
    GET_STEAK,
    GRAB_MEAT,
    GRAB_MUSHROOM,
    GRAB_RICE,
    GRILL,
    HELD,
    MAX_ORDERS,
    MEAT_DISPENSER,
    MUSHROOM_DISPENSER,
    N_ORDERS,
    N_SKILLS,
    NOTHING,
    PLATE,
    POSITION,
    POT,
    READY,
    RICE_DISPENSER,
    SERVE,
    SINK,
    STATE_HEADER,
    STREAK,
    TIME_LEFT,
    WASH,
    WINDOW,
    BoolArray,
    Float32Array,
    Int32Array,
    StateVector,
)
from bba.kitchen.layout import BURNING_AT, CHOPS, ORDER_LIFE, PLATES, RINSES, UNREACHABLE, Grid, Layout, grid_of
from bba.kitchen.skills import cooking_stage, feasible_targets

ITEM_SIZE = 14
PLAYER_SIZE = 2 + 4 + ITEM_SIZE
ORDERS = 2 * PLAYER_SIZE
TEAM = ORDERS + 3 * MAX_ORDERS
REACH = TEAM + 2
STATIONS = REACH + 2 * N_SKILLS
STATION_SIZE = 10
_PLACES = {CHOPPED_MEAT: 0, CHOPPED_STEAK: 0, CHOPPED_MUSHROOM: 1, FRIED_MUSHROOM: 1, BOILED_RICE: 2}
_PLACES |= {DIRTY_PLATE: 3, PLATE: 4}
CONTENT = np.array([_PLACES.get(item, 5) for item in range(PLATE + 1)])  # a station's item in its one-hot code of six
# the streak and the number of items that are encoded as 1
FULL_STREAK = 5
MANY_ITEMS = 4


def observation_size(grid: Grid) -> int:
    """Returns the length of an observation on this layout."""
    kinds = (BOARD, GRILL, POT, SINK)
    return STATIONS + STATION_SIZE * int(np.isin(grid.kind, kinds).sum()) + ITEM_SIZE


@kernel
def encode_observation(grid: Grid, state: StateVector, width: int, scratch: Int32Array, out: Float32Array) -> None:
    """Writes both players' observations into `out` (2, size); `scratch` has shape (2, 27)."""
    encode_for(grid, state, 0, width, scratch, out[0])
    first = out[0]
    second = out[1]
    for i in range(len(first)):
        second[i] = first[i]
    for i in range(PLAYER_SIZE):
        second[i], second[PLAYER_SIZE + i] = first[PLAYER_SIZE + i], first[i]
    for i in range(REACH, REACH + N_SKILLS):
        second[i], second[N_SKILLS + i] = first[N_SKILLS + i], first[i]


@disjoint
@outlined_kernel
def encode_for(grid: Grid, state: StateVector, player: int, width: int, scratch: Int32Array, out: Float32Array) -> None:
    """Writes a player's observation into `out` (size,); `scratch` has shape (2, 27)."""
    out[:] = 0
    height = len(grid.kind) // width
    for place in range(2):
        seat = player ^ place
        reach = REACH + N_SKILLS * place
        part = out[PLAYER_SIZE * place :]
        feasible_targets(grid, state, seat, scratch[0], scratch[1])
        for skill in range(N_SKILLS):
            if scratch[1, skill] < UNREACHABLE:
                out[reach + skill] = 1 / (1 + scratch[1, skill])
        here = state[POSITION + seat]
        part[0], part[1] = (here % width) / (width - 1), (here // width) / (height - 1)
        part[2 + state[FACING + seat]] = 1
        encode_item(state[HELD + seat], 1, part[6:])
    encode_team(grid, state, out)
    encode_objects(grid, state, out)


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
    offset = STATIONS
    counters = len(out) - ITEM_SIZE
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
    out[CONTENT[item]] = 1
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


(
    PLATING,  # cooked food onto a plate
    WASHING,
    DELIVERING,
    CHOPPING,
    POTTING_RICE,
    GRILLING_MEAT,
    TAKING_MUSHROOM,
    TAKING_RICE,
    TAKING_MEAT,
) = range(9)
N_FEATURES = 9
NO_FEATURE = -1
NO_WEIGHTS = np.zeros(N_FEATURES)
FEATURE_NAMES = (
    "plating",
    "washing",
    "delivering",
    "chopping",
    "potting_rice",
    "grilling_meat",
    "taking_mushroom",
    "taking_rice",
    "taking_meat",
)
FEATURE_STATIONS = {  # the kinds of tile at which each feature happens
    PLATING: (GRILL, POT),
    WASHING: (SINK,),
    DELIVERING: (WINDOW,),
    CHOPPING: (BOARD,),
    POTTING_RICE: (POT,),
    GRILLING_MEAT: (GRILL,),
    TAKING_MUSHROOM: (MUSHROOM_DISPENSER,),
    TAKING_RICE: (RICE_DISPENSER,),
    TAKING_MEAT: (MEAT_DISPENSER,),
}
_FEATURE_OF_COMPLETED = {
    GET_MUSHROOM: PLATING,
    GET_STEAK: PLATING,
    GET_BOILED_RICE: PLATING,
    WASH: WASHING,
    SERVE: DELIVERING,
    CHOP: CHOPPING,
    BOIL: POTTING_RICE,
    FRY: GRILLING_MEAT,
    GRAB_MUSHROOM: TAKING_MUSHROOM,
    GRAB_RICE: TAKING_RICE,
    GRAB_MEAT: TAKING_MEAT,
}
FEATURE_OF_SKILL = tuple(_FEATURE_OF_COMPLETED.get(skill, NO_FEATURE) for skill in range(N_SKILLS))


def reachable_features(layout: Layout, player: int) -> BoolArray:
    """Returns the features that a player can do: those with a station in reach of its start, booleans (9,)."""
    grid = grid_of(layout)
    x, y = layout.starts[player]
    near = grid.distance_to_adjacent[:, y * layout.width + x] < UNREACHABLE
    return np.array(
        [bool((near & np.isin(grid.kind, FEATURE_STATIONS[feature])).any()) for feature in range(N_FEATURES)]
    )


@kernel
def feature_of(grid: Grid, before: StateVector, after: StateVector, player: int) -> int:
    """Returns the feature of what a player did in the step from `before` to `after`; NO_FEATURE for none of the nine.

    Only the position, facing and held item of `before` are read.
    """
    if after[COMPLETED + player] == 0:
        return NO_FEATURE
    kind = grid.kind[grid.neighbour[before[POSITION + player], before[FACING + player]]]
    return event_feature(kind, before[HELD + player], after[EVENT + player])


@kernel
def event_feature(kind: int, held: int, event: int) -> int:
    """Returns the feature of a completed event at a kind of tile, with the item held before; NO_FEATURE for others."""
    feature = FEATURE_OF_SKILL[event]
    if feature == GRILLING_MEAT and held != CHOPPED_MEAT:
        return NO_FEATURE
    return NO_FEATURE if feature >= TAKING_MUSHROOM and kind == COUNTER else feature
