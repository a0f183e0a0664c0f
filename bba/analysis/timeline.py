"""What the timeline is drawn from, read once a tick: any stretch at any zoom then costs no more than its width."""

from bisect import bisect_left, bisect_right
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.analysis.coordination import belief_action_gap, decision_point
from bba.analysis.snapshot import EGO, PARTNER, belief_snapshot, role_posterior, switched_to
from bba.belief import NO_ROLE, ROLE_NAMES, is_complementary
from bba.kitchen.state import DELIVERIES, FIRES
from bba.play import Trace

ROLES = len(ROLE_NAMES)
OTHER, DUPLICATE, COMPLEMENTARY = range(3)  # how the ego's role stands to the partner's true one


class TimelineMark(Enum):
    """What is worth a mark at its step, the one that matters most first."""

    FIRE = "fire"
    DELIVERY = "delivery"
    REPLAN = "replan"
    SWITCH = "switch"
    TUNED = "tuned"
    GAP = "gap"
    CONTRADICTION = "contradiction"


TRUTHS = (TimelineMark.SWITCH, TimelineMark.GAP)  # what only the trace knows of


class TimelineSlice(NamedTuple):
    """What held over each of n runs of steps.

    Attributes:
        true, believed, ego: the commonest role of partner, belief and ego, (n,) int; NO_ROLE where that is none.
        fit: OTHER, DUPLICATE or COMPLEMENTARY, the commonest, (n,) int.
        matched: the share of steps in which the likeliest role was the true one, (n,), 0 to 1.
        posterior: the mean belief over the six roles, (n, 6).
    """

    true: NDArray[np.intp]
    believed: NDArray[np.intp]
    ego: NDArray[np.intp]
    fit: NDArray[np.intp]
    matched: NDArray[np.float64]
    posterior: NDArray[np.float64]


# The columns of the sums: for each band one a value (the last of a role's stands for none), then the other two.
_TRUE, _BELIEVED, _EGO = (slice(band * (ROLES + 1), (band + 1) * (ROLES + 1)) for band in range(3))
_FIT = slice(_EGO.stop, _EGO.stop + 3)
_MATCHED = _FIT.stop
_POSTERIOR = slice(_MATCHED + 1, _MATCHED + 1 + ROLES)


class TimelineData:
    """Running sums over a game's ticks, and the steps of its marks; `extend` reads the ticks that are new."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.marks: dict[TimelineMark, list[int]] = {mark: [] for mark in TimelineMark}
        self._sums = np.zeros((256, _POSTERIOR.stop))
        self._steps = 0

    def __len__(self) -> int:
        """How many steps have been read."""
        return self._steps

    def extend(self) -> None:
        """Read the ticks that are new."""
        while self._steps < len(self.trace.ticks):
            self._steps += 1
            if self._steps == len(self._sums):
                self._sums = np.concatenate((self._sums, np.zeros_like(self._sums)))
            self._count(self._steps)
            for mark in _marks_of(self.trace, self._steps):
                self.marks[mark].append(self._steps)

    def branch(self, trace: Trace, step: int) -> "TimelineData":
        """What would be read of another game that shares the first `step` steps, so far; these have been read here."""
        other = TimelineData(trace)
        other.marks = {mark: steps[: bisect_right(steps, step)] for mark, steps in self.marks.items()}
        other._sums = np.concatenate((self._sums[: step + 1], np.zeros((256, _POSTERIOR.stop))))
        other._steps = step
        return other

    def over(self, edges: NDArray[np.intp]) -> TimelineSlice:
        """What held between neighbouring edges: run i is the steps edges[i] + 1 to edges[i + 1], at least one."""
        sums = np.diff(self._sums[edges], axis=0)
        steps = np.diff(edges)
        return TimelineSlice(
            _commonest_role(sums[:, _TRUE]),
            _commonest_role(sums[:, _BELIEVED]),
            _commonest_role(sums[:, _EGO]),
            sums[:, _FIT].argmax(axis=1),
            sums[:, _MATCHED] / steps,
            sums[:, _POSTERIOR] / steps[:, None],
        )

    def next(self, mark: TimelineMark, step: int) -> int | None:
        """The first step after this one with such a mark; None where there is none."""
        steps = self.marks[mark]
        return next(iter(steps[bisect_right(steps, step) :]), None)

    def previous(self, mark: TimelineMark, step: int) -> int | None:
        """The last step before this one with such a mark; None where there is none."""
        steps = self.marks[mark]
        place = bisect_left(steps, step)
        return steps[place - 1] if place else None

    def _count(self, step: int) -> None:
        tick = self.trace.ticks[step - 1]
        posterior = role_posterior(belief_snapshot(self.trace, step).belief)
        true, ego = tick.role(PARTNER), tick.role(EGO)
        believed = max(range(ROLES), key=posterior.__getitem__)
        sums = self._sums[step]
        sums[:] = self._sums[step - 1]
        for band, role in ((_TRUE, true), (_BELIEVED, believed), (_EGO, ego)):
            sums[band.start + (ROLES if role == NO_ROLE else role)] += 1
        sums[_FIT.start + _fit(ego, true)] += 1
        sums[_MATCHED] += believed == true
        sums[_POSTERIOR] += posterior


def _fit(ego: int, true: int) -> int:
    if is_complementary(ego, true):
        return COMPLEMENTARY
    return DUPLICATE if ego == true != NO_ROLE else OTHER


def _commonest_role(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    commonest: NDArray[np.intp] = counts.argmax(axis=1)
    commonest[commonest == ROLES] = NO_ROLE
    return commonest


def _marks_of(trace: Trace, step: int) -> list[TimelineMark]:
    tick, mind = trace.ticks[step - 1], belief_snapshot(trace, step)
    last = trace.ticks[step - 2] if step > 1 else None
    before = trace.start if last is None else last.state
    held = {
        TimelineMark.FIRE: tick.state[FIRES] > before[FIRES],
        TimelineMark.DELIVERY: tick.state[DELIVERIES] > before[DELIVERIES],
        TimelineMark.REPLAN: mind.replanned,
        TimelineMark.SWITCH: switched_to(trace, step) != NO_ROLE,
        TimelineMark.TUNED: trace.config_at(step).belief_config != trace.config_at(step - 1).belief_config,
        TimelineMark.GAP: decision_point(last, tick) and belief_action_gap(tick),
        TimelineMark.CONTRADICTION: mind.gate is not None and mind.gate.contradiction,
    }
    return [mark for mark, holds in held.items() if holds]
