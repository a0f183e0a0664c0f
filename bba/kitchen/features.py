"""Event features for reward shaping: nine kinds of work that a learned partner may prefer, each with its own weight.

Method: shaped reward = team reward + the sum of weight times count over the features. A feature counts only the first
time that an item goes through it: taking an item from a dispenser counts, picking it up from a counter does not, and
chopping, washing, potting, grilling and plating happen once to an item. So no feature can be farmed with one item.
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
    MEAT_DISPENSER,
    MUSHROOM_DISPENSER,
    N_SKILLS,
    POT,
    RICE_DISPENSER,
    SERVE,
    SINK,
    WASH,
    WINDOW,
)
from bba.kitchen.layout import UNREACHABLE, Grid, Layout, grid_of
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


def reachable_features(layout: Layout, player: int) -> NDArray[np.bool_]:
    """Returns the features that a player can do: those with a station in reach of its start, booleans (9,)."""
    grid, (x, y) = grid_of(layout), layout.starts[player]
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
