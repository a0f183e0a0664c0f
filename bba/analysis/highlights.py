"""What is worth a look in a game: its highlights, and what a person declared to be doing.

Highlights are slow or missed switches of the partner, replans, and long duplicate work. Of a declaration it is told
whether the person's partner believed so meanwhile.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from bba.analysis.coordination import switch_responses
from bba.analysis.replans import REPLAN_SHOWN_STEPS
from bba.analysis.snapshot import belief_snapshot, likeliest_role
from bba.belief import NO_ROLE
from bba.play import EGO, PARTNER, Tick, Trace, step_arrays

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
    """Returns the highlights of a game in order, at most three of each kind: the longest ones, the earliest of equals.

    Of replans, those that changed the plan come first; none lies so close to another that both are shown at once.
    """
    ticks, responses = trace.ticks, switch_responses(step_arrays(trace.ticks))
    unnoticed = [Highlight(r.start + 1, "unnoticed", r.end - r.start, r.role) for r in responses if r.noticed is None]
    slow = [Highlight(r.start + 1, "slow", r.noticed, r.role) for r in responses if r.noticed]
    found = _replans(ticks)
    for kind in (unnoticed, slow, _duplicates(ticks)):
        found += sorted(kind, key=lambda one: (-one.steps, one.step))[:MOST_OF_A_KIND]
    return sorted(found)


def _replans(ticks: Sequence[Tick]) -> list[Highlight]:
    """Returns replans that lie apart, first of all the earliest that changed the plan."""
    changed = {now.step for before, now in pairwise(ticks) if before.skills[EGO] != now.skills[EGO]}
    found: list[Highlight] = []
    for tick in sorted(ticks, key=lambda tick: (tick.step not in changed, tick.step)):
        apart = all(abs(tick.step - other.step) >= REPLAN_SHOWN_STEPS for other in found)
        if tick.decisions[EGO].replanned and apart and len(found) < MOST_OF_A_KIND:
            found.append(Highlight(tick.step, "replan", 0, tick.role(PARTNER)))
    return found


def _duplicates(ticks: Sequence[Tick]) -> Iterator[Highlight]:
    """Yields the intervals in which both players have the same role for long."""
    for (ego, role), run in groupby(ticks, key=lambda tick: (tick.role(EGO), tick.role(PARTNER))):
        steps = [tick.step for tick in run]
        if ego == role != NO_ROLE and len(steps) >= MIN_DUPLICATE_STEPS:
            yield Highlight(steps[0], "duplicate", len(steps), role)


class Declaration(NamedTuple):
    """One declaration.

    Attributes:
        start: the step in which it was made, from 1.
        role: the declared role.
        steps: for how many steps it counted: until the next declaration, or the end.
        believed: in how many of these the role was the most likely one in the belief about the person.
    """

    start: int
    role: int
    steps: int
    believed: int


def declarations(trace: Trace) -> list[Declaration]:
    """Returns the declarations of the person whom the belief is about, player 1, in order."""
    said = [
        (tick.step, tick.decisions[PARTNER].declared_role)
        for tick in trace.ticks
        if tick.decisions[PARTNER].declared_role is not None
    ]
    believed = [likeliest_role(belief_snapshot(trace, tick.step).belief) for tick in trace.ticks] if said else []
    ends = [*(start for start, _ in said), len(trace.ticks) + 1][1:]
    return [
        Declaration(start, role, end - start, believed[start - 1 : end - 1].count(role))
        for (start, role), end in zip(said, ends, strict=True)
        if role is not None
    ]
