"""What a cook with free hands could usefully start, each job with its worth and its place."""

from collections.abc import Iterator
from dataclasses import dataclass

from bba.kitchen.codes import (
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
    ON_RICE,
    ON_TORTILLA,
    PLATE,
    RICE,
    WASH,
)
from bba.planner.scripted.demand import CHOPPED, DISHES, HEATING, MISSING, PLATED, RAW, READY, Slot
from bba.planner.scripted.places import Places, Position
from bba.planner.scripted.reading import Cook, Facts, Thing

ONWARD = 0.5  # share of the way from a job's place to its goal that counts: it is walked with progress made
SLACK = 10  # steps that a plate may be at the food too early
STEPS_A_TILE = 3  # walking is slow: a step forward succeeds about once in three
RANK_WORTH = (1.0, 0.8, 0.6, 0.4)  # of the same job for the first order, the second, ...

# Worth of a job for the first order, in tiles that a cook may walk for it.
FIRE = 200.0
SERVE_FIRST = 90.0
SAVE = 75.0
FILL = 60.0
FRY_NEXT = 55.0
CHARCOAL_AWAY = 50.0
CHOP_ON = 50.0
FETCH = 45.0
RINSE = 42.0
DIRTY = 40.0
CLEAR_PASS = 20.0
ACROSS = 20.0  # against going where the other cook already is, beyond the wall


@dataclass(frozen=True, slots=True)
class Job:
    """Something to start: the skill, its worth, where it begins, where it leads, and what it puts into the hand.

    `thing` is the item that it takes away, None if it comes from a dispenser or the stack.
    """

    skill: int
    worth: float
    place: Position
    goal: Position
    gives: int
    thing: Thing | None = None


class Board:
    """One view of the kitchen: facts and demand, and the cook whose jobs are looked for."""

    def __init__(self, facts: Facts, slots: list[Slot], cook: Cook, other: Cook) -> None:
        self.facts = facts
        self.slots = slots
        self.cook = cook
        self.other = other
        self.taken = {thing.position: thing for thing in facts.things if thing.tag != "stack"}

    @property
    def places(self) -> Places:
        """The stations."""
        return self.facts.places

    def free(self, letter: str) -> list[Position]:
        """The stations of a kind on which nothing lies."""
        return [place for place in self.places.of(letter) if place not in self.taken]

    def cleared(self, letter: str) -> list[Position]:
        """Grills or pots that can take food: empty ones and those with charcoal, which is taken out in exchange."""
        return [p for p in self.places.of(letter) if p not in self.taken or self.taken[p].item == CHARCOAL]

    def nearest(self, places: list[Position], start: Position) -> Position | None:
        """The place that is the shortest walk from `start`."""
        return min(places, key=lambda place: self.places.walk(start, place), default=None)

    def lured(self, item: int, place: Position) -> bool:
        """Whether a skill meant for `place` would end at such an item on a pass counter instead, as that is nearer."""
        far = self.places.walk(self.cook.position, place)
        return any(
            thing.item == item and self.places.walk(self.cook.position, thing.position) <= far
            for thing in map(self.taken.get, self.places.of("pass"))
            if thing is not None
        )

    def handed_over(self, goal: Position) -> bool:
        """Whether the other cook stands on the far side, where `goal` is, so that it can take over there."""
        return self.places.apart(self.cook.position, goal) and not self.places.apart(self.other.position, goal)


def free_hand_jobs(board: Board) -> list[Job]:
    """Every job that the orders call for and that leads somewhere, in no special order."""
    kinds = (_fire_jobs, _burrito_jobs, _plate_jobs, _protein_jobs, _rice_jobs, _wash_jobs)
    return [job for jobs in kinds for job in jobs(board) if _leads_on(board, job)]


def _leads_on(board: Board, job: Job) -> bool:
    """Not so: to take back what waits on a pass counter for the other cook, or what cannot be handed over now."""
    if not board.handed_over(job.goal):
        return True
    on_pass = board.places.letter(job.place) == "pass"
    return not on_pass and len(board.facts.crowded) < len(board.places.of("pass"))


def tiles(board: Board, job: Job) -> float:
    """The way of a job: to its place, and part of the way on to where it leads."""
    there: float = board.places.walk(board.cook.position, job.place)
    if board.handed_over(job.place):
        there += ACROSS
    if board.handed_over(job.goal):
        passing = board.nearest(list(board.places.of("pass")), job.place)
        return there + (ONWARD * board.places.walk(job.place, passing) if passing else 0.0)
    return there + ONWARD * board.places.walk(job.place, job.goal)


def _fire_jobs(board: Board) -> Iterator[Job]:
    fires = [thing for thing in board.facts.things if thing.tag == "BURNT"]
    if fires and board.other.held != FIRE_EXT:
        for thing in board.facts.things:
            if thing.item == FIRE_EXT:
                yield Job(GRAB_FIRE_EXT, FIRE, thing.position, fires[0].position, FIRE_EXT, thing)
    trash = board.nearest(list(board.places.of("U")), board.cook.position)
    for thing in board.facts.things:
        if thing.item == CHARCOAL and trash and board.places.letter(thing.position) in ("G", "P"):
            yield Job(GRAB_CHARCOAL, CHARCOAL_AWAY, thing.position, trash, CHARCOAL, thing)


