"""What the next orders still lack, and the kitchen from the view of one cook: free stations, hand-overs, walks.

An order lacks its parts minus everything that is already in preparation. `cook` is the row of `SceneFacts.cooks` whose
tasks are listed: the deciding player, or its teammate.
"""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import (
    BOILED_RICE,
    CHARCOAL,
    DIRTY_PLATE,
    GRAB_MEAT,
    GRAB_MUSHROOM,
    GRAB_RICE,
    NOTHING,
    ON_PROTEIN,
    ON_RICE,
    PLATE,
    RICE,
    Int32Array,
)
from bba.planner.scripted.dishes import (
    BIT_OF,
    CHOPPED_DISH,
    COOKED_DISH,
    MUSHROOM,
    NEXT_STATION,
    NO_DISH,
    RAW_DISH,
    RAW_OF,
    STEAK,
    next_use,
    parts_on,
)
from bba.planner.scripted.scene_facts import (
    BURNT,
    CODE,
    COOKS,
    CROSSES,
    HELD,
    IDLE,
    ITEMS,
    LIES,
    ME,
    MEATS,
    MUSHROOMS,
    NEVER_READY,
    NO_STATION,
    NOWHERE,
    NUMBER,
    OCCUPIED,
    ORDERS,
    ORDERS_AHEAD,
    PASSES,
    PLACE,
    RICES,
    SLOTS,
    STACK,
    TAG,
    UNREADY,
    UNTAGGED,
    WAITS,
    WARNS,
    SceneFacts,
    distance,
    separated,
)

# Stages of one part of a dish.
MISSING, RAW, CHOPPED, HEATING, READY, PLATED = range(6)
URGENT_ORDERS = 2  # later orders are planned for only once the food of these is cooking or further

# Columns of `SceneFacts.slots`: one of the next orders, in their order, and what is assigned to it. The plate is the
# code of a clean or filled one (NOTHING: none); `COMING`: a dirty plate has left the stack for it. Protein and rice are
# the stages of these parts, and the steps until they are cooked, `NEVER` for food that is not cooking.
DISH, HAS_PLATE, COMING, PROTEIN, PROTEIN_WAIT, GRAINS, GRAINS_WAIT = range(7)

# A portion of food is one number: the stages that it lacks, and the steps until it is cooked. Rice is the third kind.
_FURTHEST = 10 * NEVER_READY
_NO_PART = 10 * _FURTHEST
_GRAINS = 2


@kernel
def first_dish(facts: SceneFacts) -> int:
    """Returns the dish of the first order; without orders, the steak."""
    return facts.dishes[0] if facts.numbers[ORDERS] else STEAK


@outlined_kernel
def order_needs(facts: SceneFacts) -> None:
    """Writes the slots of the next orders to work for, the first order first, each with the best prepared parts."""
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
    orders = facts.numbers[ORDERS]
    slots = facts.slots
    facts.numbers[SLOTS] = ORDERS_AHEAD if orders else 0
    for rank in range(facts.numbers[SLOTS]):
        slot = slots[rank]
        if rank < orders:
            slot[DISH] = facts.dishes[rank]
        else:
            slot[DISH] = STEAK + MUSHROOM - slots[rank - 1, DISH]
        slot[HAS_PLATE] = NOTHING
        slot[COMING] = 0
        slot[PROTEIN] = MISSING
        slot[PROTEIN_WAIT] = NEVER_READY
        slot[GRAINS] = MISSING
        slot[GRAINS_WAIT] = NEVER_READY


@kernel
def list_parts(facts: SceneFacts) -> None:
    """Writes the best portions of either protein and of rice that are in preparation, the furthest first."""
    facts.parts[:] = _NO_PART
    for number in range(facts.numbers[ITEMS]):
        item = facts.items[number]
        if item[TAG] != BURNT and item[TAG] != STACK:
            list_part(facts, item[CODE], item[TAG], item[NUMBER])
    for cook in range(2):
        list_part(facts, facts.cooks[cook, HELD], UNTAGGED, NEVER_READY)


