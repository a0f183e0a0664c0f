"""Highlights of a game: slow or missed switches of the partner, replans, and long duplicate work."""

from itertools import groupby
from typing import NamedTuple

from bba.analysis.coordination import EGO, PARTNER, SwitchResponse, switch_responses
from bba.belief import NO_ROLE
from bba.play.trace import Tick, Trace

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
    responses = switch_responses(trace.ticks)
    kinds = (_unnoticed(responses), _slow(responses), _replans(trace.ticks), _duplicates(trace.ticks))
    return sorted(highlight for kind in kinds for highlight in kind)


def _longest(highlights: list[Highlight]) -> list[Highlight]:
    return sorted(highlights, key=lambda highlight: (-highlight.steps, highlight.step))[:MOST_OF_A_KIND]


def _unnoticed(responses: list[SwitchResponse]) -> list[Highlight]:
    return _longest(
        [
            Highlight(r.start + 1, "unnoticed", r.end - r.start, r.role)
            for r in responses
            if r.noticed is None and r.role != NO_ROLE
        ]
    )


def _slow(responses: list[SwitchResponse]) -> list[Highlight]:
    return _longest([Highlight(r.start + 1, "slow", r.noticed, r.role) for r in responses if r.noticed])


def _replans(ticks: list[Tick]) -> list[Highlight]:
    steps = [i for i, tick in enumerate(ticks) if tick.decisions[EGO].replanned]
    return [Highlight(i + 1, "replan", 0, ticks[i].role(PARTNER)) for i in steps[:MOST_OF_A_KIND]]


def _duplicates(ticks: list[Tick]) -> list[Highlight]:
    """Returns the longest intervals in which both players have the same role."""
    intervals = []
    for role, run in groupby(enumerate(ticks), key=lambda pair: _shared(pair[1])):
        steps = [i for i, _ in run]
        if role != NO_ROLE and len(steps) >= MIN_DUPLICATE_STEPS:
            intervals.append(Highlight(steps[0] + 1, "duplicate", len(steps), role))
    return _longest(intervals)


def _shared(tick: Tick) -> int:
    return tick.role(EGO) if tick.role(EGO) == tick.role(PARTNER) else NO_ROLE
