"""The useful tasks of a cook with free hands: with food, plates and burritos, against fire and full counters.

Each task has a value, a start and a goal. The values were tuned on games of two such cooks in the four shipped
kitchens, to about ten per cent.
"""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import (
    BOILED_RICE,
    CHARCOAL,
    CHOP,
    DIRTY_PLATE,
    FIRE_EXT,
    GRAB_CHARCOAL,
    GRAB_DIRTY_PLATE,
    GRAB_FIRE_EXT,
    GRAB_RICE,
    NO_SKILL,
    NOTHING,
    PLATE,
    RICE,
    WASH,
)
from bba.planner.scripted.dishes import (
    BURRITO_DISH,
    CHOPPED_DISH,
    CHOPPED_OF,
    COOKED_OF,
    GRAB_BURRITO,
    GRAB_CHOPPED,
    GRAB_RAW,
    NEXT_STATION,
    NO_DISH,
    NO_FOOD,
    RAW_DISH,
    RAW_OF,
    SKILL_TO_GRAB,
    SOURCE,
    parts_on,
)
from bba.planner.scripted.order_needs import (
    ANY,
    CHOPPED,
    COMING,
    DISH,
    EMPTY,
    GRAINS,
    GRAINS_WAIT,
    HAS_PLATE,
    HEATING,
    MISSING,
    PLATED,
    PROTEIN,
    PROTEIN_WAIT,
    RAW,
    READY,
    USABLE,
    all_beyond,
    count_stations,
    has_dirty_plates,
    may_serve,
    nearer_decoy,
    nearest_food,
    nearest_station,
    needs_handover,
    passes_full,
)
from bba.planner.scripted.scene_facts import (
    BOARDS,
    BURNT,
    CHOPPED_READY,
    CODE,
    GRILLS,
    HELD,
    IDLE,
    ITEMS,
    LIES,
    NOWHERE,
    NUMBER,
    OCCUPIED,
    PASSES,
    PLACE,
    POTS,
    RICES,
    SINKS,
    SLOTS,
    STACKS,
    TAG,
    TASKS,
    TORTILLAS,
    TRASHES,
    UNREADY,
    UNRINSED,
    UNTAGGED,
    WAITS,
    WARNS,
    WINDOWS,
    SceneFacts,
    distance,
)

# Columns of `SceneFacts.tasks`: the skill that starts a task; where it ends, and where the item goes then; the code of
# the item that the cook then holds; and the item that it removes from the scene, NO_ITEM from a dispenser or the stack.
# A value is the number of tiles that a cook may walk for it.
SKILL, START, GOAL, HELD_AFTER, ITEM = range(5)
NO_ITEM = -1

RANK_VALUE = (1.0, 0.85, 0.7, 0.5)  # factor on a task's value for the first order, the second, ...

# Value of a task for the first order, in tiles that a cook may walk for it.
FIRE = 200.0
SERVE_FIRST = 90.0
FILL = 55.0
FILLED = 5.0  # added for each part that is already on the plate
FRY_NEXT = 55.0
REMOVE_CHARCOAL = 50.0
CONTINUE_CHOPPING = 50.0
FETCH = 52.0
DIRTY = 39.0
LATE = 5.0  # added for plates if food that needs one is cooking or ready
RUSH = 10.0  # added for plates if food will burn without one
RINSE = 10.0  # added to continue with a plate that is in the sink
CLEAR_PASS = 20.0

STEPS_A_TILE = 3  # with mobility noise a move succeeds about once in three steps
SPOILING = 50  # steps before its warning from which ready food is urgent if the teammate is idle
SLACK = 10  # steps that a plate may arrive before the food is ready


@outlined_kernel
def add_task(
    facts: SceneFacts, cook: int, skill: int, value: float, start: int, goal: int, held_after: int, item: int
) -> None:
    """Lists a task if it can go on: a hand-over must not start at a pass counter and needs a free pass counter.

    Arguments as the columns of `SceneFacts.tasks`.
    """
    if needs_handover(facts, cook, goal) and (facts.stations.kind[start] == PASSES or passes_full(facts)):
        return
    number = facts.numbers[TASKS]
    task = facts.tasks[number]
    task[SKILL] = skill
    task[START] = start
    task[GOAL] = goal
    task[HELD_AFTER] = held_after
    task[ITEM] = item
    facts.values[number] = value
    facts.numbers[TASKS] = number + 1


@outlined_kernel
def fetch(facts: SceneFacts, cook: int, kind: int, skill: int, code: int, value: float, goals: int, which: int) -> None:
    """Take an item from its dispenser or the plate stack to the nearest of the goals."""
    source = nearest_station(facts, kind, ANY, facts.cooks[cook, PLACE])
    if source == NOWHERE:
        return
    goal = nearest_station(facts, goals, which, source)
    if goal != NOWHERE and not nearer_decoy(facts, cook, code, source):
        add_task(facts, cook, skill, value, source, goal, code, NO_ITEM)


