"""What a cook with free hands could usefully start, each job with its worth and its place.

The worths were tuned on games of two such cooks in the four shipped kitchens, and are good to about a tenth.
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
from bba.planner.scripted.geometry import Position
from bba.planner.scripted.order_needs import OrderSlot
from bba.planner.scripted.planning_view import PlanningView, Task
from bba.planner.scripted.recipes import (
    BURRITOS,
    CHOPPED,
    HEATING,
    MISSING,
    PLATED,
    PROTEIN,
    RAW,
    READY,
    STEAK,
    next_use,
)

RANK_WORTH = (1.0, 0.85, 0.7, 0.5)  # of the same job for the first order, the second, ...

# Worth of a job for the first order, in tiles that a cook may walk for it.
FIRE = 200.0
SERVE_FIRST = 90.0
FILL = 55.0
FILLED = 5.0  # more for each part that is already on the plate
FRY_NEXT = 55.0
CHARCOAL_AWAY = 50.0
CHOP_ON = 50.0
FETCH = 52.0
DIRTY = 39.0
LATE = 5.0  # more for plates when food that needs one is on the heat
RUSH = 10.0  # more for plates when food will burn without one
RINSE = 10.0  # more to go on with a plate that is in the sink
CLEAR_PASS = 20.0

STEPS_A_TILE = 3  # walking is slow: a step forward succeeds about once in three
SPOILING = 50  # steps before its warning from which a cook alone has to hurry for ready food
SLACK = 10  # steps that a plate may be at the food too early


def free_hand_tasks(view: PlanningView) -> list[Task]:
    """Every job that the orders call for and that leads somewhere, in no special order."""
    kinds = (_fire_jobs, _burrito_jobs, _plate_jobs, _protein_jobs, _rice_jobs, _wash_jobs, _clearing_jobs)
    return [task for tasks in kinds for task in tasks(view) if _leads_on(view, task)]


def _leads_on(view: PlanningView, task: Task) -> bool:
    """Not so: to take back what waits on a pass counter for the other cook, or what cannot be handed over now."""
    return not view.handed_over(task.goal) or not (view.on_pass(task.place) or view.pass_is_full())


def _fire_jobs(view: PlanningView) -> Iterator[Task]:
    fires = [thing for thing in view.facts.things if thing.tag == "BURNT"]
    if fires and view.other.held != FIRE_EXT:
        for thing in view.facts.things:
            if thing.item == FIRE_EXT:
                yield Task(GRAB_FIRE_EXT, FIRE, thing.position, fires[0].position, FIRE_EXT, thing)
    trash = view.nearest(view.places.of("U"), view.cook.position)
    for place in (*view.places.of("G"), *view.places.of("P")):
        burnt = view.lying.get(place)
        if burnt is not None and burnt.item == CHARCOAL and trash is not None:
            yield Task(GRAB_CHARCOAL, CHARCOAL_AWAY, place, trash, CHARCOAL, burnt)


def _burrito_jobs(view: PlanningView) -> Iterator[Task]:
    """Take up a burrito whose turn has come."""
    window = view.nearest(view.places.of("S"), view.cook.position)
    for thing in view.facts.things:
        dish = BURRITOS.get(thing.item)
        if dish is not None and window is not None and view.has_turn(dish):
            yield Task(dish.grab_burrito, SERVE_FIRST, thing.position, window, thing.item, thing)


def _plate_jobs(view: PlanningView) -> Iterator[Task]:
    """Take up a plate for which something is ready, or will be by the time that the plate is there."""
    for thing in view.facts.things:
        if thing.item < PLATE or thing.item in BURRITOS:
            continue
        slot = next((slot for slot in view.slots if slot.plate == thing.item), None)
        if slot is None:
            continue
        way = view.places.walk(view.cook.position, thing.position)
        goal = view.nearest(_parts(view, slot, STEPS_A_TILE * way + SLACK), thing.position)
        if goal is not None:
            parts = (thing.item & ~PLATE).bit_count()
            value = FILL * RANK_WORTH[slot.rank] + FILLED * parts
            yield Task(_plate_skill(thing.item), value, thing.position, goal, thing.item, thing)


def _plate_skill(plate: int) -> int:
    """The skill that takes up a plate with no, one or two parts on it."""
    return (GRAB_CLEAN_PLATE, GRAB_ONE_INGREDIENT_PLATE, GRAB_TWO_INGREDIENT_PLATE)[(plate & ~PLATE).bit_count()]


def _parts(view: PlanningView, slot: OrderSlot, patience: int) -> list[Position]:
    """Where the parts are that the slot's plate lacks and that are cooked within `patience` steps."""
    wanted = []
    if slot.protein in (HEATING, READY) and slot.protein_wait <= patience:
        wanted.append(slot.dish.cooked)
    if slot.rice in (HEATING, READY) and slot.rice_wait <= patience:
        wanted.append(BOILED_RICE)
    if slot.protein == PLATED and slot.rice == PLATED:
        return list(view.places.of("T"))
    return [thing.position for thing in view.facts.things if thing.item in wanted and thing.tag != "BURNT"]


