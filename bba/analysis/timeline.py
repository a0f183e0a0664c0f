"""The timeline of a game: its data and its marks, and the timeline as a picture.

The data are running sums over the ticks, so that a drawing costs no more than its width. The picture has in each column
of pixels the posterior as a stacked bar, and below it two bands of roles.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from bba import palette
from bba.analysis.coordination import belief_action_gap, decision_points
from bba.analysis.events import events_of
from bba.analysis.human_choices import RoleChange, RoleReader, works
from bba.analysis.snapshot import belief_snapshot, likeliest_role, role_posterior
from bba.belief import NO_ROLE, ROLE_NAMES, is_complementary
from bba.kitchen.constants import Float64Array, IndexArray, Int32Array
from bba.kitchen.render.sprites import RGBImage
from bba.play import EGO, PARTNER, Trace, step_arrays
from bba.scratch_file import Kept, ScratchFile

ROLES = len(ROLE_NAMES)
OTHER, DUPLICATE, COMPLEMENTARY = range(3)  # coordination: the ego's role against the partner's true role


class TimelineMark(Enum):
    """What is marked on the timeline, the most important first. A replan changed the plan, or kept it (`KEPT_PLAN`)."""

    REPLAN = "replan"
    FIRE = "fire"
    DELIVERY = "delivery"
    SWITCH = "switch"
    TUNED = "tuned"
    KEPT_PLAN = "kept plan"
    GAP = "gap"
    COMMITMENT_GATE = "commitment gate"
    GATE = "gate"
    CONTRADICTION = "contradiction"


REPLANS = (TimelineMark.REPLAN, TimelineMark.KEPT_PLAN)
TRUTHS = (TimelineMark.SWITCH, TimelineMark.GAP)  # marks that depend on the partner's true role


class TimelineSlice(NamedTuple):
    """A summary of n intervals of steps.

    Attributes:
        true, believed, ego: the most frequent true role, MAP role and ego's role, (n,) int; may be NO_ROLE.
        coordination: the most frequent of OTHER, DUPLICATE and COMPLEMENTARY, (n,) int.
        matched: the share of steps in which the MAP role was the true one, (n,), 0 to 1.
        posterior: the mean posterior over the six roles, (n, 6).
    """

    true: IndexArray
    believed: IndexArray
    ego: IndexArray
    coordination: IndexArray
    matched: Float64Array
    posterior: Float64Array


# What is counted of a step: one for each value of a band (the last one of a role band is NO_ROLE), then the others.
_TRUE = slice(0, ROLES + 1)
_BELIEVED = slice(_TRUE.stop, _TRUE.stop + ROLES + 1)
_EGO = slice(_BELIEVED.stop, _BELIEVED.stop + ROLES + 1)
_COORDINATION = slice(_EGO.stop, _EGO.stop + 3)
_MATCHED = _COORDINATION.stop
_COUNTS = _MATCHED + 1
_BLOCK = 256  # steps that are put away together
_REMEMBERED = 1024  # steps of which the sums are remembered: those of some pictures
# What is counted of a step: its columns but for _MATCHED, whether it counts there, and the posterior.
_COUNTED = np.dtype([("columns", np.int8, 4), ("matched", np.bool_), ("posterior", np.float64, ROLES)])
Sums = tuple[Int32Array, Float64Array]  # the counts up to a step, (25,), and the sums of the posteriors, (6,)


class RunningSums:
    """What was counted in the steps so far, and the sums of the posteriors.

    The sums of every step would take 240 bytes a step. Those of each 256th are kept, and those of others made of what
    was counted since, which is put away: they are the same to the last bit.
    """

    def __init__(self) -> None:
        self.steps = 0
        self._newest = np.zeros(_BLOCK, _COUNTED)
        self._blocks: list[Kept] = []
        self._sums: list[Sums] = [(np.zeros(_COUNTS, np.int32), np.zeros(ROLES))]  # up to the start of each block
        self._file = ScratchFile()
        self._remembered = dict[int, Sums]()

    def add(self, columns: tuple[int, int, int, int], posterior: tuple[float, ...], *, matched: bool) -> None:
        """Counts a step in these columns."""
        self._newest[self.steps % _BLOCK] = columns, matched, posterior
        self.steps += 1
        if self.steps % _BLOCK == 0:
            self._sums.append(_sums_after(self._sums[-1], self._newest))
            self._blocks.append(self._file.keep(self._newest.tobytes()))

    def at(self, steps: IndexArray) -> tuple[Int32Array, Float64Array]:
        """Returns the counts up to each of some steps, (n, 25), and the sums of the posteriors, (n, 6)."""
        counts = np.empty((len(steps), _COUNTS), np.int32)
        sums = np.empty((len(steps), ROLES))
        for place, step in enumerate(steps.tolist()):
            counts[place], sums[place] = self._up_to(step)
        return counts, sums

    def _up_to(self, step: int) -> Sums:
        """Returns the counts and sums up to a step."""
        sums = self._remembered.get(step)
        if sums is None:
            block, steps_after = divmod(step, _BLOCK)
            sums = self._sums[block]
            if steps_after:
                sums = _sums_after(sums, self._counted(block)[:steps_after])
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[step] = sums
        return sums

    def _counted(self, block: int) -> "np.ndarray[Any, Any]":
        """Returns what was counted in the steps of a block."""
        if block == len(self._blocks):
            return self._newest
        return np.frombuffer(self._blocks[block](), _COUNTED)

    def first(self, steps: int) -> "RunningSums":
        """Returns a copy up to a step."""
        copied = RunningSums()
        block = steps // _BLOCK
        copied.steps = steps
        copied._blocks = self._blocks[:block]
        copied._sums = self._sums[: block + 1]
        if steps % _BLOCK:
            copied._newest = self._counted(block).copy()
        return copied


def _sums_after(sums_before: Sums, counted: "np.ndarray[Any, Any]") -> Sums:
    """Returns the sums after some steps more, each added to those before it."""
    counts, sums = sums_before
    added = np.bincount(counted["columns"].ravel(), minlength=_COUNTS).astype(np.int32)
    added[_MATCHED] = counted["matched"].sum()
    return counts + added, np.cumsum(np.vstack((sums, counted["posterior"])), axis=0)[-1].copy()


class TimelineData:
    """Running sums over a game's ticks, and the steps of its marks; `extend` reads new ticks.

    A switch of the partner is marked where it began, as soon as it is known; with it a gap may be marked there.

    Attributes:
        trace: the game.
        scores: the score after each step.
        marks: the steps of each mark, in order.
        switches: the partner's switches that are known, in order.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.marks: dict[TimelineMark, list[int]] = {mark: [] for mark in TimelineMark}
        self.switches: list[RoleChange] = []
        self._roles = RoleReader()
        self.scores = array("i")
        self._sums = RunningSums()
        self._steps = 0

    def __len__(self) -> int:
        """The number of steps read."""
        return self._steps

    def extend(self) -> None:
        """Reads the ticks since the last call."""
        read = self._steps
        self._steps = len(self.trace.ticks)
        for step in range(read + 1, self._steps + 1):
            self._count(step)
        self._mark(read)

    def branch(self, trace: Trace, step: int) -> "TimelineData":
        """Returns the data of another game that shares the first `step` steps with this one."""
        settled = step  # marks up to this step do not depend on later ones
        for switch in self.switches:
            if switch.known >= step:
                settled = min(switch.start, step)
                break
        branch = TimelineData(trace)
        branch.marks = {mark: steps[: bisect_right(steps, settled)] for mark, steps in self.marks.items()}
        branch.switches = [switch for switch in self.switches if switch.start < settled]
        for work in works(step_arrays(trace.ticks, 0, settled)):
            branch._roles.read(work)
        branch._steps = step
        branch._mark(settled)
        branch.scores = self.scores[:step]
        branch._sums = self._sums.first(step)
        return branch

    def over(self, edges: IndexArray) -> TimelineSlice:
        """Summarises the intervals between neighbouring edges; interval i is the steps edges[i] + 1 to edges[i + 1]."""
        running_counts, running_posteriors = self._sums.at(edges)
        counts = np.diff(running_counts, axis=0)
        posteriors = np.diff(running_posteriors, axis=0)
        steps = np.diff(edges)
        return TimelineSlice(
            _most_frequent_role(counts[:, _TRUE]),
            _most_frequent_role(counts[:, _BELIEVED]),
            _most_frequent_role(counts[:, _EGO]),
            counts[:, _COORDINATION].argmax(axis=1),
            counts[:, _MATCHED] / steps,
            posteriors / steps[:, None],
        )

    def _mark(self, marked: int) -> None:
        """Marks the steps after the first `marked`, and an earlier one where a switch is known from one of them on."""
        steps = step_arrays(self.trace.ticks, marked, self._steps)
        gaps = decision_points(steps) & belief_action_gap(steps)
        for step, (gap, work) in enumerate(zip(gaps.tolist(), works(steps), strict=True), marked + 1):
            for mark in _marks_of(self.trace, step, gap=gap):
                self.marks[mark].append(step)
            switch = self._roles.read(work)
            if switch is not None:
                self.switches.append(switch)
                self.marks[TimelineMark.SWITCH].append(switch.start + 1)

    def _count(self, step: int) -> None:
        tick = self.trace.ticks[step - 1]
        belief = belief_snapshot(self.trace, step).belief
        true_role = tick.role(PARTNER)
        believed_role = likeliest_role(belief)
        ego_role = tick.role(EGO)
        columns = (
            _role_column(_TRUE, true_role),
            _role_column(_BELIEVED, believed_role),
            _role_column(_EGO, ego_role),
            _COORDINATION.start + _coordination(ego_role, true_role),
        )
        self._sums.add(columns, role_posterior(belief), matched=believed_role == true_role)
        self.scores.append(tick.score)


