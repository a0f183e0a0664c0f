"""How well the passive observer's belief and gates follow a partner whose skills are known: calibration and openings.

The observer is the same beside every agent, so that games of different agents can be compared. Its gates judge as for
an ego that is always in the middle of a skill. An opening is a step in which a gate opens that did not in the step
before. A switch is *caught* if a gate opens within so many steps from its start on; an opening is *needless* if no
switch began in the `RECENT` steps before it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bba.analysis.gate_comparison import LATER, RECENT, SOON
from bba.analysis.role_changes import role_changes
from bba.analysis.snapshot import role_posterior
from bba.belief import NO_ROLE
from bba.play.ticks import step_arrays
from bba.play.trace import Tick

BINS = 10  # of equal width, from 0 to 1
PARTNER = 1
GATES = ("contradiction", "commitment")


class CalibrationBin(NamedTuple):
    """Steps in which the belief in the likeliest role was between `low` and `low` + 1 / BINS.

    Attributes:
        low: the lower limit.
        steps: how many steps.
        belief: the sum of the beliefs in the likeliest role.
        right: the steps in which the partner pursued that role.
    """

    low: float
    steps: int
    belief: float
    right: int


class GateCount(NamedTuple):
    """How a gate followed the switches of a game.

    Attributes:
        gate: one of `GATES`.
        switches: of the partner.
        soon, later: of these, caught within `SOON` and `LATER` steps.
        openings: of the gate.
        needless: of these, needless.
        steps: of the game.
    """

    gate: str
    switches: int
    soon: int
    later: int
    openings: int
    needless: int
    steps: int


def calibration(ticks: Sequence[Tick]) -> list[CalibrationBin]:
    """Returns the bins with at least one step; steps in which the partner pursues no role do not count."""
    bins = [CalibrationBin(low / BINS, 0, 0.0, 0) for low in range(BINS)]
    for belief, right in _judged(ticks):
        place = min(BINS - 1, int(belief * BINS))
        low, steps, sum_of_beliefs, hits = bins[place]
        bins[place] = CalibrationBin(low, steps + 1, sum_of_beliefs + belief, hits + right)
    return [found for found in bins if found.steps]


def calibration_error(bins: Sequence[CalibrationBin]) -> float | None:
    """Returns the expected calibration error: the mean distance of belief and share right, 0 to 1; None without steps.

    Several bins may have the same limits, as of several games.
    """
    steps = sum(one.steps for one in bins)
    lows = {one.low for one in bins}
    off = (
        abs(sum(one.belief for one in bins if one.low == low) - sum(one.right for one in bins if one.low == low))
        for low in lows
    )
    return sum(off) / steps if steps else None


def gate_counts(ticks: Sequence[Tick]) -> list[GateCount]:
    """Returns how both gates followed the partner's switches."""
    starts = [change.start for change in role_changes(step_arrays(ticks))]
    return [_count(gate, starts, _openings(ticks, gate), len(ticks)) for gate in GATES]


def _judged(ticks: Sequence[Tick]) -> Iterator[tuple[float, bool]]:
    """Yields the belief in the likeliest role, and whether the partner pursues it, for each step with a role."""
    for tick in ticks:
        role = tick.role(PARTNER)
        if role != NO_ROLE:
            posterior = role_posterior(tick.observer)
            likeliest = max(range(len(posterior)), key=posterior.__getitem__)
            yield posterior[likeliest], likeliest == role


def _openings(ticks: Sequence[Tick], gate: str) -> list[int]:
    opens = [
        judged is not None and judged.opens
        for judged in (tick.observer_gate if gate == GATES[0] else tick.observer_commitment for tick in ticks)
    ]
    return [index for index, now in enumerate(opens) if now and not (index and opens[index - 1])]


def _count(gate: str, starts: Sequence[int], openings: Sequence[int], steps: int) -> GateCount:
    def caught(within: int) -> int:
        return sum(bisect_left(openings, start) < bisect_left(openings, start + within + 1) for start in starts)

    needless = sum(bisect_left(starts, index + 1) == bisect_left(starts, index - RECENT) for index in openings)
    return GateCount(gate, len(starts), caught(SOON), caught(LATER), len(openings), needless, steps)
