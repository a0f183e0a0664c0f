"""The useful tasks of a cook with free hands, each with its value, start and goal.

The values were tuned on games of two such cooks in the four shipped kitchens, to about ten per cent.
"""

from collections.abc import Iterable, Iterator

from bba.kitchen.constants import (
    BOILED_RICE,
    CHARCOAL,
    CHOP,
    DIRTY_PLATE,
    FIRE_EXT,
    GRAB_CHARCOAL,
    GRAB_CLEAN_PLATE,
    GRAB_DIRTY_PLATE,
    GRAB_FIRE_EXT,
    GRAB_ONE_INGREDIENT_PLATE,
    GRAB_RICE,
    GRAB_TWO_INGREDIENT_PLATE,
    NOTHING,
    PLATE,
    RICE,
    WASH,
)
from bba.planner.scripted.order_needs import (
    BURRITOS,
    CHOPPED,
    HEATING,
    MISSING,
    PLATED,
    PROTEIN,
    RAW,
    READY,
    STEAK,
    OrderSlot,
    next_use,
)
from bba.planner.scripted.planning_view import PlanningView, Task
from bba.planner.scripted.scene_facts import Position

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


def free_hand_tasks(view: PlanningView) -> list[Task]:
    """Returns every task that the orders need and that can be continued, in no special order."""
    kinds = (_fire_tasks, _burrito_tasks, _plate_tasks, _protein_tasks, _rice_tasks, _wash_tasks, _clearing_tasks)
    return [task for tasks in kinds for task in tasks(view) if _can_continue(view, task)]


def _can_continue(view: PlanningView, task: Task) -> bool:
    """Whether a task can go on: a hand-over must not start at a pass counter and needs a free one."""
    from_pass_counter = view.geometry.letter_at(task.start) == "pass"
    return not view.needs_handover(task.goal) or not (from_pass_counter or view.passes_full())


def _fire_tasks(view: PlanningView) -> Iterator[Task]:
    fires = [item for item in view.facts.items if item.tag == "BURNT"]
    if fires and view.other.held != FIRE_EXT:
        for item in view.facts.items:
            if item.code == FIRE_EXT:
                yield Task(GRAB_FIRE_EXT, FIRE, item.position, fires[0].position, FIRE_EXT, item)
    trash = view.nearest(view.geometry.stations("U"), view.cook.position)
    for place in (*view.geometry.stations("G"), *view.geometry.stations("P")):
        burnt = view.items_at.get(place)
        if burnt is not None and burnt.code == CHARCOAL and trash is not None:
            yield Task(GRAB_CHARCOAL, REMOVE_CHARCOAL, place, trash, CHARCOAL, burnt)


def _burrito_tasks(view: PlanningView) -> Iterator[Task]:
    """Pick up a burrito that may be served."""
    window = view.nearest(view.geometry.stations("S"), view.cook.position)
    for item in view.facts.items:
        dish = BURRITOS.get(item.code)
        if dish is not None and window is not None and view.may_serve(dish):
            yield Task(dish.grab_burrito, SERVE_FIRST, item.position, window, item.code, item)


def _plate_tasks(view: PlanningView) -> Iterator[Task]:
    """Pick up a plate for food that is ready, or will be when the plate arrives."""
    for item in view.facts.items:
        if item.code < PLATE or item.code in BURRITOS:
            continue
        slot = next((slot for slot in view.slots if slot.plate == item.code), None)
        if slot is None:
            continue
        way = view.geometry.distance(view.cook.position, item.position)
        goal = view.nearest(_parts(view, slot, STEPS_A_TILE * way + SLACK), item.position)
        if goal is not None:
            parts = (item.code & ~PLATE).bit_count()
            value = FILL * RANK_VALUE[slot.rank] + FILLED * parts
            yield Task(_plate_skill(item.code), value, item.position, goal, item.code, item)


def _plate_skill(plate: int) -> int:
    """Returns the skill that picks up a plate with no, one or two parts on it."""
    return (GRAB_CLEAN_PLATE, GRAB_ONE_INGREDIENT_PLATE, GRAB_TWO_INGREDIENT_PLATE)[(plate & ~PLATE).bit_count()]


def _parts(view: PlanningView, slot: OrderSlot, patience: int) -> list[Position]:
    """Returns the positions of the parts that the slot's plate lacks and that are cooked within `patience` steps."""
    wanted = []
    if slot.protein in (HEATING, READY) and slot.protein_wait <= patience:
        wanted.append(slot.dish.cooked)
    if slot.rice in (HEATING, READY) and slot.rice_wait <= patience:
        wanted.append(BOILED_RICE)
    if slot.protein == PLATED and slot.rice == PLATED:
        return list(view.geometry.stations("T"))
    return [item.position for item in view.facts.items if item.code in wanted and item.tag != "BURNT"]


