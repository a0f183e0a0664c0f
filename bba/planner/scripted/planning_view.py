"""The kitchen from the view of one cook: free stations, and what can be handed over to the other cook.

`cook` is the row of `SceneFacts.cooks` whose tasks are listed: the deciding player, or its teammate.
"""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen import constants
from bba.kitchen.constants import CHARCOAL, GRAB_MEAT, GRAB_MUSHROOM, GRAB_RICE, NOTHING, RICE
from bba.planner.scripted.dishes import STEAK, next_station, next_use
from bba.planner.scripted.order_needs import COMING, DISH, HAS_PLATE, order_needs
from bba.planner.scripted.scene_facts import (
    CODE,
    CROSSES,
    HELD,
    IDLE,
    ITEMS,
    ME,
    MEATS,
    MUSHROOMS,
    NO_STATION,
    NOWHERE,
    OCCUPIED,
    PASSES,
    PLACE,
    RICES,
    SLOTS,
    STACK,
    TAG,
    SceneFacts,
    distance,
    separated,
)

ONWARD = 0.5  # weight of the distance from a task's start to its goal: it is walked with the item already picked up
ACROSS = 30.0  # tiles added for a task beyond the wall, where the other cook already is

DISPENSERS = (
    (MEATS, GRAB_MEAT, constants.MEAT),
    (MUSHROOMS, GRAB_MUSHROOM, constants.MUSHROOM),
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
        return offered_across(facts, next_station(held), next_use(held, STEAK))
    for station, skill, code in DISPENSERS:
        if offered_across(facts, station, skill) and not is_present(facts, code):
            return True
    return False


@outlined_kernel
def offered_across(facts: SceneFacts, kind: int, skill: int) -> bool:
    """Whether a skill at stations of a kind is feasible, all of which are beyond the wall."""
    if kind == NO_STATION or not facts.feasible[skill]:
        return False
    first, last = facts.stations.first[kind], facts.stations.first[kind + 1]
    for number in range(first, last):
        if not separated(facts, facts.cooks[ME, PLACE], facts.stations.places[number]):
            return False
    return bool(last > first)


@kernel
def is_present(facts: SceneFacts, code: int) -> bool:
    """Whether such an item lies somewhere."""
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
    nearest, least = NOWHERE, 0
    for number in range(facts.stations.first[kind], facts.stations.first[kind + 1]):
        place = facts.stations.places[number]
        if is_open(facts, place, which):
            tiles = distance(facts, start, place)
            if nearest == NOWHERE or tiles < least:
                nearest, least = place, tiles
    return nearest


@kernel
def count_stations(facts: SceneFacts, kind: int, which: int) -> int:
    """Returns the number of stations of a kind."""
    count = 0
    for number in range(facts.stations.first[kind], facts.stations.first[kind + 1]):
        count += is_open(facts, facts.stations.places[number], which)
    return count


@kernel
def has_dirty_plates(facts: SceneFacts) -> bool:
    """Whether there are plates on the stack, which is listed last."""
    count = facts.numbers[ITEMS]
    return count > 0 and facts.items[count - 1, TAG] == STACK


@kernel
def may_serve(facts: SceneFacts, dish: int) -> bool:
    """Whether a burrito may be served: that of the first order, or any if no plate is left for the first order."""
    if facts.numbers[SLOTS] == 0 or facts.slots[0, DISH] == dish:
        return bool(facts.numbers[SLOTS] > 0)
    return facts.slots[0, HAS_PLATE] == NOTHING and not facts.slots[0, COMING] and not has_dirty_plates(facts)


@kernel
def passes_full(facts: SceneFacts) -> bool:
    """Whether every pass counter holds an item."""
    return bool(facts.numbers[OCCUPIED] == len(facts.stations.passes))


@kernel
def needs_handover(facts: SceneFacts, cook: int, goal: int) -> bool:
    """Whether `goal` is on the far side of the wall and the other cook is there to take over."""
    if not separated(facts, facts.cooks[cook, PLACE], goal) or separated(facts, facts.cooks[1 - cook, PLACE], goal):
        return False
    return not (facts.numbers[IDLE] and facts.numbers[CROSSES])


@outlined_kernel
def all_need_handover(facts: SceneFacts, cook: int, kind: int) -> bool:
    """Whether `needs_handover` holds for every station of a kind, of which there is at least one."""
    if kind == NO_STATION:
        return False
    first, last = facts.stations.first[kind], facts.stations.first[kind + 1]
    for number in range(first, last):
        if not needs_handover(facts, cook, facts.stations.places[number]):
            return False
    return bool(last > first)


@kernel
def nearer_decoy(facts: SceneFacts, cook: int, code: int, place: int) -> bool:
    """Whether a skill meant for `place` would pick up the same item from a nearer pass counter instead."""
    here = facts.cooks[cook, PLACE]
    for counter in facts.stations.passes:
        item = facts.item_at[counter]
        near = distance(facts, here, counter) <= distance(facts, here, place)
        if item >= 0 and facts.items[item, CODE] == code and near:
            return True
    return False


@outlined_kernel
def walking_cost(facts: SceneFacts, cook: int, start: int, goal: int) -> float:
    """Returns the cost of a task in tiles: to its start, plus part of the way on to its goal or to a pass counter."""
    way = float(distance(facts, facts.cooks[cook, PLACE], start))
    if needs_handover(facts, cook, start):
        way += ACROSS
    if needs_handover(facts, cook, goal):
        goal = nearest_station(facts, PASSES, ANY, start)
    return way if goal == NOWHERE else way + ONWARD * distance(facts, start, goal)
