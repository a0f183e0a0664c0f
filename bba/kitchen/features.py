"""What learned partners are rewarded for beside the team's reward: nine kinds of work, each with a weight of its own.

A feature is counted only the first time that an item goes through it: taking from a dispenser counts, taking up again
from a counter does not; chopping, washing, potting, grilling and plating happen to an item once. So none of them can be
farmed with one item. Method: reward = team reward + sum of weight times count over the features.
"""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen.constants import (
    BOARD,
    BOIL,
    CHOP,
    CHOPPED_MEAT,
    COUNTER,
    FRY,
    GET_BOILED_RICE,
    GET_MUSHROOM,
    GET_STEAK,
    GRAB_MEAT,
    GRAB_MUSHROOM,
    GRAB_RICE,
    GRILL,
    MEAT_SOURCE,
    MUSHROOM_SOURCE,
    POT,
    RICE_SOURCE,
    SERVE,
    SINK,
    WASH,
    WINDOW,
)
from bba.kitchen.grid import UNREACHABLE, Grid, grid_of
from bba.kitchen.layout import Layout
from bba.kitchen.state import COMPLETED, EVENT, FACING, HELD, POSITION, StateVector

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
FEATURE_STATIONS = {  # at which tiles each feature happens
    PLATING: (GRILL, POT),
    WASHING: (SINK,),
    DELIVERING: (WINDOW,),
    CHOPPING: (BOARD,),
    POTTING_RICE: (POT,),
    GRILLING_MEAT: (GRILL,),
    TAKING_MUSHROOM: (MUSHROOM_SOURCE,),
    TAKING_RICE: (RICE_SOURCE,),
    TAKING_MEAT: (MEAT_SOURCE,),
}


def reachable_features(layout: Layout, player: int) -> NDArray[np.bool_]:
    """Which features a player can do at all: those of which a station is in reach from where it starts, (9,)."""
    grid, (x, y) = grid_of(layout), layout.starts[player]
    near = grid.distance_to_adjacent[:, y * layout.width + x] < UNREACHABLE
    return np.array(
        [bool((near & np.isin(grid.tile, FEATURE_STATIONS[feature])).any()) for feature in range(N_FEATURES)]
    )


@kernel
def feature_of(grid: Grid, before: StateVector, after: StateVector, p: int) -> int:
    """The feature of what player p did in the step from `before` to `after`; NO_FEATURE where it is none of the nine.

    Only the position, facing and hand of `before` are read.
    """
    if after[COMPLETED + p] == 0:
        return NO_FEATURE
    tile = grid.tile[grid.neighbour[before[POSITION + p], before[FACING + p]]]
    return feature(tile, before[HELD + p], after[EVENT + p])


@kernel
def feature(tile: int, held: int, event: int) -> int:
    """The feature of a completed event at a tile of this kind with this in hand before it; NO_FEATURE for others."""
    if event == GET_MUSHROOM or event == GET_STEAK or event == GET_BOILED_RICE:
        return PLATING
    if event == WASH:
        return WASHING
    if event == SERVE:
        return DELIVERING
    if event == CHOP:
        return CHOPPING
    if event == BOIL:
        return POTTING_RICE
    if event == FRY:
        return GRILLING_MEAT if held == CHOPPED_MEAT else NO_FEATURE
    return NO_FEATURE if tile == COUNTER else dispenser_feature(event)


@kernel
def dispenser_feature(event: int) -> int:
    """The feature of a completed event at a dispenser."""
    if event == GRAB_MUSHROOM:
        return TAKING_MUSHROOM
    if event == GRAB_RICE:
        return TAKING_RICE
    return TAKING_MEAT if event == GRAB_MEAT else NO_FEATURE
