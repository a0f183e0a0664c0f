"""What others see of the partner in one step, in words."""

from bba.analysis import names
from bba.belief.likelihood import observed_action
from bba.kitchen.constants import ACTION_NAMES, ACTION_STAY, INTERACT
from bba.kitchen.state import EVENT, POSITION, StateVector
from bba.play import Trace
from bba.play.trace import PARTNER


def states_around(trace: Trace, step: int) -> tuple[StateVector, StateVector]:
    """Returns the states before and after a step, 1 for the first."""
    return trace.ticks[step - 2].state if step > 1 else trace.start, trace.ticks[step - 1].state


def partner_doing(trace: Trace, step: int) -> str:
    """Returns what the partner is seen to do in a step: "going north", "turning west", "staying", "boiling rice" …"""
    before, after = states_around(trace, step)
    action = observed_action(before, after, PARTNER)
    if action == INTERACT:
        return names.skill_doing(int(after[EVENT + PARTNER]))
    if action == ACTION_STAY:
        return "staying"
    moved = before[POSITION + PARTNER] != after[POSITION + PARTNER]
    return f"{'going' if moved else 'turning'} {ACTION_NAMES[action]}"
