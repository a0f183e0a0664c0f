"""How belief and ego follow the partner's switches, which `bba.analysis.role_changes` defines.

These are functions of all steps of a game and of switches in it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bba.analysis.coordination import mean
from bba.analysis.role_changes import RoleChange, role_changes
from bba.belief import COMPLEMENTARY, ROLE_NAMES
from bba.kitchen import constants
from bba.play.step_arrays import StepArrays, Truths
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, Trace

NEEDLESS_AFTER = 30  # steps after a switch in which a replan may answer it


class SwitchResponse(NamedTuple):
    """How belief and ego followed one switch of the partner.

    Attributes:
        start: index of the first step of the work in the new role.
        end: index of the next switch, or the number of steps.
        role: the role that the partner switched to.
        noticed: steps until the observer's MAP is that role; None if it never is before `end`.
        complemented: steps until the ego runs a skill that complements that role; None if it never does.
    """

    start: int
    end: int
    role: int
    noticed: int | None
    complemented: int | None


def switch_responses(steps: StepArrays, changes: Sequence[RoleChange] | None = None) -> list[SwitchResponse]:
    """Returns how each of these switches of the partner was followed, in order; None stands for all of the game."""
    changes = role_changes(steps) if changes is None else changes
    bounds = pairwise([*(change.start for change in changes), len(steps)])
    return [
        SwitchResponse(start, end, change.role, *_followed(steps, start, end, change.role))
        for change, (start, end) in zip(changes, bounds, strict=True)
    ]


class Switch(NamedTuple):
    """A switch of player 1 to another role, with steps as `Tick.step` counts them, from 1.

    Attributes:
        step: the step in which it begins to work in the new role, or to put down something right before that.
        role: the name of the role that it switched to.
        detected_at: the step in which the observer's MAP is that role; None if it never is before the next switch.
        complemented_at: the step in which player 0 runs a skill that complements that role; None as above.
    """

    step: int
    role: str
    detected_at: int | None
    complemented_at: int | None


def switches(trace: Trace) -> list[Switch]:
    """Returns the switches of player 1 in order; what a switch is, docs/benchmarks.md says."""
    return [
        Switch(one.start + 1, ROLE_NAMES[one.role], _step_of(one, one.noticed), _step_of(one, one.complemented))
        for one in switch_responses(step_arrays(trace.ticks))
    ]


def _step_of(response: SwitchResponse, delay: int | None) -> int | None:
    return None if delay is None else response.start + delay + 1


def _followed(steps: StepArrays, start: int, end: int, role: int) -> tuple[int | None, int | None]:
    """Returns the steps until the observer's MAP is this role, and until the ego's role complements it."""
    noticed = first_step(steps.believed[start:end] == role)
    return noticed, first_step(COMPLEMENTARY[steps.ego[start:end], role])


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


def reach_delays(steps: StepArrays, responses: list[SwitchResponse]) -> list[int | None]:
    """Returns for each switch in the middle of a skill of the ego the steps until the ego is reached.

    A switch *reaches* the ego when the ego replans, or chooses a skill of its own accord while the observer's MAP is
    the new role; None if that does not happen before the next switch. A switch in a step in which the ego chooses or
    waits is left out.

    Args:
        steps: all steps of the game.
        responses: the switches in question.
    """
    mid_skill = _mid_skill(steps)
    return [_reach_delay(steps, response) for response in responses if mid_skill[response.start]]


def _reach_delay(steps: StepArrays, response: SwitchResponse) -> int | None:
    span = slice(response.start, response.end)
    return first_step(steps.replanned[span] | (steps.commits[span] & (steps.believed[span] == response.role)))


def share_reached(delays: list[int | None], steps: int) -> float | None:
    """Returns the share of the delays that are at most so many steps; None without delays."""
    return mean([delay is not None and delay <= steps for delay in delays])


def _mid_skill(steps: StepArrays) -> Truths:
    """Whether the ego goes on with a skill other than waiting."""
    skills = steps.skills[:, EGO]
    return ~steps.chosen & (skills != constants.NO_SKILL) & (skills != constants.SKILL_STAY)


def needless_replans(steps: StepArrays, changes: Sequence[RoleChange]) -> list[int]:
    """Returns the indices of the replans without a switch in the `NEEDLESS_AFTER` steps before."""
    starts = [change.start for change in changes]
    replans: list[int] = np.flatnonzero(steps.replanned).tolist()
    return [i for i in replans if bisect_left(starts, i) == bisect_left(starts, i - NEEDLESS_AFTER)]


def first_step(holds: Truths) -> int | None:
    """Returns the index of the first step in which something holds; None if there is none."""
    found = int(holds.argmax()) if len(holds) else 0
    return found if len(holds) and holds[found] else None
