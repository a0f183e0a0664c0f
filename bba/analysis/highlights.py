"""What to look at after a game: how each switch of the partner was followed, and the moments that tell most."""

from itertools import groupby
from typing import NamedTuple

from bba.analysis.coordination import EGO, PARTNER
from bba.analysis.switches import SwitchResponse, switch_responses
from bba.belief import NO_ROLE
from bba.play.trace import Tick, Trace

FEW = 3  # of each kind
STRETCH = 15  # steps from which doing the same as the other is worth a look


class Highlight(NamedTuple):
    """A moment worth a look: after how many steps, of which kind, for how long, and the role that it is about.

    Kinds: "unnoticed" (a switch that the belief never followed), "slow" (one that it took long to follow), "replan",
    "duplicate" (both at the same role).
    """

    step: int
    kind: str
    steps: int
    role: int


def highlights(trace: Trace) -> list[Highlight]:
    """The moments that tell most, in order: at most three of each kind."""
    found = switch_responses(trace.ticks)
    kinds = (_unnoticed(found), _slow(found), _replans(trace.ticks), _duplicates(trace.ticks))
    return sorted(highlight for kind in kinds for highlight in kind)


def _longest(highlights: list[Highlight]) -> list[Highlight]:
    return sorted(highlights, key=lambda highlight: (-highlight.steps, highlight.step))[:FEW]


def _unnoticed(found: list[SwitchResponse]) -> list[Highlight]:
    return _longest(
        [
            Highlight(r.start + 1, "unnoticed", r.end - r.start, r.role)
            for r in found
            if r.noticed is None and r.role != NO_ROLE
        ]
    )


def _slow(found: list[SwitchResponse]) -> list[Highlight]:
    return _longest([Highlight(r.start + 1, "slow", r.noticed, r.role) for r in found if r.noticed])


def _replans(ticks: list[Tick]) -> list[Highlight]:
    steps = [i for i, tick in enumerate(ticks) if tick.decisions[EGO].replanned]
    return [Highlight(i + 1, "replan", 0, ticks[i].role(PARTNER)) for i in steps[:FEW]]


def _duplicates(ticks: list[Tick]) -> list[Highlight]:
    """The longest stretches in which both were at the same role."""
    stretches = []
    for role, run in groupby(enumerate(ticks), key=lambda pair: _shared(pair[1])):
        steps = [i for i, _ in run]
        if role != NO_ROLE and len(steps) >= STRETCH:
            stretches.append(Highlight(steps[0] + 1, "duplicate", len(steps), role))
    return _longest(stretches)


def _shared(tick: Tick) -> int:
    return tick.role(EGO) if tick.role(EGO) == tick.role(PARTNER) else NO_ROLE
