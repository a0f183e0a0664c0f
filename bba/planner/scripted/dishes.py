"""The two dishes and the way of every item through the kitchen."""

from dataclasses import dataclass

from bba.kitchen import codes

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
    raw=codes.MEAT,
    chopped=codes.CHOPPED_MEAT,
    cooked=codes.CHOPPED_STEAK,
    bit=codes.ON_STEAK,
    burrito=codes.STEAK_BURRITO,
    grab_raw=codes.GRAB_MEAT,
    grab_chopped=codes.GRAB_CHOPPED_MEAT,
    get_cooked=codes.GET_STEAK,
    grab_burrito=codes.GRAB_STEAK_BURRITO,
)
MUSHROOM = Dish(
    name="mushroom_burrito",
    source="Z",
    raw=codes.MUSHROOM,
    chopped=codes.CHOPPED_MUSHROOM,
    cooked=codes.FRIED_MUSHROOM,
    bit=codes.ON_MUSHROOM,
    burrito=codes.MUSHROOM_BURRITO,
    grab_raw=codes.GRAB_MUSHROOM,
    grab_chopped=codes.GRAB_CHOPPED_MUSHROOM,
    get_cooked=codes.GET_MUSHROOM,
    grab_burrito=codes.GRAB_MUSHROOM_BURRITO,
)
DISHES = (STEAK, MUSHROOM)

PROTEIN = {dish.raw: (dish, RAW) for dish in DISHES} | {dish.chopped: (dish, CHOPPED) for dish in DISHES}
COOKED = {dish.cooked: dish for dish in DISHES}
BURRITOS = {dish.burrito: dish for dish in DISHES}
_USES = (
    {codes.RICE: ("P", codes.BOIL), codes.DIRTY_PLATE: ("W", codes.WASH), codes.CHARCOAL: ("U", codes.THROW)}
    | {dish.raw: ("B", codes.CHOP) for dish in DISHES}
    | {dish.chopped: ("G", codes.FRY) for dish in DISHES}
    | {dish.burrito: ("S", codes.SERVE) for dish in DISHES}
)


def next_use(item: int, dish: Dish = STEAK) -> tuple[str, int]:
    """The letter of the station that an item goes to next, and the skill there.

    `dish` is what a plate without protein is for. An extinguisher or a tortilla goes anywhere: the letter is "".
    """
    if item in _USES:
        return _USES[item]
    if item < codes.PLATE:
        return "", codes.PUT_OUT_FIRE if item == codes.FIRE_EXT else codes.PUT_DOWN_OBJECT
    if not item & codes.ON_PROTEIN:
        return "G", dish.get_cooked
    return ("T", codes.GRAB_TORTILLA) if item & codes.ON_RICE else ("P", codes.GET_BOILED_RICE)
