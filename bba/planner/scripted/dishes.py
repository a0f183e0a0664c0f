"""The two dishes, and the next use of every item."""

from bba.kernels import kernel
from bba.kitchen import constants
from bba.kitchen.constants import CHARCOAL, DIRTY_PLATE, FIRE_EXT, ON_PROTEIN, ON_RICE, PLATE, RICE
from bba.planner.scripted.scene_facts import (
    BOARDS,
    GRILLS,
    MEATS,
    MUSHROOMS,
    NO_STATION,
    POTS,
    SINKS,
    TORTILLAS,
    TRASHES,
    WINDOWS,
)

# The dishes by number: the kind of its protein's dispenser, its items and its skills from raw to served.
STEAK, MUSHROOM = range(2)
NO_DISH = -1
SOURCE = (MEATS, MUSHROOMS)
RAW_OF = (constants.MEAT, constants.MUSHROOM)
CHOPPED_OF = (constants.CHOPPED_MEAT, constants.CHOPPED_MUSHROOM)
COOKED_OF = (constants.CHOPPED_STEAK, constants.FRIED_MUSHROOM)
BIT_OF = (constants.ON_STEAK, constants.ON_MUSHROOM)
BURRITO_OF = (constants.STEAK_BURRITO, constants.MUSHROOM_BURRITO)
GRAB_RAW = (constants.GRAB_MEAT, constants.GRAB_MUSHROOM)
GRAB_CHOPPED = (constants.GRAB_CHOPPED_MEAT, constants.GRAB_CHOPPED_MUSHROOM)
GET_COOKED = (constants.GET_STEAK, constants.GET_MUSHROOM)
GRAB_BURRITO = (constants.GRAB_STEAK_BURRITO, constants.GRAB_MUSHROOM_BURRITO)


@kernel
def raw_dish(code: int) -> int:
    """Returns the dish of raw protein; NO_DISH for any other item."""
    return _find(code, RAW_OF[0], RAW_OF[1])


@kernel
def chopped_dish(code: int) -> int:
    """Returns the dish of chopped protein; NO_DISH for any other item."""
    return _find(code, CHOPPED_OF[0], CHOPPED_OF[1])


@kernel
def cooked_dish(code: int) -> int:
    """Returns the dish of cooked protein; NO_DISH for any other item."""
    return _find(code, COOKED_OF[0], COOKED_OF[1])


@kernel
def burrito_dish(code: int) -> int:
    """Returns the dish of a burrito; NO_DISH for any other item."""
    return _find(code, BURRITO_OF[0], BURRITO_OF[1])


@kernel
def _find(code: int, of_steak: int, of_mushroom: int) -> int:
    if code == of_steak:
        return STEAK
    return MUSHROOM if code == of_mushroom else NO_DISH


@kernel
def parts_on(plate: int) -> int:
    """Returns the number of parts on a plate."""
    return (plate & 1) + (plate >> 1 & 1) + (plate >> 2 & 1) + (plate >> 3 & 1)


@kernel
def next_station(code: int) -> int:
    """Returns the kind of station that an item goes to next; NO_STATION for an extinguisher or a tortilla."""
    if code >= PLATE:
        if burrito_dish(code) != NO_DISH:
            return WINDOWS
        if not code & ON_PROTEIN:
            return GRILLS
        return TORTILLAS if code & ON_RICE else POTS
    if raw_dish(code) != NO_DISH:
        return BOARDS
    if chopped_dish(code) != NO_DISH:
        return GRILLS
    if code == RICE:
        return POTS
    if code == DIRTY_PLATE:
        return SINKS
    return TRASHES if code == CHARCOAL else NO_STATION


@kernel
def next_use(code: int, dish: int) -> int:
    """Returns the skill that uses an item next; `dish` is that of a plate without protein."""
    if code >= PLATE:
        if burrito_dish(code) != NO_DISH:
            return constants.SERVE
        if not code & ON_PROTEIN:
            return GET_COOKED[dish]
        return constants.GRAB_TORTILLA if code & ON_RICE else constants.GET_BOILED_RICE
    if raw_dish(code) != NO_DISH:
        return constants.CHOP
    if chopped_dish(code) != NO_DISH:
        return constants.FRY
    if code == RICE:
        return constants.BOIL
    if code == DIRTY_PLATE:
        return constants.WASH
    if code == CHARCOAL:
        return constants.THROW
    return constants.PUT_OUT_FIRE if code == FIRE_EXT else constants.PUT_DOWN_OBJECT
