"""The tasks with plates: filling them, and washing them for orders without one."""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import BOILED_RICE, DIRTY_PLATE, GRAB_DIRTY_PLATE, NOTHING, PLATE, WASH
from bba.planner.scripted.dishes import COOKED_OF, NO_DISH, burrito_dish, parts_on
from bba.planner.scripted.order_needs import (
    COMING,
    DISH,
    GRAINS,
    GRAINS_WAIT,
    HAS_PLATE,
    HEATING,
    PLATED,
    PROTEIN,
    PROTEIN_WAIT,
    READY,
)
from bba.planner.scripted.planning_view import ANY, EMPTY, count_stations, has_dirty_plates, nearest_station
from bba.planner.scripted.scene_facts import (
    BURNT,
    CODE,
    HELD,
    IDLE,
    ITEMS,
    LIES,
    NOWHERE,
    NUMBER,
    PLACE,
    SINKS,
    SLOTS,
    STACKS,
    TAG,
    TORTILLAS,
    UNRINSED,
    WAITS,
    WARNS,
    SceneFacts,
    distance,
)
from bba.planner.scripted.task_list import (
    DIRTY,
    FILL,
    FILLED,
    LATE,
    RANK_VALUE,
    RINSE,
    RUSH,
    SLACK,
    SPOILING,
    STEPS_A_TILE,
    add_task,
    fetch,
    plate_skill,
    take,
)


@outlined_kernel
def plate_tasks(facts: SceneFacts, cook: int) -> None:
    """Pick up a plate for food that is ready, or will be when the plate arrives."""
    for number in range(facts.numbers[ITEMS]):
        code, place = facts.items[number, CODE], facts.items[number, LIES]
        rank = slot_of_plate(facts, code) if code >= PLATE and burrito_dish(code) == NO_DISH else -1
        if rank < 0:
            continue
        way = distance(facts, facts.cooks[cook, PLACE], place)
        goal = nearest_part(facts, rank, STEPS_A_TILE * way + SLACK, place)
        if goal != NOWHERE:
            value = FILL * RANK_VALUE[rank] + FILLED * parts_on(code)
            add_task(facts, cook, plate_skill(code), value, place, goal, code, number)


@kernel
def slot_of_plate(facts: SceneFacts, plate: int) -> int:
    """Returns the rank of the first order to which such a plate is assigned; -1 if there is none."""
    for rank in range(facts.numbers[SLOTS]):
        if facts.slots[rank, HAS_PLATE] == plate:
            return rank
    return -1


@outlined_kernel
def nearest_part(facts: SceneFacts, rank: int, patience: int, start: int) -> int:
    """Returns the nearest of the parts that an order's plate lacks and that are cooked within `patience` steps."""
    slot = facts.slots[rank]
    if slot[PROTEIN] == PLATED and slot[GRAINS] == PLATED:
        return nearest_station(facts, TORTILLAS, ANY, start)
    protein = is_food(slot[PROTEIN]) and slot[PROTEIN_WAIT] <= patience
    grains = is_food(slot[GRAINS]) and slot[GRAINS_WAIT] <= patience
    nearest, least = NOWHERE, 0
    for number in range(facts.numbers[ITEMS]):
        item = facts.items[number]
        wanted = (protein and item[CODE] == COOKED_OF[slot[DISH]]) or (grains and item[CODE] == BOILED_RICE)
        if wanted and item[TAG] != BURNT:
            tiles = distance(facts, start, item[LIES])
            if nearest == NOWHERE or tiles < least:
                nearest, least = item[LIES], tiles
    return nearest


@kernel
def is_food(stage: int) -> bool:
    """Whether a part of this stage is cooking or ready."""
    return stage == HEATING or stage == READY


@outlined_kernel
def wash_tasks(facts: SceneFacts, cook: int) -> None:
    """Wash plates for orders without one."""
    first, late, all_coming = -1, False, True
    for rank in range(facts.numbers[SLOTS] - 1, -1, -1):
        slot = facts.slots[rank]
        if slot[HAS_PLATE] == NOTHING:
            first, all_coming = rank, all_coming and bool(slot[COMING])
            late = late or is_food(slot[PROTEIN]) or is_food(slot[GRAINS])
    if first < 0:
        return
    value = RANK_VALUE[first] * (DIRTY + LATE * late + RUSH * spoiling(facts))
    for number in range(facts.numbers[ITEMS]):
        if facts.items[number, TAG] == UNRINSED:
            place = facts.items[number, LIES]
            add_task(facts, cook, WASH, value + RINSE, place, place, PLATE, number)
    if count_stations(facts, SINKS, EMPTY) == 0 or facts.cooks[1 - cook, HELD] == DIRTY_PLATE:
        return
    take(facts, cook, GRAB_DIRTY_PLATE, DIRTY_PLATE, value, SINKS, EMPTY)
    if has_dirty_plates(facts) and not all_coming:
        fetch(facts, cook, STACKS, GRAB_DIRTY_PLATE, DIRTY_PLATE, value, SINKS, EMPTY)


@kernel
def spoiling(facts: SceneFacts) -> bool:
    """Whether food will burn without a plate: it shows a warning, or will soon and the teammate is idle."""
    soon = SPOILING if facts.numbers[IDLE] else 0
    for number in range(facts.numbers[ITEMS]):
        tag = facts.items[number, TAG]
        if tag == WARNS or (tag == WAITS and facts.items[number, NUMBER] < soon):
            return True
    return False
