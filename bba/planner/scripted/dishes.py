"""The two dishes, and what happens next to every item."""

from collections.abc import Mapping

from bba.kernels import kernel
from bba.kitchen import constants
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
NO_FOOD = -1  # in the place of a code that no item has
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
N_CODES = 32  # of items


def _by_code(found: Mapping[int, int], otherwise: int) -> tuple[int, ...]:
    """Returns a table for kernels: what is found by an item's code."""
    return tuple(found.get(code, otherwise) for code in range(N_CODES))


def _plates(protein: int, rice: int, tortilla: int, burrito: int) -> dict[int, int]:
    """Returns what is next for each plate: what is for its protein, if it has none, and so on."""
    plates = range(constants.PLATE, N_CODES)
    found = {
        code: protein if not code & constants.ON_PROTEIN else tortilla if code & constants.ON_RICE else rice
        for code in plates
    }
    return found | dict.fromkeys(BURRITO_OF, burrito)


# By the code of an item: the dish of raw, chopped and cooked protein and of a burrito; the kind of station that it goes
# to next; for either dish, which is that of a plate without protein, the skill that uses it; the skill that takes it
# off a counter, which none does with charcoal.
RAW_DISH, CHOPPED_DISH, COOKED_DISH, BURRITO_DISH = (
    _by_code({steak: STEAK, mushroom: MUSHROOM}, NO_DISH)
    for steak, mushroom in (RAW_OF, CHOPPED_OF, COOKED_OF, BURRITO_OF)
)
NEXT_STATION = _by_code(
    dict.fromkeys(RAW_OF, BOARDS)
    | dict.fromkeys(CHOPPED_OF, GRILLS)
    | {constants.RICE: POTS, constants.DIRTY_PLATE: SINKS, constants.CHARCOAL: TRASHES}
    | _plates(GRILLS, POTS, TORTILLAS, WINDOWS),
    NO_STATION,
)
_USES = dict.fromkeys(RAW_OF, constants.CHOP) | dict.fromkeys(CHOPPED_OF, constants.FRY)
_USES |= {constants.RICE: constants.BOIL, constants.DIRTY_PLATE: constants.WASH}
_USES |= {constants.CHARCOAL: constants.THROW, constants.FIRE_EXT: constants.PUT_OUT_FIRE}
STEAK_USE, MUSHROOM_USE = (
    _by_code(
        _USES | _plates(get, constants.GET_BOILED_RICE, constants.GRAB_TORTILLA, constants.SERVE),
        constants.PUT_DOWN_OBJECT,
    )
    for get in GET_COOKED
)
_TWO_PARTS = constants.GRAB_TWO_INGREDIENT_PLATE
_GRAB_PLATE = (constants.GRAB_CLEAN_PLATE, constants.GRAB_ONE_INGREDIENT_PLATE, _TWO_PARTS, _TWO_PARTS, _TWO_PARTS)
SKILL_TO_GRAB = _by_code(
    {code: _GRAB_PLATE[(code - constants.PLATE).bit_count()] for code in range(constants.PLATE, N_CODES)}
    | dict(zip(RAW_OF + CHOPPED_OF + BURRITO_OF, GRAB_RAW + GRAB_CHOPPED + GRAB_BURRITO, strict=True))
    | {
        constants.RICE: constants.GRAB_RICE,
        constants.DIRTY_PLATE: constants.GRAB_DIRTY_PLATE,
        constants.FIRE_EXT: constants.GRAB_FIRE_EXT,
    },
    constants.NO_SKILL,
)


@kernel
def parts_on(plate: int) -> int:
    """Returns the number of parts on a plate."""
    return (plate & 1) + (plate >> 1 & 1) + (plate >> 2 & 1) + (plate >> 3 & 1)


@kernel
def next_use(code: int, dish: int) -> int:
    """Returns the skill that uses an item next; `dish` is that of a plate without protein."""
    return STEAK_USE[code] if dish == STEAK else MUSHROOM_USE[code]