@outlined_kernel
def list_part(facts: SceneFacts, code: int, tag: int, number: int) -> None:
    """Lists one item if it is a part of a dish; `tag` and `number` as the columns of `SceneFacts.items`."""
    kind = RAW_DISH[code]
    stage = RAW
    wait = NEVER_READY
    if kind == NO_DISH:
        kind = CHOPPED_DISH[code]
        stage = RAW if tag == UNREADY else CHOPPED
    if kind == NO_DISH and code == RICE:
        kind = _GRAINS
        stage = RAW
    if kind == NO_DISH:
        kind = _GRAINS if code == BOILED_RICE else COOKED_DISH[code]
        if tag == COOKS:
            stage = HEATING
            wait = number
        else:
            stage = READY
            wait = 0
    if kind == NO_DISH:
        return
    part = (PLATED - stage) * _FURTHEST + wait
    ranked_parts = facts.parts[kind]
    for place in range(ORDERS_AHEAD):
        if part < ranked_parts[place]:
            ranked_parts[place], part = part, ranked_parts[place]


@kernel
def assign_best(parts: Int32Array, slot: Int32Array) -> None:
    """Moves the first of the parts, if there is one, to a slot's stage and wait."""
    best = parts[0]
    if best == _NO_PART:
        return
    slot[0] = PLATED - best // _FURTHEST
    slot[1] = best % _FURTHEST
    for place in range(1, ORDERS_AHEAD):
        parts[place - 1] = parts[place]
    parts[ORDERS_AHEAD - 1] = _NO_PART


@kernel
def assign_plates(facts: SceneFacts) -> None:
    """Assigns the plates to slots, the fullest first, then the dirty ones that have left the stack."""
    for parts in range(4, -1, -1):
        for number in range(facts.numbers[ITEMS]):
            item = facts.items[number]
            if item[TAG] != BURNT:
                assign_plate(facts, item[CODE], parts)
        for cook in range(2):
            assign_plate(facts, facts.cooks[cook, HELD], parts)
    dirty_plates = 0
    for cook in range(2):
        if facts.cooks[cook, HELD] == DIRTY_PLATE:
            dirty_plates += 1
    for number in range(facts.numbers[ITEMS]):
        item = facts.items[number]
        if item[CODE] == DIRTY_PLATE and item[TAG] != STACK:
            dirty_plates += 1
    for rank in range(facts.numbers[SLOTS]):
        if facts.slots[rank, HAS_PLATE] == NOTHING and dirty_plates > 0:
            facts.slots[rank, COMING] = 1
            dirty_plates -= 1


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


ONWARD = 0.5  # weight of the distance from a task's start to its goal: it is walked with the item already picked up
ACROSS = 30.0  # tiles added for a task beyond the wall, where the other cook already is

DISPENSERS = (
    (MEATS, GRAB_MEAT, RAW_OF[STEAK]),
    (MUSHROOMS, GRAB_MUSHROOM, RAW_OF[MUSHROOM]),
    (RICES, GRAB_RICE, RICE),
)
ANY, EMPTY, USABLE = range(3)  # stations of a kind: all; those that hold no item; these and those that hold charcoal


@kernel
def look(facts: SceneFacts) -> None:
    """Works out what the rules need of the facts as they are now: the slots, and whether the wall can be crossed."""
    order_needs(facts)
    facts.numbers[CROSSES] = can_cross(facts)


@kernel
def can_cross(facts: SceneFacts) -> bool:
    """Whether a skill is feasible that can only be done on the far side, so that there is a way around the wall."""
    held = facts.cooks[ME, HELD]
    if held != NOTHING:
        return offered_across(facts, NEXT_STATION[held], next_use(held, STEAK))
    for station, skill, code in DISPENSERS:
        if offered_across(facts, station, skill) and not is_present(facts, code):
            return True
    return False


@kernel
def offered_across(facts: SceneFacts, kind: int, skill: int) -> bool:
    """Whether a skill at stations of a kind is feasible, all of which are beyond the wall."""
    return bool(facts.feasible[skill]) and all_beyond(facts, ME, kind, False)


@outlined_kernel
def all_beyond(facts: SceneFacts, cook: int, kind: int, handover: bool) -> bool:
    """Whether there are stations of a kind, and all are beyond the wall, or, with `handover`, need a hand-over."""
    if kind == NO_STATION:
        return False
    first = facts.stations.first[kind]
    end = facts.stations.first[kind + 1]
    for number in range(first, end):
        place = facts.stations.places[number]
        if handover:
            is_beyond = needs_handover(facts, cook, place)
        else:
            is_beyond = separated(facts, facts.cooks[cook, PLACE], place)
        if not is_beyond:
            return False
    return bool(end > first)