def _protein_jobs(view: PlanningView) -> Iterator[Task]:
    grills, boards = view.cleared("G"), view.free("B")
    coming = PROTEIN.get(view.other.held, (STEAK, MISSING))[1]
    heat_left = len(grills) - (coming == CHOPPED) > 0
    room_left = len(boards) - (coming == RAW) > 0
    for slot in view.slots:
        value, dish = RANK_WORTH[slot.rank], slot.dish
        if slot.protein == CHOPPED and heat_left:
            yield from _take(view, dish.grab_chopped, dish.chopped, FRY_NEXT * value, grills)
        elif slot.protein == RAW:
            yield from _chop_on(view, dish.chopped, CHOP_ON * value)
            if room_left:
                yield from _take(view, dish.grab_raw, dish.raw, FETCH * value, boards)
        elif slot.protein == MISSING and room_left:
            yield from _fetch(view, dish.source, dish.grab_raw, dish.raw, FETCH * value, boards)


def _rice_jobs(view: PlanningView) -> Iterator[Task]:
    pots = view.cleared("P")
    if len(pots) - (view.other.held == RICE) <= 0:
        return
    for slot in view.slots:
        value = FETCH * RANK_WORTH[slot.rank]
        if slot.rice == RAW:
            yield from _take(view, GRAB_RICE, RICE, value, pots)
        elif slot.rice == MISSING:
            yield from _fetch(view, "R", GRAB_RICE, RICE, value, pots)


def _wash_jobs(view: PlanningView) -> Iterator[Task]:
    bare = [slot for slot in view.slots if slot.plate == NOTHING]
    if not bare:
        return
    late = any(stage in (HEATING, READY) for slot in bare for stage in (slot.protein, slot.rice))
    value = RANK_WORTH[bare[0].rank] * (DIRTY + LATE * late + RUSH * _spoiling(view))
    for thing in view.facts.things:
        if thing.tag == "unrinsed":
            yield Task(WASH, value + RINSE, thing.position, thing.position, PLATE, thing)
    sinks = view.free("W")
    if not sinks or view.other.held == DIRTY_PLATE:
        return
    yield from _take(view, GRAB_DIRTY_PLATE, DIRTY_PLATE, value, sinks)
    if view.stacked and not all(slot.plate_coming for slot in bare):
        yield from _fetch(view, "D", GRAB_DIRTY_PLATE, DIRTY_PLATE, value, sinks)


def _spoiling(view: PlanningView) -> bool:
    """Whether food will burn without a plate: it carries a warning, or will soon and nobody else sees to it."""
    soon = SPOILING if view.facts.idle else 0
    return any(
        thing.tag == "warning" or (thing.tag == "ready/waiting" and thing.number < soon) for thing in view.facts.things
    )


def _clearing_jobs(view: PlanningView) -> Iterator[Task]:
    """With every pass counter full nothing can be handed over: take off what is not on its way to the other side."""
    if not view.facts.crowded or not view.pass_is_full():
        return
    for counter in view.facts.crowded & view.lying.keys():
        thing = view.lying[counter]
        skill = _taking_skill(thing.item)
        if skill is not None and not view.all_handed_over(next_use(thing.item)[0]):
            yield Task(skill, CLEAR_PASS, counter, counter, thing.item, thing)


def _taking_skill(item: int) -> int | None:
    """The skill that takes an item off a counter; None for charcoal, which no skill takes from there."""
    if item in BURRITOS:
        return BURRITOS[item].grab_burrito
    if item in PROTEIN:
        dish, stage = PROTEIN[item]
        return dish.grab_raw if stage == RAW else dish.grab_chopped
    if item >= PLATE:
        return _plate_skill(item)
    return {RICE: GRAB_RICE, DIRTY_PLATE: GRAB_DIRTY_PLATE, FIRE_EXT: GRAB_FIRE_EXT}.get(item)


def _fetch(
    view: PlanningView, letter: str, skill: int, item: int, value: float, goals: list[Position]
) -> Iterator[Task]:
    """Take an item from its dispenser or stack, to carry it to the nearest of the goals."""
    source = view.nearest(view.places.of(letter), view.cook.position)
    goal = view.nearest(goals, source) if source else None
    if source and goal and not view.nearer_decoy(item, source):
        yield Task(skill, value, source, goal, item)


def _take(view: PlanningView, skill: int, item: int, value: float, goals: Iterable[Position]) -> Iterator[Task]:
    """Take an item that lies ready, to carry it to the nearest of the goals."""
    for thing in view.facts.things:
        if thing.item == item and thing.tag in ("", "ready"):
            goal = view.nearest(goals, thing.position)
            if goal is not None:
                yield Task(skill, value, thing.position, goal, item, thing)


def _chop_on(view: PlanningView, item: int, value: float) -> Iterator[Task]:
    for thing in view.facts.things:
        if thing.item == item and thing.tag == "unready":
            yield Task(CHOP, value, thing.position, thing.position, item, thing)