def _role_column(band: slice, role: int) -> int:
    """Returns the column that counts a role in a band of roles."""
    start: int = band.start
    return start + ROLES if role == NO_ROLE else start + role


def _coordination(ego_role: int, true_role: int) -> int:
    """Returns how the ego's role goes with the partner's: OTHER, DUPLICATE or COMPLEMENTARY."""
    if is_complementary(ego_role, true_role):
        return COMPLEMENTARY
    if ego_role == true_role != NO_ROLE:
        return DUPLICATE
    return OTHER


def nearest(steps: Sequence[int], step: int, *, forward: bool) -> int | None:
    """Returns the first of some steps, in order, after this one, or the last one before it; None if there is none."""
    place = bisect_right(steps, step) if forward else bisect_left(steps, step) - 1
    return steps[place] if 0 <= place < len(steps) else None


def _most_frequent_role(counts: Float64Array) -> IndexArray:
    most_frequent: IndexArray = counts.argmax(axis=1)
    most_frequent[most_frequent == ROLES] = NO_ROLE
    return most_frequent


def _marks_of(trace: Trace, step: int, *, gap: bool) -> list[TimelineMark]:
    """Returns the marks of a step that are known in it: all but the partner's switch."""
    events = list(events_of(trace, step))
    event_kinds = {event.kind for event in events}
    marks = {mark for mark in TimelineMark if mark.value in event_kinds}
    if any(event.kept for event in events):
        marks.discard(TimelineMark.REPLAN)
        marks.add(TimelineMark.KEPT_PLAN)
    belief = belief_snapshot(trace, step)
    if gap:
        marks.add(TimelineMark.GAP)
    if belief.commitment_gate is not None and belief.commitment_gate.opens:
        marks.add(TimelineMark.COMMITMENT_GATE)
    if belief.gate is not None and belief.gate.opens:
        marks.add(TimelineMark.GATE)
    if belief.gate is not None and belief.gate.contradiction:
        marks.add(TimelineMark.CONTRADICTION)
    return [mark for mark in TimelineMark if mark in marks]


