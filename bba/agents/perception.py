"""What an agent reads from observations: the input of its planner, and what its partner did."""

from collections.abc import Mapping
from functools import lru_cache

from bba.kitchen import constants
from bba.kitchen.layout import Layout, Position
from bba.kitchen.state import COMPLETED, EVENT, FACING, HELD, POSITION, StateVector

# Whatever else a hand can hold is needed for an order.
NO_TASK = (constants.NOTHING, constants.CHARCOAL, constants.FIRE_EXT)


def partner_changed(before: StateVector, state: StateVector, player: int) -> bool:
    """Whether anything public about a player has changed: position, facing, held item, or work at a station."""
    changed = any(before[part + player] != state[part + player] for part in (POSITION, FACING, HELD))
    return changed or bool(state[EVENT + player] != constants.NO_SKILL)


def picked_up_task_item(before: StateVector, state: StateVector, player: int) -> bool:
    """Whether a player newly holds an item that an order needs."""
    held = state[HELD + player]
    return bool(held != before[HELD + player] and held not in NO_TASK)


def completed(state: StateVector, player: int) -> bool:
    """Whether a player completed a skill in the last step."""
    return bool(state[COMPLETED + player])


def describe_event(state: StateVector, player: int) -> str:
    """Describes what a player did at a station in the last step; "" if it did nothing there.

    For example ``completed 8:GRAB_MEAT, holds meat``.
    """
    skill = int(state[EVENT + player])
    if skill == constants.NO_SKILL:
        return ""
    how = "completed" if completed(state, player) else "went on with"
    return f"{how} {skill}:{constants.SKILL_NAMES[skill]}, holds {held_name(state, player)}"


def held_name(state: StateVector, player: int) -> str:
    """Returns the name in prompts of the item that a player holds."""
    return constants.ITEM_NAMES.get(int(state[HELD + player]), "nothing")


@lru_cache(maxsize=64)
def stations_of(layout: Layout) -> Mapping[str, tuple[Position, ...]]:
    """Returns the positions of stations by map letter, of counters that a cook can reach as "X", and of pass counters.

    The latter are listed as "pass" and not once more as "X".
    """
    stations: dict[str, tuple[Position, ...]] = {
        letter: tuple(position for position, char in layout.tiles() if char == letter) for letter in "MZRTUBGPWDS"
    }
    counters = [place for place, _ in layout.tiles() if layout.is_counter(place) and place not in layout.pass_counters]
    floor = layout.reachable(layout.starts[0]) | layout.reachable(layout.starts[1])
    reached = tuple(place for place in counters if layout.touches(place, floor))
    return stations | {"X": reached, "pass": layout.pass_counters}