def _burrito_jobs(board: Board) -> Iterator[Job]:
    window = board.nearest(list(board.places.of("S")), board.cook.position)
    if window is None or not board.slots:
        return
    for thing in board.facts.things:
        for dish in DISHES:
            if thing.item != dish.burrito:
                continue
            if dish is board.slots[0].dish:
                yield Job(dish.grab_burrito, SERVE_FIRST, thing.position, window, thing.item, thing)
            elif board.places.letter(thing.position) == "pass":
                yield Job(dish.grab_burrito, CLEAR_PASS, thing.position, thing.position, thing.item, thing)


def _plate_jobs(board: Board) -> Iterator[Job]:
    """Take up a plate for which something is ready, or will be by the time that the plate is there."""
    for thing in board.facts.things:
        if thing.item < PLATE or (thing.item & ON_RICE and thing.item & ON_TORTILLA and thing.item & 3):
            continue
        slot = next((slot for slot in board.slots if slot.plate == thing.item), None)
        if slot is None:
            continue
        way = board.places.walk(board.cook.position, thing.position)
        goal = next_part(board, slot, thing.position, STEPS_A_TILE * way + SLACK)
        if goal is not None:
            parts = (thing.item & ~PLATE).bit_count()
            skill = (GRAB_CLEAN_PLATE, GRAB_ONE_INGREDIENT_PLATE, GRAB_TWO_INGREDIENT_PLATE)[parts]
            worth = FILL * RANK_WORTH[slot.rank] + 5.0 * parts
            yield Job(skill, worth, thing.position, goal, thing.item, thing)


def next_part(board: Board, slot: Slot, start: Position, patience: int) -> Position | None:
    """Where the nearest part is that can be added to the slot's plate within `patience` steps of waiting."""
    goals = []
    if slot.protein in (HEATING, READY) and slot.protein_wait <= patience:
        goals += [t.position for t in board.facts.things if t.item == slot.dish.cooked and t.tag != "BURNT"]
    if slot.rice in (HEATING, READY) and slot.rice_wait <= patience:
        goals += [p for p in board.places.of("P") if p in board.taken and board.taken[p].tag != "BURNT"]
    if slot.protein == PLATED and slot.rice == PLATED:
        goals += board.places.of("T")
    return board.nearest(goals, start)


def _protein_jobs(board: Board) -> Iterator[Job]:
    grills = board.cleared("G")
    hot = len(grills) - (board.other.held in (DISHES[0].chopped, DISHES[1].chopped))
    boards = board.free("B")
    room = len(boards) - (board.other.held in (DISHES[0].raw, DISHES[1].raw))
    for slot in board.slots:
        worth, dish = RANK_WORTH[slot.rank], slot.dish
        if slot.protein == CHOPPED and hot > 0:
            yield from _take(board, dish.grab_chopped, dish.chopped, FRY_NEXT * worth, grills)
        elif slot.protein == RAW:
            yield from _chop_on(board, dish.chopped, CHOP_ON * worth)
            if room > 0:
                yield from _take(board, dish.grab_raw, dish.raw, FETCH * worth, boards)
        elif slot.protein == MISSING and room > 0:
            yield from _fetch(board, "M" if dish is DISHES[0] else "Z", dish.grab_raw, dish.raw, FETCH * worth, boards)


def _fetch(
    board: Board, letter: str, skill: int, item: int, worth: float, goals: list[Position]
) -> Iterator[Job]:
    """Take an item from its dispenser or stack, to carry it to the nearest of the goals."""
    source = board.nearest(list(board.places.of(letter)), board.cook.position)
    goal = board.nearest(goals, source) if source else None
    if source and goal and not board.lured(item, source):
        yield Job(skill, worth, source, goal, item)


def _take(board: Board, skill: int, item: int, worth: float, goals: list[Position]) -> Iterator[Job]:
    """Take an item that lies ready, to carry it to the nearest of the goals."""
    for thing in board.facts.things:
        goal = board.nearest(goals, thing.position)
        if thing.item == item and thing.tag in ("", "ready") and goal is not None:
            yield Job(skill, worth, thing.position, goal, item, thing)


def _chop_on(board: Board, item: int, worth: float) -> Iterator[Job]:
    for thing in board.facts.things:
        if thing.item == item and thing.tag == "unready":
            yield Job(CHOP, worth, thing.position, thing.position, item, thing)


def _rice_jobs(board: Board) -> Iterator[Job]:
    pots = board.cleared("P")
    if len(pots) - (board.other.held == RICE) <= 0:
        return
    for slot in board.slots:
        worth = FETCH * RANK_WORTH[slot.rank]
        if slot.rice == RAW:
            yield from _take(board, GRAB_RICE, RICE, worth, pots)
        elif slot.rice == MISSING:
            yield from _fetch(board, "R", GRAB_RICE, RICE, worth, pots)


def _wash_jobs(board: Board) -> Iterator[Job]:
    slot = next((slot for slot in board.slots if slot.plate == NOTHING), None)
    if slot is None:
        return
    worth = RANK_WORTH[slot.rank]
    for thing in board.facts.things:
        if thing.item == DIRTY_PLATE and thing.tag == "unrinsed":
            yield Job(WASH, RINSE * worth, thing.position, thing.position, PLATE, thing)
    sinks = board.free("W")
    if not sinks or board.other.held == DIRTY_PLATE:
        return
    yield from _take(board, GRAB_DIRTY_PLATE, DIRTY_PLATE, DIRTY * worth, sinks)
    if any(slot.plate == NOTHING and not slot.plate_coming for slot in board.slots):
        yield from _fetch(board, "D", GRAB_DIRTY_PLATE, DIRTY_PLATE, DIRTY * worth, sinks)
