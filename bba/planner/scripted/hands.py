"""What a cook with full hands does: one rule for each kind of thing that it may hold.

A rule returns the skill to run. `None` means that the thing is of no use now and is to be put down.
"""

from collections.abc import Callable, Iterator

from bba.kitchen.codes import (
    BOIL,
    CHARCOAL,
    CHOP,
    DIRTY_PLATE,
    FIRE_EXT,
    FRY,
    GET_BOILED_RICE,
    GRAB_CHARCOAL,
    GRAB_ONE_INGREDIENT_PLATE,
    GRAB_TORTILLA,
    GRAB_TWO_INGREDIENT_PLATE,
    NOTHING,
    ON_PROTEIN,
    ON_RICE,
    ON_TORTILLA,
    PASS_OBJECT,
    PLATE,
    PUT_DOWN_OBJECT,
    PUT_OUT_FIRE,
    RICE,
    SERVE,
    STAY,
    THROW,
    TORTILLA,
    WASH,
)
from bba.planner.scripted.demand import DISHES, HEATING, READY, Slot
from bba.planner.scripted.jobs import Board
from bba.planner.scripted.places import Position
from bba.planner.scripted.reading import NEVER

PATIENCE = 14  # steps to wait with a plate in hand for food that cooks
ORDER_TURN = 25  # steps of waiting that are worth keeping to the orders' sequence

Rule = Callable[[Board], int | None]


def full_hand_skill(board: Board) -> int:
    """The skill for a cook that holds something."""
    held = board.cook.held
    skill = RULES[held](board) if held in RULES else _plate(board)
    return _put_away(board) if skill is None else skill


def _use(*skills: int, letter: str) -> Rule:
    """The rule: run the first of the skills that is offered; if none is, hand over to whoever reaches the station."""

    def rule(board: Board) -> int | None:
        for skill in skills:
            if skill in board.facts.feasible and not _better_handed_over(board, letter):
                return skill
        return _hand_over(board, letter)

    return rule


def _better_handed_over(board: Board, letter: str) -> bool:
    stations = board.places.of(letter)
    return bool(stations) and PASS_OBJECT in board.facts.feasible and all(map(board.handed_over, stations))


def _hand_over(board: Board, letter: str) -> int | None:
    return PASS_OBJECT if _better_handed_over(board, letter) else None


def _put_away(board: Board) -> int:
    """Put the thing down on a counter; where no counter is free, anywhere; else wait for one."""
    for skill in (PUT_DOWN_OBJECT, PASS_OBJECT):
        if skill in board.facts.feasible:
            return skill
    return STAY


def _extinguisher(board: Board) -> int | None:
    """Put the fire out, or pass the extinguisher to the side that burns; without a fire it is of no use."""
    fires = [thing.position for thing in board.facts.things if thing.tag == "BURNT"]
    if fires and all(map(board.handed_over, fires)) and PASS_OBJECT in board.facts.feasible:
        return PASS_OBJECT
    return PUT_OUT_FIRE if PUT_OUT_FIRE in board.facts.feasible else None


def _tortilla(board: Board) -> int | None:
    """Put it onto a plate that lies on a counter."""
    for skill in (GRAB_TWO_INGREDIENT_PLATE, GRAB_ONE_INGREDIENT_PLATE):
        if skill in board.facts.feasible:
            return skill
    return None


def _burrito(board: Board) -> int | None:
    """Serve it when its turn has come; before that only if the first order is out of sight."""
    if not board.slots or DISHES[board.slots[0].dish is not DISHES[0]].burrito != board.cook.held:
        return None
    if _better_handed_over(board, "S"):
        return PASS_OBJECT
    return SERVE if SERVE in board.facts.feasible else None


def _plate(board: Board) -> int | None:
    """Add the nearest part that the plate's order lacks; wait for one that is nearly ready; else put the plate down."""
    held = board.cook.held
    slot = _order_for(board, held)
    if slot is None:
        return None
    offers = sorted(_offers(board, slot, held))
    near = [skill for _, skill, place in offers if not board.handed_over(place)]
    if near:
        return near[0]
    if offers and PASS_OBJECT in board.facts.feasible:
        return PASS_OBJECT
    waits = [wait for stage, wait in ((slot.protein, slot.protein_wait), (slot.rice, slot.rice_wait)) if stage == HEATING]
    return STAY if waits and min(waits) <= PATIENCE else None


def _order_for(board: Board, held: int) -> Slot | None:
    """The order that a plate serves best: in sequence, unless the other dish's protein is ready much earlier."""
    protein = held & ON_PROTEIN
    fits = [slot for slot in board.slots if slot.plate in (NOTHING, held) and protein in (0, slot.dish.bit)]
    return min(fits, key=lambda slot: slot.rank * ORDER_TURN + (0 if protein else min(slot.protein_wait, 100)), default=None)


def _offers(board: Board, slot: Slot, held: int) -> Iterator[tuple[int, int, Position]]:
    """(walk, skill, place) of each part that can be added now."""
    spots: list[tuple[int, list[Position]]] = []
    if not held & ON_PROTEIN:
        spots.append((slot.dish.get_cooked, [t.position for t in board.facts.things if _ready(t.item, t.tag, slot)]))
    if not held & ON_RICE and slot.rice == READY:
        spots.append((GET_BOILED_RICE, [p for p in board.places.of("P") if p in board.taken and board.taken[p].tag in EDIBLE]))
    if not held & ON_TORTILLA:
        spots.append((GRAB_TORTILLA, list(board.places.of("T"))))
    for skill, places in spots:
        place = board.nearest(places, board.cook.position)
        if place is not None and (skill in board.facts.feasible or board.handed_over(place)):
            yield board.places.walk(board.cook.position, place), skill, place


EDIBLE = ("ready/waiting", "warning")


def _ready(item: int, tag: str, slot: Slot) -> bool:
    return item == slot.dish.cooked and tag in EDIBLE


RULES: dict[int, Rule] = {
    RICE: _use(BOIL, GRAB_CHARCOAL, letter="P"),
    TORTILLA: _tortilla,
    DIRTY_PLATE: _use(WASH, letter="W"),
    CHARCOAL: _use(THROW, letter="U"),
    FIRE_EXT: _extinguisher,
}
for _dish in DISHES:
    RULES[_dish.raw] = _use(CHOP, letter="B")
    RULES[_dish.chopped] = _use(FRY, GRAB_CHARCOAL, letter="G")
    RULES[_dish.burrito] = _burrito

__all__ = ["NEVER", "PLATE", "full_hand_skill"]
