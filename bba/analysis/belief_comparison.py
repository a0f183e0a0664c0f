"""How good a belief is: a model of the partner reads a recorded game, and its posterior is compared with the truth.

Any model can read any game, since it sees public states only. Only steps count in which the partner's true role is one
of the six; beliefs over skills are summed up to roles first.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.agents.base import ModelOfPartner
from bba.analysis.role_changes import role_changes
from bba.belief import NO_ROLE, ROLE_NAMES
from bba.play.step_arrays import StepArrays
from bba.play.ticks import step_arrays
from bba.play.trace import Trace

LONGEST = 30  # steps after which the search for a switch in the belief is given up
BINS = 10  # of confidence, of equal width


class BeliefTally(NamedTuple):
    """Counts and sums over one game.

    Attributes:
        steps: that count.
        right: of these, with the true role as MAP.
        log_loss: sum of −log b(true role), in nats.
        delays: sum over switches of the steps until the new role is the MAP, at most `LONGEST`.
        switches: of the partner.
        bins: for each bin of the MAP's probability the number of steps, its sum, and the steps in which the MAP is
            right, (`BINS`, 3).
    """

    steps: int
    right: int
    log_loss: float
    delays: int
    switches: int
    bins: NDArray[np.float64]


def posteriors(trace: Trace, model: ModelOfPartner) -> NDArray[np.float64]:
    """Returns what a new model believes at each step of a game, by role, (steps, 6), before the step's actions."""
    by_role = model.hypotheses.by_role
    before = None
    found = []
    for state in (trace.start, *(tick.state for tick in trace.ticks[:-1])):
        found.append(by_role(model.observe(before, state, mid_skill=False).belief.posterior))
        before = state
    return np.array(found).reshape(-1, len(ROLE_NAMES))


def belief_tally(trace: Trace, beliefs: NDArray[np.float64]) -> BeliefTally:
    """Returns the counts of a game for the beliefs, (steps, 6), that a model had in it."""
    steps = step_arrays(trace.ticks)
    scored = np.flatnonzero(steps.partner != NO_ROLE)
    believed, truth = beliefs[scored], steps.partner[scored]
    best, confidence = believed.argmax(axis=1), believed.max(axis=1)
    delays = list(_delays(steps, beliefs.argmax(axis=1)))
    return BeliefTally(
        len(scored),
        int((best == truth).sum()),
        float(-np.log(believed[np.arange(len(scored)), truth]).sum()),
        sum(delays),
        len(delays),
        _binned(confidence, best == truth),
    )


def calibration_error(tallies: Sequence[BeliefTally]) -> float:
    """Returns the expected calibration error: by how much confidence and accuracy differ, weighted by steps, 0 to 1."""
    counts, confidence, right = np.sum([tally.bins for tally in tallies], axis=0).T
    return float(np.abs(confidence - right).sum() / counts.sum())


def reliability(tallies: Sequence[BeliefTally]) -> list[tuple[float, float, int]]:
    """Returns mean confidence, accuracy and number of steps of each bin that has any, in order."""
    bins = np.sum([tally.bins for tally in tallies], axis=0)
    return [(confidence / count, right / count, int(count)) for count, confidence, right in bins if count]


def _binned(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    bins = np.zeros((BINS, 3))
    places = np.minimum((confidence * BINS).astype(int), BINS - 1)
    np.add.at(bins, places, np.stack([np.ones(len(confidence)), confidence, right], axis=1))
    return bins


def _delays(steps: StepArrays, best: NDArray[np.int64]) -> Iterator[int]:
    """Yields for each switch the steps until the new role is the MAP."""
    for change in role_changes(steps):
        followed = np.flatnonzero(best[change.start : change.start + LONGEST] == change.role)
        yield int(followed[0]) if len(followed) else LONGEST
