"""The next thing to do in a stage of the lesson, from any state: where to go, and the primitive action on the way."""

from collections.abc import Iterable

from bba.analysis.advice import WAIT, Advice, way_to
from bba.kitchen import Layout, constants
from bba.kitchen.layout import Position
from bba.kitchen.scene import scene_of
from bba.kitchen.state import HELD, StateVector

_MEAT = (constants.FRY, constants.GRAB_CHOPPED_MEAT, constants.CHOP, constants.GRAB_MEAT)
_RICE = (constants.BOIL, constants.GRAB_RICE)
_PLATE = (constants.GRAB_CLEAN_PLATE, constants.WASH, constants.GRAB_DIRTY_PLATE)
_FILLED = (constants.GRAB_TWO_INGREDIENT_PLATE, constants.GRAB_ONE_INGREDIENT_PLATE)

# By stage of `human.study.practice.STAGES`: the skills that lead to it, the last one first.
CHAINS: tuple[tuple[int, ...], ...] = (
    (),
    (constants.GRAB_MEAT,),
    (constants.CHOP, constants.GRAB_MEAT),
    _MEAT,
    _RICE,
    (constants.WASH, constants.GRAB_DIRTY_PLATE),
    (constants.GET_STEAK, *_FILLED, *_PLATE),
    (constants.GET_BOILED_RICE, *_FILLED, *_PLATE),
    (*_FILLED, constants.GRAB_TORTILLA, *_PLATE),
    (constants.SERVE, constants.GRAB_STEAK_BURRITO, constants.GRAB_MUSHROOM_BURRITO, *_FILLED, constants.GRAB_TORTILLA),
)


def next_thing(layout: Layout, state: StateVector, player: int, stage: int) -> Advice:
    """Returns the next thing for a player in a stage (0 to 9); `WAIT`, with the tile, while food has to cook first."""
    if not CHAINS[stage]:
        return WAIT
    found = first_way(layout, state, player, CHAINS[stage])
    if found != WAIT:
        return found
    held = int(state[HELD + player])
    cooking = _cooking(layout, state)
    if held >= constants.PLATE and cooking is not None:
        return WAIT._replace(target=cooking)
    if held != constants.NOTHING:
        return way_to(layout, state, player, constants.PUT_DOWN_OBJECT)
    earlier = (skill for chain in reversed(CHAINS[:stage]) for skill in chain)
    return first_way(layout, state, player, earlier)


def first_way(layout: Layout, state: StateVector, player: int, skills: Iterable[int]) -> Advice:
    """Returns the way to the first of these skills that can be done now; `WAIT` if there is none.

    A skill to which the other cook stands in the way comes after those to which the way is free.
    """
    blocked = WAIT
    for way in (way_to(layout, state, player, skill) for skill in skills):
        if way.action != constants.ACTION_STAY:
            return way
        blocked = way if blocked == WAIT else blocked
    return blocked


def _cooking(layout: Layout, state: StateVector) -> Position | None:
    """Returns where food cooks that is not ready yet; None where none does."""
    things = scene_of(layout, state).objects
    return next((thing.position for thing in things if thing.state == "cooking"), None)
