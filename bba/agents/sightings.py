"""What one player sees of the other from one public state to the next."""

from bba.kitchen import codes
from bba.kitchen.state import COMPLETE, EVENT, FACING, HELD, POS, Row

NO_TASK = (codes.NOTHING, codes.CHARCOAL, codes.FIRE_EXT)  # all else that a hand can hold goes towards an order


def stirred(before: Row, row: Row, player: int) -> bool:
    """Whether anything public about a player has changed: place, facing, hand, or work at a station."""
    changed = any(before[part + player] != row[part + player] for part in (POS, FACING, HELD))
    return changed or bool(row[EVENT + player] != codes.NO_SKILL)


def took_task_item(before: Row, row: Row, player: int) -> bool:
    """Whether a player newly holds something that goes towards an order."""
    held = row[HELD + player]
    return bool(held != before[HELD + player] and held not in NO_TASK)


def completed(row: Row, player: int) -> bool:
    """Whether a player completed a skill in the last step."""
    return bool(row[COMPLETE + player])


def deed(row: Row, player: int) -> str:
    """What a player did at a station in the last step, as ``completed 8:GRAB_MEAT, holds meat``; "" if nothing."""
    skill = int(row[EVENT + player])
    if skill == codes.NO_SKILL:
        return ""
    how = "completed" if completed(row, player) else "went on with"
    return f"{how} {skill}:{codes.SKILL_NAMES[skill]}, holds {held_words(row, player)}"


def held_words(row: Row, player: int) -> str:
    """What a player holds, as prompts name it."""
    return codes.ITEM_NAMES.get(int(row[HELD + player]), "nothing")
