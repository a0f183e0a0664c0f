"""The two dishes and the way of every item through the kitchen."""

from dataclasses import dataclass

from bba.kitchen import constants

# How far one part of a dish has got.
MISSING, RAW, CHOPPED, HEATING, READY, PLATED = range(6)


@dataclass(frozen=True, slots=True)
class Dish:
    """One of the two dishes: the letter of its dispenser, and its item codes and skills along the way."""

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


def next_use(item: int, dish: Dish = STEAK) -> tuple[str, int]:
    """The letter of the station that an item goes to next, and the skill there.

    `dish` is what a plate without protein is for. An extinguisher or a tortilla goes anywhere: the letter is "".
    """
    if item in _USES:
        return _USES[item]
    if item < constants.PLATE:
        return "", constants.PUT_OUT_FIRE if item == constants.FIRE_EXT else constants.PUT_DOWN_OBJECT
    if not item & constants.ON_PROTEIN:
        return "G", dish.get_cooked
    return ("T", constants.GRAB_TORTILLA) if item & constants.ON_RICE else ("P", constants.GET_BOILED_RICE)
