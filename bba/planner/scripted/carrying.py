"""What a cook with full hands does: one rule for each kind of held item.

A rule returns the skill to run, or None if the item is of no use now and is to be put down.
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
from bba.planner.scripted.order_needs import BURRITOS, DISHES, HEATING, PROTEIN, RAW, READY, OrderSlot
from bba.planner.scripted.planning_view import PlanningView
from bba.planner.scripted.scene_facts import Position

PATIENCE = 25  # steps to wait with a held plate for food that is cooking
ORDER_DELAY = 25  # steps of waiting that are acceptable to serve the orders in sequence
NOT_COOKING_WAIT = 100  # assumed steps until a protein is ready that is not on a grill yet

Rule = Callable[[PlanningView], int | None]


def full_hand_skill(view: PlanningView) -> int:
    """Returns the skill of a cook that holds something."""
    held = view.cook.held
    skill = RULES[held](view) if held in RULES else _plate(view)
    return _put_away(view) if skill is None else skill


def _use_station(*skills: int, letter: str) -> Rule:
    """Returns the rule: hand over if only the other cook reaches the station, else the first feasible skill."""

    def rule(view: PlanningView) -> int | None:
        if not _is_needed(view):
            return None
        if PASS_OBJECT in view.facts.feasible and view.all_need_handover(letter):
            return PASS_OBJECT
        return _first_feasible(view, *skills)

    return rule


def _first_feasible(view: PlanningView, *skills: int) -> int | None:
    """Returns the first of these skills that can be started; None if there is none."""
    return next((skill for skill in skills if skill in view.facts.feasible), None)


def _is_needed(view: PlanningView) -> bool:
    """Whether an order needs the held food. Food that no order needs would end as charcoal."""
    held = view.cook.held
    if held == RICE:
        return any(slot.rice == RAW for slot in view.slots)
    if held in PROTEIN:
        dish, stage = PROTEIN[held]
        return any(slot.dish is dish and slot.protein == stage for slot in view.slots)
    return True


def _put_away(view: PlanningView) -> int:
    """Put the item down on a counter; if none is free, on a pass counter; else wait."""
    skill = _first_feasible(view, PUT_DOWN_OBJECT, PASS_OBJECT)
    return SKILL_STAY if skill is None else skill


def _charcoal(view: PlanningView) -> int | None:
    """Throw it away, however far the trash is: no skill picks charcoal up from a counter."""
    return _first_feasible(view, THROW)


def _extinguisher(view: PlanningView) -> int | None:
    """Put the fire out, or pass the extinguisher to the side of the fire; without a fire it is of no use."""
    fires = [item.position for item in view.facts.items if item.tag == "BURNT"]
    if fires and all(map(view.needs_handover, fires)) and PASS_OBJECT in view.facts.feasible:
        return PASS_OBJECT
    return _first_feasible(view, PUT_OUT_FIRE)


def _tortilla(view: PlanningView) -> int | None:
    """Put it onto a plate that is on a counter."""
    return _first_feasible(view, GRAB_TWO_INGREDIENT_PLATE, GRAB_ONE_INGREDIENT_PLATE)


def _burrito(view: PlanningView) -> int | None:
    """Serve it when its order is next; serving it earlier would end the streak."""
    if not view.may_serve(BURRITOS[view.cook.held]):
        return None
    if PASS_OBJECT in view.facts.feasible and view.all_need_handover("S"):
        return PASS_OBJECT
    return _first_feasible(view, SERVE)


def _plate(view: PlanningView) -> int | None:
    """Add the nearest part that the plate's order lacks; wait for one that is nearly ready; else put the plate down."""
    slot = _order_for(view)
    if slot is None:
        return None
    offers = sorted(_offers(view, slot))
    near = next((skill for _, skill, place in offers if not view.needs_handover(place)), None)
    if near is not None:
        return near
    if offers and PASS_OBJECT in view.facts.feasible:
        return PASS_OBJECT
    parts = ((slot.protein, slot.protein_wait), (slot.rice, slot.rice_wait))
    soon = any(stage == HEATING and wait <= PATIENCE for stage, wait in parts)
    return SKILL_STAY if soon else None


def _order_for(view: PlanningView) -> OrderSlot | None:
    """Returns the order for the held plate: the first one, unless the protein of another is ready much earlier."""
    held = view.cook.held
    protein = held & ON_PROTEIN

    def delay(slot: OrderSlot) -> int:
        return slot.rank * ORDER_DELAY + (0 if protein else min(slot.protein_wait, NOT_COOKING_WAIT))

    candidates = [slot for slot in view.slots if slot.plate in (NOTHING, held) and protein in (0, slot.dish.bit)]
    return min(candidates, key=delay, default=None)


def _offers(view: PlanningView, slot: OrderSlot) -> Iterator[tuple[int, int, Position]]:
    """Yields (distance, skill, place) of each part that can be added now, on this or the other side of the wall."""
    held, spots = view.cook.held, []
    if not held & ON_PROTEIN:
        spots.append((slot.dish.get_cooked, _ready(view, slot.dish.cooked)))
    if not held & ON_RICE and slot.rice == READY:
        spots.append((GET_BOILED_RICE, _ready(view, BOILED_RICE)))
    if not held & ON_TORTILLA:
        spots.append((GRAB_TORTILLA, list(view.geometry.stations("T"))))
    for skill, places in spots:
        place = view.nearest(places, view.cook.position)
        if place is not None and (skill in view.facts.feasible or view.needs_handover(place)):
            yield view.geometry.distance(view.cook.position, place), skill, place


def _ready(view: PlanningView, cooked: int) -> list[Position]:
    edible = ("ready/waiting", "warning")
    return [item.position for item in view.facts.items if item.code == cooked and item.tag in edible]


RULES: dict[int, Rule] = {
    RICE: _use_station(BOIL, GRAB_CHARCOAL, letter="P"),
    TORTILLA: _tortilla,
    DIRTY_PLATE: _use_station(WASH, letter="W"),
    CHARCOAL: _charcoal,
    FIRE_EXT: _extinguisher,
}
for _dish in DISHES:
    RULES[_dish.raw] = _use_station(CHOP, letter="B")
    RULES[_dish.chopped] = _use_station(FRY, GRAB_CHARCOAL, letter="G")
    RULES[_dish.burrito] = _burrito
