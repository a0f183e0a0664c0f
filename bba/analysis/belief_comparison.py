"""How good a belief is: the beliefs of a recorded game are compared with the truth, and gates with the true switches.

Only steps count in which the partner's true role is one of the six; beliefs over skills are summed up to roles first.
Bins of confidence, (`BINS`, 3), are of equal width: for each the number of steps whose MAP has such a probability, the
sum of these probabilities, and the steps in which the MAP is right. The bins of several games can be added up.

The passive observer is the same beside every agent, so that games of different agents can be compared. Its gates judge
as for an ego that is always in the middle of a skill. An opening is a step in which a gate opens that did not in the
step before. A switch is *caught* if a gate opens within so many steps from its start on; an opening is *needless* if no
switch began in the `RECENT` steps before it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.analysis.role_changes import role_changes
from bba.analysis.snapshot import role_posterior
from bba.belief import NO_ROLE, ROLE_NAMES, CommitmentResult, GateResult
from bba.play.ticks import step_arrays
from bba.play.trace import Tick, Trace

BINS = 10
RECENT = 30  # steps
CAUGHT_WITHIN = (10, 30)  # steps
Bins = NDArray[np.float64]


class BeliefTally(NamedTuple):
    """Counts and sums over one game.

    Attributes:
        steps: that count.
        right: of these, with the true role as MAP.
        log_loss: sum of −log b(true role), in nats.
        bins: of confidence.
    """

    steps: int
    right: int
    log_loss: float
    bins: Bins


def belief_tally(trace: Trace, beliefs: NDArray[np.float64]) -> BeliefTally:
    """Returns the counts of a game for the beliefs, (steps, 6), that a model had in it."""
    truth = step_arrays(trace.ticks).partner
    counted = np.flatnonzero(truth != NO_ROLE)
    believed, truth = beliefs[counted], truth[counted]
    right = believed.argmax(axis=1) == truth
    log_loss = -np.log(believed[np.arange(len(counted)), truth]).sum()
    bins = np.zeros((BINS, 3))
    confidence = believed.max(axis=1)
    places = np.minimum((confidence * BINS).astype(int), BINS - 1)
    np.add.at(bins, places, np.stack([np.ones(len(confidence)), confidence, right], axis=1))
    return BeliefTally(len(counted), int(right.sum()), float(log_loss), bins)


def observer_tally(trace: Trace) -> BeliefTally:
    """Returns the counts of a game for the beliefs of the passive observer."""
    beliefs = np.array([role_posterior(tick.observer) for tick in trace.ticks])
    return belief_tally(trace, beliefs.reshape(-1, len(ROLE_NAMES)))


def calibration_error(bins: Bins) -> float:
    """Returns the expected calibration error: by how much confidence and accuracy differ, weighted by steps, 0 to 1."""
    counts, confidence, right = bins.T
    return float(np.abs(confidence - right).sum() / counts.sum())


class Reliability(NamedTuple):
    """The steps of a bin.

    Attributes:
        belief: the mean probability of the MAP.
        right: the share of the steps in which the MAP is right.
        steps: how many.
        low: the lower limit of the bin.
    """

    belief: float
    right: float
    steps: int
    low: float


def reliability(bins: Bins) -> list[Reliability]:
    """Returns the bins that have any steps, in order."""
    found = enumerate(bins.tolist())
    return [Reliability(belief / n, right / n, int(n), place / BINS) for place, (n, belief, right) in found if n]


class GateCount(NamedTuple):
    """How a gate of the observer followed the switches of a game.

    Attributes:
        gate: "contradiction" or "commitment".
        switches: of the partner.
        caught_10, caught_30: of these, caught within so many steps.
        openings: of the gate.
        needless: of these, needless.
        steps: of the game.
    """

    gate: str
    switches: int
    caught_10: int
    caught_30: int
    openings: int
    needless: int
    steps: int


def gate_counts(ticks: Sequence[Tick]) -> Iterator[GateCount]:
    """Yields how both gates followed the partner's switches."""
    starts = [change.start for change in role_changes(step_arrays(ticks))]
    gates: dict[str, Sequence[GateResult | CommitmentResult | None]] = {
        "contradiction": [tick.observer_gate for tick in ticks],
        "commitment": [tick.observer_commitment for tick in ticks],
    }
    for gate, judged in gates.items():
        opens = np.array([one is not None and one.opens for one in judged], np.int8)
        openings = np.flatnonzero(np.diff(opens, prepend=0) > 0).tolist()
        needless = sum(_between(starts, index - RECENT, index) == 0 for index in openings)
        soon, later = (
            sum(_between(openings, start, start + within) > 0 for start in starts) for within in CAUGHT_WITHIN
        )
        yield GateCount(gate, len(starts), soon, later, len(openings), needless, len(ticks))


def _between(places: Sequence[int], first: int, last: int) -> int:
    return bisect_left(places, last + 1) - bisect_left(places, first)
