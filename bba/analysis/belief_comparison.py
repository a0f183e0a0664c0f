"""How good a belief is: a model of the partner reads a recorded game, and its posterior is compared with the truth.

Any model can read any game, since it sees public states only. Only steps count in which the partner's true role is one
of the six; beliefs over skills are summed up to roles first.

How well a gate follows the partner's changes of role: read from a game, or simulated on a recorded one.

In a simulation the ego's skills and own decisions are those of the game; its replans are left out, and the gate's
openings take their place. A change is *reached* if the ego replans, or decides of its own with the right MAP, within so
many steps after it. A replan is *needless* if there was no change in the `RECENT` steps before it.

How well the passive observer's belief and gates follow a partner whose skills are known: calibration and openings.

The observer is the same beside every agent, so that games of different agents can be compared. Its gates judge as for
an ego that is always in the middle of a skill. An opening is a step in which a gate opens that did not in the step
before. A switch is *caught* if a gate opens within so many steps from its start on; an opening is *needless* if no
switch began in the `RECENT` steps before it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.agents.base import ModelOfPartner
from bba.analysis.role_changes import RoleChange, role_changes
from bba.analysis.snapshot import role_posterior
from bba.belief import NO_ROLE, ROLE_NAMES, CommitmentGate, Gate
from bba.play.step_arrays import StepArrays
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, Tick, Trace

LONGEST_DELAY = 30  # steps after which the search for a switch in the belief is given up
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
        followed = np.flatnonzero(best[change.start : change.start + LONGEST_DELAY] == change.role)
        yield int(followed[0]) if len(followed) else LONGEST_DELAY


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


PARTNER = 1
COMPARED_GATES = ("contradiction", "commitment")


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


def role_calibration_error(bins: Sequence[CalibrationBin]) -> float | None:
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
    return [_count(gate, starts, _openings(ticks, gate), len(ticks)) for gate in COMPARED_GATES]


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
        for judged in (tick.observer_gate if gate == COMPARED_GATES[0] else tick.observer_commitment for tick in ticks)
    ]
    return [index for index, now in enumerate(opens) if now and not (index and opens[index - 1])]


def _count(gate: str, starts: Sequence[int], openings: Sequence[int], steps: int) -> GateCount:
    def caught(within: int) -> int:
        return sum(bisect_left(openings, start) < bisect_left(openings, start + within + 1) for start in starts)

    needless = sum(bisect_left(starts, index + 1) == bisect_left(starts, index - RECENT) for index in openings)
    return GateCount(gate, len(starts), caught(SOON), caught(LATER), len(openings), needless, steps)
