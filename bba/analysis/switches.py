"""How the belief and the ego follow the partner's switches from one role to another.

The ego is player 0, the partner player 1. A true switch is known from the trace, not from the belief.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from bba.analysis.coordination import EGO, PARTNER, map_correct
from bba.belief import is_complementary
from bba.play.trace import Tick


class SwitchResponse(NamedTuple):
    """How belief and ego followed one true switch of the partner.

    Attributes:
        start: index of the first tick after the switch.
        end: index of the next switch, or the number of ticks.
        role: the role that the partner switched to.
        noticed: steps until the observer's MAP is the true role; None if it never is before `end`.
        complemented: steps until the ego runs a skill that complements the true role; None if it never does.
    """

    start: int
    end: int
    role: int
    noticed: int | None
    complemented: int | None


def switch_steps(ticks: list[Tick]) -> list[int]:
    """Returns the indices of the ticks in which the partner truly switches.

    A partner with a schedule switches where its scheduled role and the role of its work both change; any other partner
    where the role of its work changes.
    """
    steps = []
    for i in range(1, len(ticks)):
        scheduled, before = ticks[i].decisions[PARTNER].scheduled_role, ticks[i - 1].decisions[PARTNER].scheduled_role
        if ticks[i].role(PARTNER) != ticks[i - 1].role(PARTNER) and (scheduled is None or scheduled != before):
            steps.append(i)
    return steps


def switch_responses(ticks: list[Tick]) -> list[SwitchResponse]:
    """Returns how each true switch of the partner was followed, in order."""
    return [
        SwitchResponse(
            start,
            end,
            ticks[start].role(PARTNER),
            first_step(map_correct, ticks[start:end]),
            first_step(complements, ticks[start:end]),
        )
        for start, end in pairwise([*switch_steps(ticks), len(ticks)])
    ]


def recoveries(responses: list[SwitchResponse]) -> list[int]:
    """Returns for each switch the steps until the ego first complements the partner's true role.

    A switch that the ego does not complement before the next one counts with all the steps between the two.
    """
    return [
        response.end - response.start if response.complemented is None else response.complemented
        for response in responses
    ]


def detection_delays(responses: list[SwitchResponse]) -> list[int]:
    """Returns the steps until the observer's MAP is the true role, for each switch that it detects before the next."""
    return [response.noticed for response in responses if response.noticed is not None]


def first_step(holds: Callable[[Tick], bool], ticks: list[Tick]) -> int | None:
    """Returns the index of the first tick for which `holds` is true; None if there is none."""
    return next((i for i, tick in enumerate(ticks) if holds(tick)), None)


def complements(tick: Tick) -> bool:
    """Returns whether the ego's skill complements the partner's true role."""
    return is_complementary(tick.role(EGO), tick.role(PARTNER))
