"""What the next orders still lack.

An order lacks its parts minus everything that is already in preparation.
"""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import (
    BOILED_RICE,
    DIRTY_PLATE,
    NOTHING,
    ON_PROTEIN,
    ON_RICE,
    PLATE,
    RICE,
)
from bba.planner.scripted.dishes import BIT_OF, MUSHROOM, NO_DISH, STEAK, chopped_dish, cooked_dish, parts_on, raw_dish
from bba.planner.scripted.scene_facts import (
    BURNT,
    CODE,
    COOKS,
    HELD,
    ITEMS,
    MATE,
    ME,
    NEVER,
    NUMBER,
    ORDERS,
    ORDERS_AHEAD,
    SLOTS,
    STACK,
    TAG,
    UNREADY,
    UNTAGGED,
    Ints,
    SceneFacts,
)

# Stages of one part of a dish.
MISSING, RAW, CHOPPED, HEATING, READY, PLATED = range(6)
URGENT_ORDERS = 2  # later orders are planned for only once the food of these is cooking or further

# Columns of `SceneFacts.slots`: one of the next orders, in their order, and what is assigned to it. The plate is the
# code of a clean or filled one (NOTHING: none); `COMING`: a dirty plate has left the stack for it. Protein and rice are
# the stages of these parts, and the steps until they are cooked, `NEVER` for food that is not cooking.
DISH, HAS_PLATE, COMING, PROTEIN, PROTEIN_WAIT, GRAINS, GRAINS_WAIT = range(7)

# A portion of food is one number: the stages that it lacks, and the steps until it is cooked. Rice is the third kind.
_FURTHEST = 10 * NEVER
_NO_PART = 10 * _FURTHEST
_GRAINS = 2


@kernel
def first_dish(facts: SceneFacts) -> int:
    """Returns the dish of the first order; without one, the steak."""
    return facts.dishes[0] if facts.numbers[ORDERS] else STEAK


@outlined_kernel
def order_needs(facts: SceneFacts) -> None:
    """Writes the slots of the next orders to work for, first one first, each with the best prepared parts."""
    slots = facts.slots
    list_orders(facts)
    list_parts(facts)
    assign_plates(facts)
    for rank in range(facts.numbers[SLOTS]):
        slot = slots[rank]
        if slot[PROTEIN] != PLATED:
            assign_best(facts.parts[slot[DISH]], slot[PROTEIN : PROTEIN_WAIT + 1])
        if slot[GRAINS] != PLATED:
            assign_best(facts.parts[_GRAINS], slot[GRAINS : GRAINS_WAIT + 1])
    for rank in range(min(facts.numbers[SLOTS], URGENT_ORDERS)):
        if min(slots[rank, PROTEIN], slots[rank, GRAINS]) < HEATING:
            facts.numbers[SLOTS] = min(facts.numbers[SLOTS], URGENT_ORDERS)


@kernel
def list_orders(facts: SceneFacts) -> None:
    """Writes an empty slot for each of the next orders; they alternate, so that those to come are known."""
    known, slots = facts.numbers[ORDERS], facts.slots
    facts.numbers[SLOTS] = ORDERS_AHEAD if known else 0
    for rank in range(facts.numbers[SLOTS]):
        slot = slots[rank]
        slot[DISH] = facts.dishes[rank] if rank < known else STEAK + MUSHROOM - slots[rank - 1, DISH]
        slot[HAS_PLATE], slot[COMING] = NOTHING, 0
        slot[PROTEIN], slot[PROTEIN_WAIT], slot[GRAINS], slot[GRAINS_WAIT] = MISSING, NEVER, MISSING, NEVER


@kernel
def list_parts(facts: SceneFacts) -> None:
    """Writes the best portions of either protein and of rice that are in preparation, the furthest first."""
    facts.parts[:] = _NO_PART
    for item in range(facts.numbers[ITEMS]):
        found = facts.items[item]
        if found[TAG] != BURNT and found[TAG] != STACK:
            list_part(facts, found[CODE], found[TAG], found[NUMBER])
    for who in range(2):
        list_part(facts, facts.cooks[who, HELD], UNTAGGED, NEVER)


@outlined_kernel
def list_part(facts: SceneFacts, code: int, tag: int, number: int) -> None:
    """Lists one item if it is a part of a dish."""
    kind, stage, wait = raw_dish(code), RAW, NEVER
    if kind == NO_DISH:
        kind, stage = chopped_dish(code), RAW if tag == UNREADY else CHOPPED
    if kind == NO_DISH and code == RICE:
        kind, stage = _GRAINS, RAW
    if kind == NO_DISH:
        kind = _GRAINS if code == BOILED_RICE else cooked_dish(code)
        stage, wait = (HEATING, number) if tag == COOKS else (READY, 0)
    if kind == NO_DISH:
        return
    part = (PLATED - stage) * _FURTHEST + wait
    for place in range(ORDERS_AHEAD):
        if part < facts.parts[kind, place]:
            facts.parts[kind, place], part = part, facts.parts[kind, place]


@kernel
def assign_best(parts: Ints, slot: Ints) -> None:
    """Moves the first of the parts, if there is one, to a slot's stage and wait."""
    best = parts[0]
    if best == _NO_PART:
        return
    slot[0], slot[1] = PLATED - best // _FURTHEST, best % _FURTHEST
    for place in range(1, ORDERS_AHEAD):
        parts[place - 1] = parts[place]
    parts[ORDERS_AHEAD - 1] = _NO_PART


@kernel
def assign_plates(facts: SceneFacts) -> None:
    """Assigns the plates to slots, the fullest first, then the dirty ones that have left the stack."""
    for parts in range(4, -1, -1):
        for item in range(facts.numbers[ITEMS]):
            if facts.items[item, TAG] != BURNT:
                assign_plate(facts, facts.items[item, CODE], parts)
        for who in range(2):
            assign_plate(facts, facts.cooks[who, HELD], parts)
    dirty = (facts.cooks[ME, HELD] == DIRTY_PLATE) + (facts.cooks[MATE, HELD] == DIRTY_PLATE)
    for item in range(facts.numbers[ITEMS]):
        dirty += facts.items[item, CODE] == DIRTY_PLATE and facts.items[item, TAG] != STACK
    for rank in range(facts.numbers[SLOTS]):
        if facts.slots[rank, HAS_PLATE] == NOTHING and dirty > 0:
            facts.slots[rank, COMING] = 1
            dirty -= 1


@outlined_kernel
def assign_plate(facts: SceneFacts, code: int, parts: int) -> None:
    """Assigns an item to the first slot that it suits, if it is a plate with so many parts."""
    if code < PLATE or parts_on(code) != parts:
        return
    protein = code & ON_PROTEIN
    for rank in range(facts.numbers[SLOTS]):
        slot = facts.slots[rank]
        if slot[HAS_PLATE] == NOTHING and (protein == 0 or protein == BIT_OF[slot[DISH]]):
            slot[HAS_PLATE] = code
            slot[PROTEIN] = PLATED if protein else MISSING
            slot[GRAINS] = PLATED if code & ON_RICE else MISSING
            return
