"""What the next orders still lack: their parts minus everything that is already in preparation."""

from dataclasses import dataclass, field

from bba.kitchen.constants import BOILED_RICE, DIRTY_PLATE, NOTHING, ON_PROTEIN, ON_RICE, PLATE, RICE
from bba.planner.scripted.prompt_parser import NEVER, SceneFacts
from bba.planner.scripted.recipes import (
    COOKED,
    DISHES,
    HEATING,
    MISSING,
    MUSHROOM,
    PLATED,
    PROTEIN,
    RAW,
    READY,
    STEAK,
    Dish,
)

ORDERS_AHEAD = 3  # orders to plan for; more would lock up plates, grills and pots for dishes that cannot be served yet
URGENT_ORDERS = 2  # later orders are planned for only once the food of these is cooking or further


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
    return slots if all(map(_under_way, slots[:URGENT_ORDERS])) else slots[:URGENT_ORDERS]


def _under_way(slot: OrderSlot) -> bool:
    """Whether both parts are cooking or further."""
    return min(slot.protein, slot.rice) >= HEATING


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
        parts.sort(key=_furthest_first)
    stock.plates.sort(key=_fullest_first)
    return stock


def _furthest_first(part: Part) -> tuple[int, int]:
    return -part[0], part[1]


def _fullest_first(plate: int) -> int:
    return -(plate & ~PLATE).bit_count()


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
