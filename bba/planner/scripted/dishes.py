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


def _by_code(values: Mapping[int, int], otherwise: int) -> tuple[int, ...]:
    """Returns a table for kernels, which read no dictionaries: the value of each item's code."""
    return tuple([values.get(code, otherwise) for code in range(N_CODES)])


def _dish_of(steak_code: int, mushroom_code: int) -> tuple[int, ...]:
    """Returns the dish by an item's code, where one item belongs to each dish; NO_DISH for all other items."""
    return _by_code({steak_code: STEAK, mushroom_code: MUSHROOM}, NO_DISH)


def _by_plate(protein: int, rice: int, tortilla: int, burrito: int) -> dict[int, int]:
    """Returns a value by each plate's code: that of the part that goes onto the plate next, or that of a burrito."""
    values = {}
    for code in range(constants.PLATE, N_CODES):
        if not code & constants.ON_PROTEIN:
            values[code] = protein
        elif not code & constants.ON_RICE:
            values[code] = rice
        else:
            values[code] = tortilla
    for code in BURRITO_OF:
        values[code] = burrito
    return values


def _next_use(get_cooked: int) -> tuple[int, ...]:
    """Returns the skill that uses an item next, by code; `get_cooked` fills a plate without protein."""
    uses = dict.fromkeys(RAW_OF, constants.CHOP)
    uses |= dict.fromkeys(CHOPPED_OF, constants.FRY)
    uses[constants.RICE] = constants.BOIL
    uses[constants.DIRTY_PLATE] = constants.WASH
    uses[constants.CHARCOAL] = constants.THROW
    uses[constants.FIRE_EXT] = constants.PUT_OUT_FIRE
    uses |= _by_plate(get_cooked, constants.GET_BOILED_RICE, constants.GRAB_TORTILLA, constants.SERVE)
    return _by_code(uses, constants.PUT_DOWN_OBJECT)


def _next_station() -> tuple[int, ...]:
    stations = dict.fromkeys(RAW_OF, BOARDS)
    stations |= dict.fromkeys(CHOPPED_OF, GRILLS)
    stations[constants.RICE] = POTS
    stations[constants.DIRTY_PLATE] = SINKS
    stations[constants.CHARCOAL] = TRASHES
    stations |= _by_plate(GRILLS, POTS, TORTILLAS, WINDOWS)
    return _by_code(stations, NO_STATION)


def _skill_to_grab() -> tuple[int, ...]:
    skills = dict(zip(RAW_OF, GRAB_RAW, strict=True))
    skills.update(zip(CHOPPED_OF, GRAB_CHOPPED, strict=True))
    skills[constants.RICE] = constants.GRAB_RICE
    skills[constants.DIRTY_PLATE] = constants.GRAB_DIRTY_PLATE
    skills[constants.FIRE_EXT] = constants.GRAB_FIRE_EXT
    for code in range(constants.PLATE, N_CODES):
        parts = (code - constants.PLATE).bit_count()
        if parts == 0:
            skills[code] = constants.GRAB_CLEAN_PLATE
        elif parts == 1:
            skills[code] = constants.GRAB_ONE_INGREDIENT_PLATE
        else:
            skills[code] = constants.GRAB_TWO_INGREDIENT_PLATE
    skills.update(zip(BURRITO_OF, GRAB_BURRITO, strict=True))
    return _by_code(skills, constants.NO_SKILL)


# Tables by the code of an item. The dish of raw, chopped and cooked protein, and of a burrito:
RAW_DISH = _dish_of(*RAW_OF)
CHOPPED_DISH = _dish_of(*CHOPPED_OF)
COOKED_DISH = _dish_of(*COOKED_OF)
BURRITO_DISH = _dish_of(*BURRITO_OF)
# The kind of station that the item goes to next:
NEXT_STATION = _next_station()
# The skill that uses the item, if the dish of a plate without protein is steak, or mushroom:
STEAK_USE = _next_use(GET_COOKED[STEAK])
MUSHROOM_USE = _next_use(GET_COOKED[MUSHROOM])
# The skill that takes the item off a counter, which none does with charcoal:
SKILL_TO_GRAB = _skill_to_grab()


@kernel
def parts_on(plate: int) -> int:
    """Returns the number of parts on a plate."""
    return (plate & 1) + (plate >> 1 & 1) + (plate >> 2 & 1) + (plate >> 3 & 1)


@kernel
def next_use(code: int, dish: int) -> int:
    """Returns the skill that uses an item next; `dish` is that of a plate without protein."""
    return STEAK_USE[code] if dish == STEAK else MUSHROOM_USE[code]