@outlined_kernel
def take(facts: SceneFacts, cook: int, skill: int, code: int, value: float, goals: int, which: int) -> None:
    """Take an item that is ready somewhere to the nearest of the goals."""
    for number in range(facts.numbers[ITEMS]):
        item = facts.items[number]
        if item[CODE] == code and (item[TAG] == UNTAGGED or item[TAG] == CHOPPED_READY):
            goal = nearest_station(facts, goals, which, item[LIES])
            if goal != NOWHERE:
                add_task(facts, cook, skill, value, item[LIES], goal, code, number)


@outlined_kernel
def protein_tasks(facts: SceneFacts, cook: int) -> None:
    """Fetch protein, chop it and fry it, as far as the partner needs no station for what it holds."""
    partner_held = facts.cooks[1 - cook, HELD]
    grills = count_stations(facts, GRILLS, USABLE)
    if CHOPPED_DISH[partner_held] != NO_DISH:
        grills -= 1
    boards = count_stations(facts, BOARDS, EMPTY)
    if RAW_DISH[partner_held] != NO_DISH:
        boards -= 1
    for rank in range(facts.numbers[SLOTS]):
        factor = RANK_VALUE[rank]
        dish = facts.slots[rank, DISH]
        stage = facts.slots[rank, PROTEIN]
        raw = RAW_OF[dish]
        chopped = CHOPPED_OF[dish]
        if stage == CHOPPED and grills > 0:
            take(facts, cook, GRAB_CHOPPED[dish], chopped, FRY_NEXT * factor, GRILLS, USABLE)
        elif stage == RAW:
            continue_work(facts, cook, CHOP, CONTINUE_CHOPPING * factor, chopped, UNREADY, chopped)
            if boards > 0:
                take(facts, cook, GRAB_RAW[dish], raw, FETCH * factor, BOARDS, EMPTY)
        elif stage == MISSING and boards > 0:
            fetch(facts, cook, SOURCE[dish], GRAB_RAW[dish], raw, FETCH * factor, BOARDS, EMPTY)


@outlined_kernel
def rice_tasks(facts: SceneFacts, cook: int) -> None:
    """Fetch rice."""
    pots = count_stations(facts, POTS, USABLE)
    if facts.cooks[1 - cook, HELD] == RICE:
        pots -= 1
    if pots <= 0:
        return
    for rank in range(facts.numbers[SLOTS]):
        value = FETCH * RANK_VALUE[rank]
        stage = facts.slots[rank, GRAINS]
        if stage == RAW:
            take(facts, cook, GRAB_RICE, RICE, value, POTS, USABLE)
        elif stage == MISSING:
            fetch(facts, cook, RICES, GRAB_RICE, RICE, value, POTS, USABLE)


@kernel
def continue_work(facts: SceneFacts, cook: int, skill: int, value: float, code: int, tag: int, held_after: int) -> None:
    """Go on with an item that is half chopped or rinsed."""
    for number in range(facts.numbers[ITEMS]):
        item = facts.items[number]
        if item[CODE] == code and item[TAG] == tag:
            add_task(facts, cook, skill, value, item[LIES], item[LIES], held_after, number)


@outlined_kernel
def plate_tasks(facts: SceneFacts, cook: int) -> None:
    """Pick up a plate for food that is ready, or will be when the plate arrives."""
    for number in range(facts.numbers[ITEMS]):
        code = facts.items[number, CODE]
        if code < PLATE or BURRITO_DISH[code] != NO_DISH:
            continue
        rank = slot_of_plate(facts, code)
        if rank < 0:
            continue
        place = facts.items[number, LIES]
        tiles = distance(facts, facts.cooks[cook, PLACE], place)
        goal = nearest_part(facts, rank, STEPS_A_TILE * tiles + SLACK, place)
        if goal != NOWHERE:
            value = FILL * RANK_VALUE[rank] + FILLED * parts_on(code)
            add_task(facts, cook, SKILL_TO_GRAB[code], value, place, goal, code, number)


@kernel
def slot_of_plate(facts: SceneFacts, plate: int) -> int:
    """Returns the rank of the first order to which a plate of this code is assigned; -1 if there is none."""
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
    protein = NO_FOOD
    if is_food(slot[PROTEIN]) and slot[PROTEIN_WAIT] <= patience:
        protein = COOKED_OF[slot[DISH]]
    grains = NO_FOOD
    if is_food(slot[GRAINS]) and slot[GRAINS_WAIT] <= patience:
        grains = BOILED_RICE
    return nearest_food(facts, protein, grains, start, False)


