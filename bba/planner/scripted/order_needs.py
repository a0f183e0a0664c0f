"""The two dishes, the next use of every item, and what the next orders still lack.

An order lacks its parts minus everything that is already in preparation.
"""

from dataclasses import dataclass, field

from bba.kitchen import constants
from bba.kitchen.constants import BOILED_RICE, DIRTY_PLATE, NOTHING, ON_PROTEIN, ON_RICE, PLATE, RICE
from bba.planner.scripted.scene_facts import NEVER, SceneFacts

# Stages of one part of a dish.
MISSING, RAW, CHOPPED, HEATING, READY, PLATED = range(6)
ORDERS_AHEAD = 3  # orders to plan for; more would lock up plates, grills and pots for dishes that cannot be served yet
URGENT_ORDERS = 2  # later orders are planned for only once the food of these is cooking or further


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


@dataclass(slots=True)
class OrderSlot:
    """One of the next orders and what is assigned to it.

    `plate` is the code of the clean or filled plate assigned to it (0: none); `plate_coming`: a dirty plate has left
    the stack for it. `protein` and `rice` are the stages of these parts; their `wait` is the number of steps until they
    are cooked, `NEVER` for food that is not cooking.
    """

    dish: Dish
    rank: int
    plate: int = NOTHING
    plate_coming: bool = False
    protein: int = MISSING
    protein_wait: int = NEVER
    rice: int = MISSING
    rice_wait: int = NEVER


Part = tuple[int, int]


"""The stage and the wait of one portion of food."""


@dataclass(slots=True)
class _Stock:
    """Everything in preparation, by the part of an order that it can become."""

    plates: list[int] = field(default_factory=list)
    dirty_plates: int = 0
    protein: dict[str, list[Part]] = field(default_factory=lambda: {dish.name: [] for dish in DISHES})
    rice: list[Part] = field(default_factory=list)

    def add(self, code: int, tag: str, number: int) -> None:
        """Counts one item; burning food, charcoal and plates on the stack are of no use to an order."""
        if tag in ("BURNT", "stack"):
            return
        stage, wait = (HEATING, number) if tag == "cooking" else (READY, 0)
        if code >= PLATE:
            self.plates.append(code)
        elif code == DIRTY_PLATE:
            self.dirty_plates += 1
        elif code in PROTEIN:
            dish, stage = PROTEIN[code]
            self.protein[dish.name].append((RAW if tag == "unready" else stage, NEVER))
        elif code in COOKED:
            self.protein[COOKED[code].name].append((stage, wait))
        elif code == RICE:
            self.rice.append((RAW, NEVER))
        elif code == BOILED_RICE:
            self.rice.append((stage, wait))


def order_needs(facts: SceneFacts) -> list[OrderSlot]:
    """Returns the next orders to work for, first one first, each with the best prepared parts assigned to it."""
    stock = _stock(facts)
    slots = [OrderSlot(dish, rank) for rank, dish in enumerate(upcoming(facts))]
    _assign_plates(slots, stock)
    for slot in slots:
        parts = stock.protein[slot.dish.name]
        if slot.protein != PLATED and parts:
            slot.protein, slot.protein_wait = parts.pop(0)
        if slot.rice != PLATED and stock.rice:
            slot.rice, slot.rice_wait = stock.rice.pop(0)
    urgent = slots[:URGENT_ORDERS]
    return slots if all(min(slot.protein, slot.rice) >= HEATING for slot in urgent) else urgent


def upcoming(facts: SceneFacts) -> list[Dish]:
    """Returns the dishes of the next orders; orders alternate, so those after the last active one are known too."""
    dishes = [STEAK if name == STEAK.name else MUSHROOM for name, _ in facts.orders[:ORDERS_AHEAD]]
    while dishes and len(dishes) < ORDERS_AHEAD:
        dishes.append(STEAK if dishes[-1] is MUSHROOM else MUSHROOM)
    return dishes


def _stock(facts: SceneFacts) -> _Stock:
    stock = _Stock()
    for item in facts.items:
        stock.add(item.code, item.tag, item.number)
    for cook in (facts.me, facts.teammate):
        stock.add(cook.held, "", NEVER)
    for parts in (*stock.protein.values(), stock.rice):
        parts.sort(key=lambda part: (-part[0], part[1]))  # the furthest first
    stock.plates.sort(key=lambda plate: -(plate & ~PLATE).bit_count())  # the fullest first
    return stock


def _assign_plates(slots: list[OrderSlot], stock: _Stock) -> None:
    for plate in stock.plates:
        protein = plate & ON_PROTEIN
        for slot in slots:
            if slot.plate == NOTHING and protein in (0, slot.dish.bit):
                slot.plate = plate
                slot.protein = PLATED if protein else MISSING
                slot.rice = PLATED if plate & ON_RICE else MISSING
                break
    for slot in slots:
        if slot.plate == NOTHING and stock.dirty_plates:
            slot.plate_coming = True
            stock.dirty_plates -= 1
