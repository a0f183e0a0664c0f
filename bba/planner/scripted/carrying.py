"""What a cook with full hands does: one rule for each kind of thing that it may hold.

A rule returns the skill to run. `None` means that the thing is of no use now and is to be put down.
"""

from collections.abc import Callable, Iterator

from bba.kitchen.constants import (
    BOIL,
    BOILED_RICE,
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
    PUT_DOWN_OBJECT,
    PUT_OUT_FIRE,
    RICE,
    SERVE,
    SKILL_STAY,
    THROW,
    TORTILLA,
    WASH,
)
from bba.planner.scripted.geometry import Position
from bba.planner.scripted.order_needs import OrderSlot
from bba.planner.scripted.planning_view import PlanningView
from bba.planner.scripted.recipes import BURRITOS, DISHES, HEATING, PROTEIN, RAW, READY

PATIENCE = 25  # steps to wait with a plate in hand for food that cooks
ORDER_TURN = 25  # steps of waiting that are worth keeping to the orders' sequence
OUT_OF_SIGHT = 100  # steps that count for a protein that is not on a grill yet

Rule = Callable[[PlanningView], int | None]


def full_hand_skill(view: PlanningView) -> int:
    """The skill for a cook that holds something."""
    held = view.cook.held
    skill = RULES[held](view) if held in RULES else _plate(view)
    return _put_away(view) if skill is None else skill


def _use(*skills: int, letter: str) -> Rule:
    """The rule: run the first of the skills that is offered; if the station is the other cook's, hand over."""

    def rule(view: PlanningView) -> int | None:
        if not _wanted(view):
            return None
        if PASS_OBJECT in view.facts.feasible and view.all_handed_over(letter):
            return PASS_OBJECT
        return next((skill for skill in skills if skill in view.facts.feasible), None)

    return rule


def _wanted(view: PlanningView) -> bool:
    """Whether some order counts on the food in hand. Cooking what nobody waits for ends in charcoal."""
    held = view.cook.held
    if held == RICE:
        return any(slot.rice == RAW for slot in view.slots)
    if held in PROTEIN:
        dish, stage = PROTEIN[held]
        return any(slot.dish is dish and slot.protein == stage for slot in view.slots)
    return True


def _put_away(view: PlanningView) -> int:
    """Put the thing down on a counter; where no counter is free, anywhere; else wait for one."""
    for skill in (PUT_DOWN_OBJECT, PASS_OBJECT):
        if skill in view.facts.feasible:
            return skill
    return SKILL_STAY


def _charcoal(view: PlanningView) -> int | None:
    """Throw it away, however far that is: no skill takes it off a counter again."""
    return THROW if THROW in view.facts.feasible else None


def _extinguisher(view: PlanningView) -> int | None:
    """Put the fire out, or pass the extinguisher to the side that burns; without a fire it is of no use."""
    fires = [thing.position for thing in view.facts.things if thing.tag == "BURNT"]
    if fires and all(map(view.handed_over, fires)) and PASS_OBJECT in view.facts.feasible:
        return PASS_OBJECT
    return PUT_OUT_FIRE if PUT_OUT_FIRE in view.facts.feasible else None


def _tortilla(view: PlanningView) -> int | None:
    """Put it onto a plate that lies on a counter."""
    for skill in (GRAB_TWO_INGREDIENT_PLATE, GRAB_ONE_INGREDIENT_PLATE):
        if skill in view.facts.feasible:
            return skill
    return None


def _burrito(view: PlanningView) -> int | None:
    """Serve it when its turn has come; serving it sooner would end the streak."""
    if not view.has_turn(BURRITOS[view.cook.held]):
        return None
    if PASS_OBJECT in view.facts.feasible and view.all_handed_over("S"):
        return PASS_OBJECT
    return SERVE if SERVE in view.facts.feasible else None


def _plate(view: PlanningView) -> int | None:
    """Add the nearest part that the plate's order lacks; wait for one that is nearly ready; else put the plate down."""
    slot = _order_for(view)
    if slot is None:
        return None
    offers = sorted(_offers(view, slot))
    near = next((skill for _, skill, place in offers if not view.handed_over(place)), None)
    if near is not None:
        return near
    if offers and PASS_OBJECT in view.facts.feasible:
        return PASS_OBJECT
    parts = ((slot.protein, slot.protein_wait), (slot.rice, slot.rice_wait))
    soon = any(stage == HEATING and wait <= PATIENCE for stage, wait in parts)
    return SKILL_STAY if soon else None


def _order_for(view: PlanningView) -> OrderSlot | None:
    """The order that the plate in hand serves best: in sequence, unless another's protein is ready much earlier."""
    held = view.cook.held
    protein = held & ON_PROTEIN

    def delay(slot: OrderSlot) -> int:
        return slot.rank * ORDER_TURN + (0 if protein else min(slot.protein_wait, OUT_OF_SIGHT))

    fitting = [slot for slot in view.slots if slot.plate in (NOTHING, held) and protein in (0, slot.dish.bit)]
    return min(fitting, key=delay, default=None)


def _offers(view: PlanningView, slot: OrderSlot) -> Iterator[tuple[int, int, Position]]:
    """(walk, skill, place) of each part that can be added now, here or on the other side."""
    held, spots = view.cook.held, []
    if not held & ON_PROTEIN:
        spots.append((slot.dish.get_cooked, _ready(view, slot.dish.cooked)))
    if not held & ON_RICE and slot.rice == READY:
        spots.append((GET_BOILED_RICE, _ready(view, BOILED_RICE)))
    if not held & ON_TORTILLA:
        spots.append((GRAB_TORTILLA, list(view.places.of("T"))))
    for skill, places in spots:
        place = view.nearest(places, view.cook.position)
        if place is not None and (skill in view.facts.feasible or view.handed_over(place)):
            yield view.places.walk(view.cook.position, place), skill, place


def _ready(view: PlanningView, cooked: int) -> list[Position]:
    edible = ("ready/waiting", "warning")
    return [thing.position for thing in view.facts.things if thing.item == cooked and thing.tag in edible]


RULES: dict[int, Rule] = {
    RICE: _use(BOIL, GRAB_CHARCOAL, letter="P"),
    TORTILLA: _tortilla,
    DIRTY_PLATE: _use(WASH, letter="W"),
    CHARCOAL: _charcoal,
    FIRE_EXT: _extinguisher,
}
for _dish in DISHES:
    RULES[_dish.raw] = _use(CHOP, letter="B")
    RULES[_dish.chopped] = _use(FRY, GRAB_CHARCOAL, letter="G")
    RULES[_dish.burrito] = _burrito
