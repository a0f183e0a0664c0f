"""What one player sees of the other from one public state to the next."""

from bba.kitchen import constants
from bba.kitchen.state import COMPLETED, EVENT, FACING, HELD, POSITION, StateVector

NO_TASK = (
    constants.NOTHING,
    constants.CHARCOAL,
    constants.FIRE_EXT,
)  # all else that a hand can hold goes towards an order


def partner_changed(before: StateVector, state: StateVector, player: int) -> bool:
    """Whether anything public about a player has changed: place, facing, hand, or work at a station."""
    changed = any(before[part + player] != state[part + player] for part in (POSITION, FACING, HELD))
    return changed or bool(state[EVENT + player] != constants.NO_SKILL)


def picked_up_task_item(before: StateVector, state: StateVector, player: int) -> bool:
    """Whether a player newly holds something that goes towards an order."""
    held = state[HELD + player]
    return bool(held != before[HELD + player] and held not in NO_TASK)


def completed(state: StateVector, player: int) -> bool:
    """Whether a player completed a skill in the last step."""
    return bool(state[COMPLETED + player])


def describe_event(state: StateVector, player: int) -> str:
    """What a player did at a station in the last step, as ``completed 8:GRAB_MEAT, holds meat``; "" if nothing."""
    skill = int(state[EVENT + player])
    if skill == constants.NO_SKILL:
        return ""
    how = "completed" if completed(state, player) else "went on with"
    return f"{how} {skill}:{constants.SKILL_NAMES[skill]}, holds {held_name(state, player)}"


def held_name(state: StateVector, player: int) -> str:
    """What a player holds, as prompts name it."""
    return constants.ITEM_NAMES.get(int(state[HELD + player]), "nothing")
