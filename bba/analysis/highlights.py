"""Highlights of a game: slow or missed switches of the partner, replans, and long duplicate work."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from bba.analysis.switch_responses import switch_responses
from bba.belief import NO_ROLE
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER, Tick, Trace

MOST_OF_A_KIND = 3
MIN_DUPLICATE_STEPS = 15  # shorter duplicate work is no highlight


class Highlight(NamedTuple):
    """A step worth a look.

    Attributes:
        step: the step, from 1.
        kind: "unnoticed" (a switch that the belief never detected), "slow" (one that it detected late), "replan", or
            "duplicate" (both players work on the same role).
        steps: the duration in steps; 0 for a replan.
        role: the partner's role.
    """

    step: int
    kind: str
    steps: int
    role: int


def highlights(trace: Trace) -> list[Highlight]:
    """Returns the highlights of a game in order, at most three of each kind."""
    ticks, responses = trace.ticks, switch_responses(step_arrays(trace.ticks))
    unnoticed = [Highlight(r.start + 1, "unnoticed", r.end - r.start, r.role) for r in responses if r.noticed is None]
    slow = [Highlight(r.start + 1, "slow", r.noticed, r.role) for r in responses if r.noticed]
    replans = [Highlight(t.step, "replan", 0, t.role(PARTNER)) for t in ticks if t.decisions[EGO].replanned]
    return sorted(found for kind in (unnoticed, slow, replans, _duplicates(ticks)) for found in _longest(kind))


def _longest(found: list[Highlight]) -> list[Highlight]:
    """Returns the longest highlights of a kind, the earliest of equals."""
    return sorted(found, key=lambda highlight: (-highlight.steps, highlight.step))[:MOST_OF_A_KIND]


def _duplicates(ticks: Sequence[Tick]) -> list[Highlight]:
    """Returns the intervals in which both players have the same role for long."""
    intervals = []
    for role, run in groupby(enumerate(ticks), key=lambda pair: _shared(pair[1])):
        steps = [i for i, _ in run]
        if role != NO_ROLE and len(steps) >= MIN_DUPLICATE_STEPS:
            intervals.append(Highlight(steps[0] + 1, "duplicate", len(steps), role))
    return intervals


def _shared(tick: Tick) -> int:
    return tick.role(EGO) if tick.role(EGO) == tick.role(PARTNER) else NO_ROLE
