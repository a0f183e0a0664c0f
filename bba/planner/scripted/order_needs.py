"""What the next orders still lack: demand minus everything that is already under way, wherever it is."""

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

AHEAD = 3  # orders to plan for; more would lock up plates, grills and pots for dishes that cannot be served yet
FIRST = 2  # orders that come before all later ones: those are planned for once the food of these is on the heat


@dataclass(slots=True)
class OrderSlot:
    """One of the next orders and what there is for it.

    `plate` is the code of the clean or filled plate set aside for it (0: none), `plate_coming` says that a dirty one
    has left the stack for it. `protein` and `rice` say how far these parts have got, their `wait` is the number of
    steps until they are cooked, `NEVER` for what is not on the heat.
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
"""Stage and wait of one portion of food."""


@dataclass(slots=True)
class _Stock:
    """Everything under way, sorted by what it can become."""

    plates: list[int] = field(default_factory=list)
    coming: int = 0
    protein: dict[str, list[Part]] = field(default_factory=lambda: {dish.name: [] for dish in DISHES})
    rice: list[Part] = field(default_factory=list)

    def add(self, item: int, tag: str, number: int) -> None:
        """Count one item; what burns, charcoal and the stack's plates are no use to an order."""
        if tag in ("BURNT", "stack"):
            return
        stage, wait = (HEATING, number) if tag == "cooking" else (READY, 0)
        if item >= PLATE:
            self.plates.append(item)
        elif item == DIRTY_PLATE:
            self.coming += 1
        elif item in PROTEIN:
            dish, stage = PROTEIN[item]
            self.protein[dish.name].append((RAW if tag == "unready" else stage, NEVER))
        elif item in COOKED:
            self.protein[COOKED[item].name].append((stage, wait))
        elif item == RICE:
            self.rice.append((RAW, NEVER))
        elif item == BOILED_RICE:
            self.rice.append((stage, wait))


def order_needs(facts: SceneFacts) -> list[OrderSlot]:
    """The next orders to work for, first one first, each with the best of what is under way set aside for it."""
    stock = _stock(facts)
    slots = [OrderSlot(dish, rank) for rank, dish in enumerate(upcoming(facts))]
    _share_plates(slots, stock)
    for slot in slots:
        parts = stock.protein[slot.dish.name]
        if slot.protein != PLATED and parts:
            slot.protein, slot.protein_wait = parts.pop(0)
        if slot.rice != PLATED and stock.rice:
            slot.rice, slot.rice_wait = stock.rice.pop(0)
    return slots if all(map(_under_way, slots[:FIRST])) else slots[:FIRST]


def _under_way(slot: OrderSlot) -> bool:
    """Whether both parts are on the heat or further."""
    return min(slot.protein, slot.rice) >= HEATING


def upcoming(facts: SceneFacts) -> list[Dish]:
    """The dishes of the next orders; as orders alternate, those after the last active one are known too."""
    dishes = [STEAK if name == STEAK.name else MUSHROOM for name, _ in facts.orders[:AHEAD]]
    while dishes and len(dishes) < AHEAD:
        dishes.append(STEAK if dishes[-1] is MUSHROOM else MUSHROOM)
    return dishes


def _stock(facts: SceneFacts) -> _Stock:
    stock = _Stock()
    for thing in facts.things:
        stock.add(thing.item, thing.tag, thing.number)
    for cook in (facts.me, facts.mate):
        stock.add(cook.held, "", NEVER)
    for parts in (*stock.protein.values(), stock.rice):
        parts.sort(key=_furthest_first)
    stock.plates.sort(key=_fullest_first)
    return stock


def _furthest_first(part: Part) -> tuple[int, int]:
    return -part[0], part[1]


def _fullest_first(plate: int) -> int:
    return -(plate & ~PLATE).bit_count()


def _share_plates(slots: list[OrderSlot], stock: _Stock) -> None:
    for plate in stock.plates:
        protein = plate & ON_PROTEIN
        for slot in slots:
            if slot.plate == NOTHING and protein in (0, slot.dish.bit):
                slot.plate = plate
                slot.protein = PLATED if protein else MISSING
                slot.rice = PLATED if plate & ON_RICE else MISSING
                break
    for slot in slots:
        if slot.plate == NOTHING and stock.coming:
            slot.plate_coming = True
            stock.coming -= 1