def _protein_tasks(view: PlanningView) -> Iterator[Task]:
    grills, boards = view.usable_stoves("G"), view.empty_stations("B")
    teammate_stage = PROTEIN.get(view.other.held, (STEAK, MISSING))[1]
    grill_left = len(grills) - (teammate_stage == CHOPPED) > 0
    board_left = len(boards) - (teammate_stage == RAW) > 0
    for slot in view.slots:
        value, dish = RANK_VALUE[slot.rank], slot.dish
        if slot.protein == CHOPPED and grill_left:
            yield from _take(view, dish.grab_chopped, dish.chopped, FRY_NEXT * value, grills)
        elif slot.protein == RAW:
            yield from _continue_chopping(view, dish.chopped, CONTINUE_CHOPPING * value)
            if board_left:
                yield from _take(view, dish.grab_raw, dish.raw, FETCH * value, boards)
        elif slot.protein == MISSING and board_left:
            yield from _fetch(view, dish.source, dish.grab_raw, dish.raw, FETCH * value, boards)


def _rice_tasks(view: PlanningView) -> Iterator[Task]:
    pots = view.usable_stoves("P")
    if len(pots) - (view.other.held == RICE) <= 0:
        return
    for slot in view.slots:
        value = FETCH * RANK_VALUE[slot.rank]
        if slot.rice == RAW:
            yield from _take(view, GRAB_RICE, RICE, value, pots)
        elif slot.rice == MISSING:
            yield from _fetch(view, "R", GRAB_RICE, RICE, value, pots)


def _wash_tasks(view: PlanningView) -> Iterator[Task]:
    bare = [slot for slot in view.slots if slot.plate == NOTHING]
    if not bare:
        return
    late = any(stage in (HEATING, READY) for slot in bare for stage in (slot.protein, slot.rice))
    value = RANK_VALUE[bare[0].rank] * (DIRTY + LATE * late + RUSH * _spoiling(view))
    for item in view.facts.items:
        if item.tag == "unrinsed":
            yield Task(WASH, value + RINSE, item.position, item.position, PLATE, item)
    sinks = view.empty_stations("W")
    if not sinks or view.other.held == DIRTY_PLATE:
        return
    yield from _take(view, GRAB_DIRTY_PLATE, DIRTY_PLATE, value, sinks)
    if view.has_dirty_plates and not all(slot.plate_coming for slot in bare):
        yield from _fetch(view, "D", GRAB_DIRTY_PLATE, DIRTY_PLATE, value, sinks)


def _spoiling(view: PlanningView) -> bool:
    """Whether food will burn without a plate: it shows a warning, or will soon and the teammate is idle."""
    soon = SPOILING if view.facts.teammate_idle else 0
    return any(
        item.tag == "warning" or (item.tag == "ready/waiting" and item.number < soon) for item in view.facts.items
    )


def _clearing_tasks(view: PlanningView) -> Iterator[Task]:
    """If every pass counter is full, pick up what is not on its way to the other side."""
    if not view.facts.occupied_passes or not view.passes_full():
        return
    for counter in view.facts.occupied_passes & view.items_at.keys():
        item = view.items_at[counter]
        skill = _grab_skill(item.code)
        if skill is not None and not view.all_need_handover(next_use(item.code)[0]):
            yield Task(skill, CLEAR_PASS, counter, counter, item.code, item)


def _grab_skill(code: int) -> int | None:
    """Returns the skill that picks an item up from a counter; None for charcoal, which no skill picks up there."""
    if code in BURRITOS:
        return BURRITOS[code].grab_burrito
    if code in PROTEIN:
        dish, stage = PROTEIN[code]
        return dish.grab_raw if stage == RAW else dish.grab_chopped
    if code >= PLATE:
        return _plate_skill(code)
    return {RICE: GRAB_RICE, DIRTY_PLATE: GRAB_DIRTY_PLATE, FIRE_EXT: GRAB_FIRE_EXT}.get(code)


def _fetch(
    view: PlanningView, letter: str, skill: int, code: int, value: float, goals: list[Position]
) -> Iterator[Task]:
    """Take an item from its dispenser or the plate stack to the nearest of the goals."""
    source = view.nearest(view.geometry.stations(letter), view.cook.position)
    goal = view.nearest(goals, source) if source else None
    if source and goal and not view.nearer_decoy(code, source):
        yield Task(skill, value, source, goal, code)


def _take(view: PlanningView, skill: int, code: int, value: float, goals: Iterable[Position]) -> Iterator[Task]:
    """Take an item that is ready somewhere to the nearest of the goals."""
    for item in view.facts.items:
        if item.code == code and item.tag in ("", "ready"):
            goal = view.nearest(goals, item.position)
            if goal is not None:
                yield Task(skill, value, item.position, goal, code, item)


def _continue_chopping(view: PlanningView, code: int, value: float) -> Iterator[Task]:
    for item in view.facts.items:
        if item.code == code and item.tag == "unready":
            yield Task(CHOP, value, item.position, item.position, code, item)