# --- as a picture -----------------------------------------------------------------------------------------------
STACK = 60  # pixels: the height of the posterior over time
BAND = 10  # the height of a band of roles
_ROLE_PIXELS = np.array([palette.rgb(colour) for colour in (*palette.DARK.roles, palette.DARK.ground)], np.uint8)


def bands(timeline: TimelineData, steps: range, columns: int) -> RGBImage:
    """Returns the timeline of these steps: in each column the posterior, the true role and the ego's role."""
    runs = min(steps[-1] - steps[0] + 1, columns)
    edges = np.linspace(steps[0] - 1, steps[-1], runs + 1).round().astype(np.intp)
    summary = timeline.over(edges)
    run_of_column = np.arange(columns) * runs // columns
    picture: RGBImage = np.empty((STACK + 2 * (BAND + 3), columns, 3), np.uint8)
    picture[:] = palette.rgb(palette.DARK.panel)
    picture[:STACK] = _stacked(summary.posterior[run_of_column])
    for band, roles in enumerate((summary.true, summary.ego)):
        colours = np.where(roles == NO_ROLE, ROLES, roles)
        top = STACK + 3 + band * (BAND + 3)
        picture[top : top + BAND] = _ROLE_PIXELS[colours[run_of_column]]
    return picture


def _stacked(posterior: Float64Array) -> RGBImage:
    """Returns a stacked bar of role colours for each column, from the bottom up, (STACK, columns, 3)."""
    centres = (np.arange(STACK)[::-1] + 0.5) / STACK
    tops = np.cumsum(posterior, axis=1)[:, :-1]  # of every role's part but the last
    roles = (tops[None] < centres[:, None, None]).sum(axis=2)
    return np.asarray(_ROLE_PIXELS[roles])
