"""What one player sees of the other from one public state to the next."""

from bba.kitchen import constants
from bba.kitchen.state import COMPLETED, EVENT, FACING, HELD, POSITION, StateVector

NO_TASK = (
    constants.NOTHING,
    constants.CHARCOAL,
    constants.FIRE_EXT,
)  # all else that a hand can hold goes towards an order


def partner_changed(before: StateVector, row: StateVector, player: int) -> bool:
    """Whether anything public about a player has changed: place, facing, hand, or work at a station."""
    changed = any(before[part + player] != row[part + player] for part in (POSITION, FACING, HELD))
    return changed or bool(row[EVENT + player] != constants.NO_SKILL)


def picked_up_task_item(before: StateVector, row: StateVector, player: int) -> bool:
    """Whether a player newly holds something that goes towards an order."""
    held = row[HELD + player]
    return bool(held != before[HELD + player] and held not in NO_TASK)


def completed(row: StateVector, player: int) -> bool:
    """Whether a player completed a skill in the last step."""
    return bool(row[COMPLETED + player])


def describe_event(row: StateVector, player: int) -> str:
    """What a player did at a station in the last step, as ``completed 8:GRAB_MEAT, holds meat``; "" if nothing."""
    skill = int(row[EVENT + player])
    if skill == constants.NO_SKILL:
        return ""
    how = "completed" if completed(row, player) else "went on with"
    return f"{how} {skill}:{constants.SKILL_NAMES[skill]}, holds {held_name(row, player)}"


def held_name(row: StateVector, player: int) -> str:
    """What a player holds, as prompts name it."""
    return constants.ITEM_NAMES.get(int(row[HELD + player]), "nothing")
