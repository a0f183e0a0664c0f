"""Declarations: what a person at the keyboard said that it does, and whether its partner believed so meanwhile."""

from typing import NamedTuple

from bba.analysis.snapshot import belief_snapshot, role_posterior
from bba.play.trace import PARTNER, Trace


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
    ends = [*(start for start, _ in said), len(trace.ticks) + 1][1:]
    return [
        Declaration(start, role, end - start, sum(_believed(trace, step) == role for step in range(start, end)))
        for (start, role), end in zip(said, ends, strict=True)
        if role is not None
    ]


def _believed(trace: Trace, step: int) -> int:
    """Returns the most likely role of player 1 after a step's action entered the belief."""
    posterior = role_posterior(belief_snapshot(trace, step).belief)
    return max(range(len(posterior)), key=posterior.__getitem__)
