"""The two dishes, and the next station and skill of every item."""

from dataclasses import dataclass

from bba.kitchen import constants

# Stages of one part of a dish.
MISSING, RAW, CHOPPED, HEATING, READY, PLATED = range(6)


@dataclass(frozen=True, slots=True)
class Dish:
    """A dish: the letter of its protein's dispenser, and its item codes and skills from raw to served."""

    name: str
    source: str
    raw: int
    chopped: int
    cooked: int
    bit: int
    burrito: int
    grab_raw: int
    grab_chopped: int
    get_cooked: int
    grab_burrito: int


STEAK = Dish(
    name="steak_burrito",
    source="M",
    raw=constants.MEAT,
    chopped=constants.CHOPPED_MEAT,
    cooked=constants.CHOPPED_STEAK,
    bit=constants.ON_STEAK,
    burrito=constants.STEAK_BURRITO,
    grab_raw=constants.GRAB_MEAT,
    grab_chopped=constants.GRAB_CHOPPED_MEAT,
    get_cooked=constants.GET_STEAK,
    grab_burrito=constants.GRAB_STEAK_BURRITO,
)
MUSHROOM = Dish(
    name="mushroom_burrito",
    source="Z",
    raw=constants.MUSHROOM,
    chopped=constants.CHOPPED_MUSHROOM,
    cooked=constants.FRIED_MUSHROOM,
    bit=constants.ON_MUSHROOM,
    burrito=constants.MUSHROOM_BURRITO,
    grab_raw=constants.GRAB_MUSHROOM,
    grab_chopped=constants.GRAB_CHOPPED_MUSHROOM,
    get_cooked=constants.GET_MUSHROOM,
    grab_burrito=constants.GRAB_MUSHROOM_BURRITO,
)
DISHES = (STEAK, MUSHROOM)

PROTEIN = {dish.raw: (dish, RAW) for dish in DISHES} | {dish.chopped: (dish, CHOPPED) for dish in DISHES}
COOKED = {dish.cooked: dish for dish in DISHES}
BURRITOS = {dish.burrito: dish for dish in DISHES}
_USES = (
    {
        constants.RICE: ("P", constants.BOIL),
        constants.DIRTY_PLATE: ("W", constants.WASH),
        constants.CHARCOAL: ("U", constants.THROW),
    }
    | {dish.raw: ("B", constants.CHOP) for dish in DISHES}
    | {dish.chopped: ("G", constants.FRY) for dish in DISHES}
    | {dish.burrito: ("S", constants.SERVE) for dish in DISHES}
)


def next_use(code: int, dish: Dish = STEAK) -> tuple[str, int]:
    """Returns the letter of the station that an item goes to next, and the skill there.

    `dish` is the dish of a plate without protein. An extinguisher or a tortilla has no such station: the letter is "".
    """
    if code in _USES:
        return _USES[code]
    if code < constants.PLATE:
        return "", constants.PUT_OUT_FIRE if code == constants.FIRE_EXT else constants.PUT_DOWN_OBJECT
    if not code & constants.ON_PROTEIN:
        return "G", dish.get_cooked
    return ("T", constants.GRAB_TORTILLA) if code & constants.ON_RICE else ("P", constants.GET_BOILED_RICE)
