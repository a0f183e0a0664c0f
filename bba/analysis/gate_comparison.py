"""How well a gate follows the partner's changes of role: read from a game, or simulated on a recorded one.

In a simulation the ego's skills and own decisions are those of the game; its replans are left out, and the gate's
openings take their place. A change is *reached* if the ego replans, or decides of its own with the right MAP, within so
many steps after it. A replan is *needless* if there was no change in the `RECENT` steps before it.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bba.analysis.role_changes import RoleChange, role_changes
from bba.analysis.snapshot import role_posterior
from bba.belief import CommitmentGate, Gate
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, Tick

SOON, LATER = 10, 30  # steps within which a change is to be reached
RECENT = 30  # steps


class GateTally(NamedTuple):
    """Counts over one game.

    Attributes:
        changes: of the partner's role.
        soon, later: of these, reached within `SOON` and `LATER` steps.
        replans: of the ego.
        needless: of these, needless.
    """

    changes: int
    soon: int
    later: int
    replans: int
    needless: int


def openings(ticks: Sequence[Tick], gate: Gate | CommitmentGate) -> list[int]:
    """Returns the indices of the steps of a game at which a new gate opens; the ego needs a belief."""
    found = []
    for index, tick in enumerate(ticks):
        decision = tick.decisions[EGO]
        belief, judged = decision.belief, decision.gate
        if belief is not None and judged is not None and gate.evaluate(belief, mid_skill=judged.mid_skill).opens:
            found.append(index)
        if isinstance(gate, CommitmentGate) and belief is not None and decision.commits and not decision.replanned:
            gate.remember(belief)
    return found


def replans(ticks: Sequence[Tick]) -> list[int]:
    """Returns the indices of the steps in which the ego replanned."""
    return [index for index, tick in enumerate(ticks) if tick.decisions[EGO].replanned]


def tally(ticks: Sequence[Tick], replanned: Sequence[int]) -> GateTally:
    """Returns the counts of a game for these replans, whether it had them or they are simulated."""
    changes = role_changes(step_arrays(ticks))
    reactions = sorted({(index, None) for index in replanned} | set(_own_decisions(ticks)), key=lambda one: one[0])
    starts = [change.start for change in changes]
    return GateTally(
        len(changes),
        sum(_reached(change, reactions, SOON) for change in changes),
        sum(_reached(change, reactions, LATER) for change in changes),
        len(replanned),
        sum(not _follows(starts, index) for index in replanned),
    )


def _own_decisions(ticks: Sequence[Tick]) -> Iterator[tuple[int, int | None]]:
    """Yields index and MAP role of the ego's decisions that are no replans."""
    for index, tick in enumerate(ticks):
        decision = tick.decisions[EGO]
        if decision.commits and not decision.replanned and decision.belief is not None:
            posterior = role_posterior(decision.belief)
            yield index, max(range(len(posterior)), key=posterior.__getitem__)


def _reached(change: RoleChange, reactions: Sequence[tuple[int, int | None]], within: int) -> bool:
    """Returns whether a change is reached; the role of a reaction is None for a replan."""
    first = bisect_right(reactions, change.start, key=lambda reaction: reaction[0])
    last = bisect_right(reactions, change.start + within, key=lambda reaction: reaction[0])
    return any(role in (None, change.role) for _, role in reactions[first:last])


def _follows(starts: Sequence[int], index: int) -> bool:
    """Returns whether a change was at most `RECENT` steps ago."""
    before = bisect_right(starts, index)
    return before > 0 and index - starts[before - 1] <= RECENT
