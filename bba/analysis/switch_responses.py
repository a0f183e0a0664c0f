"""How belief and ego follow the partner's switches, which `bba.analysis.role_changes` defines.

These are functions of all ticks of a game and of switches in it.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from bba.analysis.coordination import decides, mean
from bba.analysis.role_changes import RoleChange, role_changes
from bba.belief import is_complementary
from bba.kitchen import constants
from bba.play.trace import EGO, Tick

NEEDLESS_AFTER = 30  # steps after a switch in which a replan may answer it


class SwitchResponse(NamedTuple):
    """How belief and ego followed one switch of the partner.

    Attributes:
        start: index of the first tick of the work in the new role.
        end: index of the next switch, or the number of ticks.
        role: the role that the partner switched to.
        noticed: steps until the observer's MAP is that role; None if it never is before `end`.
        complemented: steps until the ego runs a skill that complements that role; None if it never does.
    """

    start: int
    end: int
    role: int
    noticed: int | None
    complemented: int | None


def switch_responses(ticks: Sequence[Tick], changes: Sequence[RoleChange] | None = None) -> list[SwitchResponse]:
    """Returns how each of these switches of the partner was followed, in order; None stands for all of the game."""
    changes = role_changes(ticks) if changes is None else changes
    bounds = pairwise([*(change.start for change in changes), len(ticks)])
    return [
        SwitchResponse(start, end, change.role, *_followed(ticks[start:end], change.role))
        for change, (start, end) in zip(changes, bounds, strict=True)
    ]


def _followed(ticks: Sequence[Tick], role: int) -> tuple[int | None, int | None]:
    """Returns the steps until the observer's MAP is this role, and until the ego's role complements it."""
    noticed = first_step(lambda tick: tick.observer.map_index == role, ticks)
    return noticed, first_step(lambda tick: is_complementary(tick.role(EGO), role), ticks)


def recoveries(responses: list[SwitchResponse]) -> list[int]:
    """Returns for each switch the steps until the ego first complements the partner's new role.

    A switch that the ego does not complement before the next one counts with all the steps between the two.
    """
    return [
        response.end - response.start if response.complemented is None else response.complemented
        for response in responses
    ]


def detection_delays(responses: list[SwitchResponse]) -> list[int]:
    """Returns the steps until the observer's MAP is the new role, for each switch that it detects before the next."""
    return [response.noticed for response in responses if response.noticed is not None]


def reach_delays(ticks: Sequence[Tick], responses: list[SwitchResponse]) -> list[int | None]:
    """Returns for each switch in the middle of a skill of the ego the steps until the ego is reached.

    A switch *reaches* the ego when the ego replans, or chooses a skill of its own accord while the observer's MAP is
    the new role; None if that does not happen before the next switch. A switch in a step in which the ego chooses or
    waits is left out.

    Args:
        ticks: all ticks of the game.
        responses: the switches in question.
    """
    return [_reach_delay(ticks, response) for response in responses if _mid_skill(ticks[response.start])]


def _reach_delay(ticks: Sequence[Tick], response: SwitchResponse) -> int | None:
    return first_step(
        lambda tick: tick.decisions[EGO].replanned or (decides(tick) and tick.observer.map_index == response.role),
        ticks[response.start : response.end],
    )


def share_reached(delays: list[int | None], steps: int) -> float | None:
    """Returns the share of the delays that are at most so many steps; None without delays."""
    return mean([delay is not None and delay <= steps for delay in delays])


def _mid_skill(tick: Tick) -> bool:
    """Whether the ego goes on with a skill other than waiting."""
    return not tick.decisions[EGO].chosen and tick.skills[EGO] not in (constants.NO_SKILL, constants.SKILL_STAY)


def needless_replans(ticks: Sequence[Tick], changes: Sequence[RoleChange]) -> list[int]:
    """Returns the indices of the replans without a switch in the `NEEDLESS_AFTER` steps before."""
    starts = [change.start for change in changes]
    replans = [i for i, tick in enumerate(ticks) if tick.decisions[EGO].replanned]
    return [i for i in replans if bisect_left(starts, i) == bisect_left(starts, i - NEEDLESS_AFTER)]


def first_step(holds: Callable[[Tick], bool], ticks: Sequence[Tick]) -> int | None:
    """Returns the index of the first tick for which `holds` is true; None if there is none."""
    return next((i for i, tick in enumerate(ticks) if holds(tick)), None)