@kernel
def is_food(stage: int) -> bool:
    """Whether a part of this stage is cooking or ready."""
    return stage == HEATING or stage == READY


@outlined_kernel
def wash_tasks(facts: SceneFacts, cook: int) -> None:
    """Wash plates for orders without one."""
    first = -1
    food_waits = False
    all_coming = True
    for rank in range(facts.numbers[SLOTS] - 1, -1, -1):
        slot = facts.slots[rank]
        if slot[HAS_PLATE] == NOTHING:
            first = rank
            all_coming = all_coming and bool(slot[COMING])
            food_waits = food_waits or is_food(slot[PROTEIN]) or is_food(slot[GRAINS])
    if first < 0:
        return
    value = DIRTY
    if food_waits:
        value += LATE
    if spoiling(facts):
        value += RUSH
    value *= RANK_VALUE[first]
    continue_work(facts, cook, WASH, value + RINSE, DIRTY_PLATE, UNRINSED, PLATE)
    if count_stations(facts, SINKS, EMPTY) == 0 or facts.cooks[1 - cook, HELD] == DIRTY_PLATE:
        return
    take(facts, cook, GRAB_DIRTY_PLATE, DIRTY_PLATE, value, SINKS, EMPTY)
    if has_dirty_plates(facts) and not all_coming:
        fetch(facts, cook, STACKS, GRAB_DIRTY_PLATE, DIRTY_PLATE, value, SINKS, EMPTY)


@kernel
def spoiling(facts: SceneFacts) -> bool:
    """Whether food will burn without a plate: it shows a warning, or will soon and the teammate is idle."""
    steps_to_warning = SPOILING if facts.numbers[IDLE] else 0
    for number in range(facts.numbers[ITEMS]):
        tag = facts.items[number, TAG]
        if tag == WARNS or (tag == WAITS and facts.items[number, NUMBER] < steps_to_warning):
            return True
    return False


@outlined_kernel
def free_hand_tasks(facts: SceneFacts, cook: int) -> None:
    """Lists every task that the orders need and that can be continued, in no special order."""
    facts.numbers[TASKS] = 0
    fire_tasks(facts, cook)
    burrito_tasks(facts, cook)
    plate_tasks(facts, cook)
    protein_tasks(facts, cook)
    rice_tasks(facts, cook)
    wash_tasks(facts, cook)
    clearing_tasks(facts, cook)


@outlined_kernel
def fire_tasks(facts: SceneFacts, cook: int) -> None:
    """Fetch the extinguisher; take charcoal off a grill or out of a pot."""
    fire = NOWHERE
    for number in range(facts.numbers[ITEMS] - 1, -1, -1):  # the first fire last
        if facts.items[number, TAG] == BURNT:
            fire = facts.items[number, LIES]
    if fire != NOWHERE and facts.cooks[1 - cook, HELD] != FIRE_EXT:
        for number in range(facts.numbers[ITEMS]):
            if facts.items[number, CODE] == FIRE_EXT:
                add_task(facts, cook, GRAB_FIRE_EXT, FIRE, facts.items[number, LIES], fire, FIRE_EXT, number)
    trash = nearest_station(facts, TRASHES, ANY, facts.cooks[cook, PLACE])
    stations = facts.stations
    for stove in range(stations.first[GRILLS], stations.first[POTS + 1]):
        place = stations.places[stove]
        burnt = facts.item_at[place]
        if burnt >= 0 and facts.items[burnt, CODE] == CHARCOAL and trash != NOWHERE:
            add_task(facts, cook, GRAB_CHARCOAL, REMOVE_CHARCOAL, place, trash, CHARCOAL, burnt)


@outlined_kernel
def burrito_tasks(facts: SceneFacts, cook: int) -> None:
    """Pick up a burrito that may be served."""
    window = nearest_station(facts, WINDOWS, ANY, facts.cooks[cook, PLACE])
    for number in range(facts.numbers[ITEMS]):
        code = facts.items[number, CODE]
        dish = BURRITO_DISH[code]
        if dish != NO_DISH and window != NOWHERE and may_serve(facts, dish):
            add_task(facts, cook, GRAB_BURRITO[dish], SERVE_FIRST, facts.items[number, LIES], window, code, number)


@outlined_kernel
def clearing_tasks(facts: SceneFacts, cook: int) -> None:
    """If every pass counter is full, pick up what is not on its way to the other side."""
    if facts.numbers[OCCUPIED] == 0 or not passes_full(facts):
        return
    for counter in facts.stations.passes:
        number = facts.item_at[counter]
        if number < 0:
            continue
        code = facts.items[number, CODE]
        skill = SKILL_TO_GRAB[code]
        if skill != NO_SKILL and not all_beyond(facts, cook, NEXT_STATION[code], True):
            add_task(facts, cook, skill, CLEAR_PASS, counter, counter, code, number)