@kernel
def is_present(facts: SceneFacts, code: int) -> bool:
    """Whether an item of this code lies somewhere."""
    present = False
    for item in range(facts.numbers[ITEMS]):
        present = present or facts.items[item, CODE] == code
    return present


@kernel
def is_open(facts: SceneFacts, place: int, which: int) -> bool:
    """Whether a station is ANY, EMPTY or USABLE."""
    item = facts.item_at[place]
    return which == ANY or item < 0 or (which == USABLE and facts.items[item, CODE] == CHARCOAL)


@outlined_kernel
def nearest_station(facts: SceneFacts, kind: int, which: int, start: int) -> int:
    """Returns the station of a kind nearest to a place; NOWHERE if there is none."""
    nearest = NOWHERE
    least = 0
    for number in range(facts.stations.first[kind], facts.stations.first[kind + 1]):
        place = facts.stations.places[number]
        if is_open(facts, place, which):
            tiles = distance(facts, start, place)
            if nearest == NOWHERE or tiles < least:
                nearest = place
                least = tiles
    return nearest


@outlined_kernel
def nearest_food(facts: SceneFacts, protein: int, grains: int, start: int, waits: bool) -> int:
    """Returns the place nearest to `start` with food of either code, which is not burnt; NOWHERE if there is none.

    With `waits` only food that is ready counts.
    """
    nearest = NOWHERE
    least = 0
    for number in range(facts.numbers[ITEMS]):
        item = facts.items[number]
        code = item[CODE]
        tag = item[TAG]
        is_ready = tag == WAITS or tag == WARNS
        fits = is_ready if waits else tag != BURNT
        if fits and (code == protein or code == grains):
            tiles = distance(facts, start, item[LIES])
            if nearest == NOWHERE or tiles < least:
                nearest = item[LIES]
                least = tiles
    return nearest


@kernel
def count_stations(facts: SceneFacts, kind: int, which: int) -> int:
    """Returns the number of stations of a kind that are ANY, EMPTY or USABLE."""
    count = 0
    for number in range(facts.stations.first[kind], facts.stations.first[kind + 1]):
        if is_open(facts, facts.stations.places[number], which):
            count += 1
    return count


@kernel
def has_dirty_plates(facts: SceneFacts) -> bool:
    """Whether there are plates on the stack, which is listed last."""
    count = facts.numbers[ITEMS]
    return count > 0 and facts.items[count - 1, TAG] == STACK


@kernel
def may_serve(facts: SceneFacts, dish: int) -> bool:
    """Whether a burrito may be served: that of the first order, or any if no plate is left for the first order."""
    if facts.numbers[SLOTS] == 0:
        return False
    first = facts.slots[0]
    if first[DISH] == dish:
        return True
    return first[HAS_PLATE] == NOTHING and not first[COMING] and not has_dirty_plates(facts)


@kernel
def passes_full(facts: SceneFacts) -> bool:
    """Whether every pass counter holds an item."""
    return bool(facts.numbers[OCCUPIED] == len(facts.stations.passes))


@kernel
def needs_handover(facts: SceneFacts, cook: int, goal: int) -> bool:
    """Whether `goal` is on the far side of the wall and the other cook is there to take over."""
    if not separated(facts, facts.cooks[cook, PLACE], goal):
        return False
    if separated(facts, facts.cooks[1 - cook, PLACE], goal):
        return False
    return not (facts.numbers[IDLE] and facts.numbers[CROSSES])


@kernel
def nearer_decoy(facts: SceneFacts, cook: int, code: int, place: int) -> bool:
    """Whether a skill meant for `place` would pick up the same item from a nearer pass counter instead."""
    start = facts.cooks[cook, PLACE]
    for counter in facts.stations.passes:
        item = facts.item_at[counter]
        is_nearer = distance(facts, start, counter) <= distance(facts, start, place)
        if item >= 0 and facts.items[item, CODE] == code and is_nearer:
            return True
    return False


@outlined_kernel
def walking_cost(facts: SceneFacts, cook: int, start: int, goal: int) -> float:
    """Returns the cost of a task in tiles: to its start, plus part of the way on to its goal or to a pass counter."""
    cost = float(distance(facts, facts.cooks[cook, PLACE], start))
    if needs_handover(facts, cook, start):
        cost += ACROSS
    if needs_handover(facts, cook, goal):
        goal = nearest_station(facts, PASSES, ANY, start)
    if goal != NOWHERE:
        cost += ONWARD * distance(facts, start, goal)
    return cost
