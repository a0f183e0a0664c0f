"""A game over time: the data of its timeline, its events, and what of an agent was tuned in it.

The timeline's data are running sums over the ticks, so that a drawing costs no more than its width. As a picture it has
in each column of pixels the posterior as a stacked bar, and below it two bands of roles. The event log has one line for
each event that matters.
"""

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from bba import palette
from bba.agents.base import Profile
from bba.analysis import names
from bba.analysis.coordination import belief_action_gap, decision_points
from bba.analysis.human_choices import RoleChange, RoleReader, works
from bba.analysis.snapshot import BeliefSnapshot, Snapshot, belief_snapshot, likeliest_role, role_posterior
from bba.belief import NO_ROLE, ROLE_NAMES, is_complementary
from bba.config import differences
from bba.kitchen.constants import (
    DELIVERED_IN_ORDER,
    EXPIRED,
    FIRES,
    HELD,
    ITEM_NAMES,
    SERVE,
    Float64Array,
    IndexArray,
    Int32Array,
)
from bba.kitchen.render.sprites import RGBImage
from bba.language import say
from bba.play import EGO, PARTNER, Tick, Trace, step_arrays
from bba.plugins.used import find_used, option_changes
from bba.scratch_file import Kept, ScratchFile


def tuned(before: Profile, after: Profile) -> str:
    """Returns what differs, as "Γ 0.65 → 0.5, step 9 → 12"; "" for nothing, and where one lacks what the other has."""
    if before is after:  # as from nearly every step to the next one
        return ""
    believed = before.belief_config
    believes = after.belief_config
    beliefs = differences(believed, believes) if believed is not None and believes is not None else ""
    old = find_used(before.plugins, "trigger")
    new = find_used(after.plugins, "trigger")
    options = option_changes(old, new) if old is not None and new is not None and old.name == new.name else ""
    return ", ".join(filter(None, (beliefs, options)))


ROLES = len(ROLE_NAMES)
OTHER, DUPLICATE, COMPLEMENTARY = range(3)  # coordination: the ego's role against the partner's true role


class TimelineMark(Enum):
    """What is marked on the timeline, the most important first."""

    REPLAN = "replan"
    FIRE = "fire"
    DELIVERY = "delivery"
    SWITCH = "switch"
    TUNED = "tuned"
    GAP = "gap"
    COMMITMENT = "commitment gate"
    GATE = "gate"
    CONTRADICTION = "contradiction"


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
_TRUE, _BELIEVED, _EGO = (slice(band * (ROLES + 1), (band + 1) * (ROLES + 1)) for band in range(3))
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
        found = self._remembered.get(step)
        if found is None:
            block, after = divmod(step, _BLOCK)
            found = _sums_after(self._sums[block], self._counted(block)[:after]) if after else self._sums[block]
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[step] = found
        return found

    def _counted(self, block: int) -> "np.ndarray[Any, Any]":
        """Returns what was counted in the steps of a block."""
        return self._newest if block == len(self._blocks) else np.frombuffer(self._blocks[block](), _COUNTED)

    def first(self, steps: int) -> "RunningSums":
        """Returns a copy up to a step."""
        first = RunningSums()
        block = steps // _BLOCK
        first.steps = steps
        first._blocks = self._blocks[:block]
        first._sums = self._sums[: block + 1]
        if steps % _BLOCK:
            first._newest = self._counted(block).copy()
        return first


def _sums_after(before: Sums, counted: "np.ndarray[Any, Any]") -> Sums:
    """Returns the sums after some steps more, each added to those before it."""
    counts, sums = before
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
        first, self._steps = self._steps, len(self.trace.ticks)
        for step in range(first + 1, self._steps + 1):
            self._count(step)
        self._mark(first)

    def branch(self, trace: Trace, step: int) -> "TimelineData":
        """Returns the data of another game that shares the first `step` steps with this one."""
        other = TimelineData(trace)
        later = (switch.start for switch in self.switches if switch.known >= step)
        known = min(next(later, step), step)  # what is marked up to here does not depend on later steps
        other.marks = {mark: steps[: bisect_right(steps, known)] for mark, steps in self.marks.items()}
        other.switches = [switch for switch in self.switches if switch.start < known]
        for work in works(step_arrays(trace.ticks, 0, known)):
            other._roles.read(work)
        other._steps = step
        other._mark(known)
        other.scores, other._sums = self.scores[:step], self._sums.first(step)
        return other

    def over(self, edges: IndexArray) -> TimelineSlice:
        """Summarises the intervals between neighbouring edges; interval i is the steps edges[i] + 1 to edges[i + 1]."""
        counts, posteriors = (np.diff(sums, axis=0) for sums in self._sums.at(edges))
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
        gaps = decision_points(steps, ()) & belief_action_gap(steps)
        for step, (gap, work) in enumerate(zip(gaps.tolist(), works(steps), strict=True), marked + 1):
            for mark in _marks_of(self.trace, step, gap=gap):
                self.marks[mark].append(step)
            switch = self._roles.read(work)
            if switch is not None:
                began = switch.start + 1
                self.switches.append(switch)
                self.marks[TimelineMark.SWITCH].append(began)
                at_gap = belief_action_gap(step_arrays(self.trace.ticks, switch.start, began)).any()
                if at_gap and began not in self.marks[TimelineMark.GAP]:
                    insort(self.marks[TimelineMark.GAP], began)

    def _count(self, step: int) -> None:
        tick = self.trace.ticks[step - 1]
        belief = belief_snapshot(self.trace, step).belief
        true = tick.role(PARTNER)
        believed = likeliest_role(belief)
        ego = tick.role(EGO)
        first, second, third = (
            band.start + (ROLES if role == NO_ROLE else role)
            for band, role in ((_TRUE, true), (_BELIEVED, believed), (_EGO, ego))
        )
        alike = DUPLICATE if ego == true != NO_ROLE else OTHER
        coordination = _COORDINATION.start + (COMPLEMENTARY if is_complementary(ego, true) else alike)
        self._sums.add((first, second, third, coordination), role_posterior(belief), matched=believed == true)
        self.scores.append(tick.score)


def nearest(steps: Sequence[int], step: int, *, forward: bool) -> int | None:
    """Returns the first of some steps, in order, after this one, or the last one before it; None if there is none."""
    at = bisect_right(steps, step) if forward else bisect_left(steps, step) - 1
    return steps[at] if 0 <= at < len(steps) else None


def _most_frequent_role(counts: Float64Array) -> IndexArray:
    most_frequent: IndexArray = counts.argmax(axis=1)
    most_frequent[most_frequent == ROLES] = NO_ROLE
    return most_frequent


def _marks_of(trace: Trace, step: int, *, gap: bool) -> list[TimelineMark]:
    """Returns the marks of a step that are known in it: all but the partner's switch."""
    happened = {event.kind for event in events_of(trace, step)}
    belief = belief_snapshot(trace, step)
    judged = {
        TimelineMark.GAP: gap,
        TimelineMark.COMMITMENT: belief.commitment is not None and belief.commitment.opens,
        TimelineMark.GATE: belief.gate is not None and belief.gate.opens,
        TimelineMark.CONTRADICTION: belief.gate is not None and belief.gate.contradiction,
    }
    return [mark for mark in TimelineMark if judged.get(mark, mark.value in happened)]


# --- as a picture -----------------------------------------------------------------------------------------------
# heights of the posterior over time and of a band of roles
STACK = 60
BAND = 10
_ROLE_PIXELS = np.array([palette.rgb(colour) for colour in (*palette.DARK.roles, palette.DARK.ground)], np.uint8)


def bands(timeline: TimelineData, steps: range, columns: int) -> RGBImage:
    """Returns the timeline of these steps: in each column the posterior, the true role and the ego's role."""
    runs = min(steps[-1] - steps[0] + 1, columns)
    shown = timeline.over(np.linspace(steps[0] - 1, steps[-1], runs + 1).round().astype(np.intp))
    index = np.arange(columns) * runs // columns
    picture: RGBImage = np.empty((STACK + 2 * (BAND + 3), columns, 3), np.uint8)
    picture[:] = palette.rgb(palette.DARK.panel)
    picture[:STACK] = _stacked(shown.posterior[index])
    for band, roles in enumerate((shown.true, shown.ego)):
        top = STACK + 3 + band * (BAND + 3)
        picture[top : top + BAND] = _ROLE_PIXELS[np.where(roles == NO_ROLE, len(ROLE_NAMES), roles)[index]]
    return picture


def _stacked(posterior: Float64Array) -> RGBImage:
    """Returns a stacked bar of role colours for each column, from the bottom up, (STACK, columns, 3)."""
    centres = (np.arange(STACK)[::-1] + 0.5) / STACK
    below = np.cumsum(posterior, axis=1)[:, :-1]
    return np.asarray(_ROLE_PIXELS[(below[None] < centres[:, None, None]).sum(axis=2)])


# --- events ------------------------------------------------------------------------------------------------------
DONE = ("completed", "delivery")


class GameEvent(NamedTuple):
    """Something that happened in a step.

    Attributes:
        kind: "fire", "order lost", "tuned" (the ego), "switch" (the partner), one of `DONE`, "replan", or "fallback"
            (the planner had no usable answer).
        cook: the player who did it, 0 or 1; None for nobody.
        number: the skill that was completed, or the role that was switched to; else 0.
        detail: what was tuned, when the switch began, whether a delivery was in order, or what was wrong with the
            answer; else "".
    """

    kind: str
    cook: int | None = None
    number: int = 0
    detail: str = ""


def events_of(trace: Trace, step: int, switch: RoleChange | None = None) -> Iterator[GameEvent]:
    """Yields the events of a step, 1 for the first; `switch` is the partner's that is known from it on."""
    before = trace.state(step - 1)
    tick = trace.ticks[step - 1]
    for counter, kind in ((FIRES, "fire"), (EXPIRED, "order lost")):
        if tick.state[counter] > before[counter]:
            yield GameEvent(kind)
    changes = tuned(trace.config_at(step - 1).seats[EGO], trace.config_at(step).seats[EGO])
    if changes:
        yield GameEvent("tuned", EGO, detail=changes)
    if switch is not None:
        yield GameEvent("switch", PARTNER, switch.role, f"at {switch.start + 1}")
    for done in tick.events:
        if done.complete:
            yield GameEvent("completed", done.player, done.skill)
            if done.skill == SERVE:
                in_order = tick.state[DELIVERED_IN_ORDER] > before[DELIVERED_IN_ORDER]
                yield GameEvent("delivery", done.player, detail="in order" if in_order else "out of order")
    decision = tick.decisions[EGO]
    if decision.replanned:
        yield GameEvent("replan", EGO)
    if decision.plan is not None and decision.plan.fallback:
        yield GameEvent("fallback", EGO, detail=decision.plan.problem or "no usable answer")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log.

    Attributes:
        step: the step of the event.
        text: what happened.
        colour: the colour of the text; "" for ordinary events.
        cook: the player whose event it is, 0 or 1; None if it is nobody's.
        truth: whether the event depends on the partner's true role, which the ego cannot see.
    """

    step: int
    text: str
    colour: str = ""
    cook: int | None = None
    truth: bool = False


def log_entries(snapshot: Snapshot, switch: RoleChange | None = None) -> Iterator[LogEntry]:
    """Yields the events of the snapshot's last step, the most important first: what was completed comes last.

    Args:
        snapshot: the game.
        switch: the partner's switch that is known from this step on; None if there is none.
    """
    if snapshot.tick is not None:
        for event in sorted(events_of(snapshot.trace, snapshot.step, switch), key=lambda event: event.kind in DONE):
            if (event.kind, event.number) != ("completed", SERVE):  # a delivery tells more
                text, colour = event_in_words(snapshot.trace, snapshot.tick, event)
                yield LogEntry(snapshot.step, text, colour, event.cook, truth=event.kind == "switch")


def event_in_words(trace: Trace, tick: Tick, event: GameEvent) -> tuple[str, str]:
    """Returns what the log says of an event, and its colour."""
    match event.kind:
        case "fire":
            return say("food burns: fire!"), palette.BAD
        case "order lost":
            return say("an order ran out"), palette.BAD
        case "tuned":
            return f"tuned: {event.detail}", palette.WARN
        case "switch":
            return f"turned to {names.role(event.number)} {event.detail}", palette.ROLE_COLOURS[event.number]
        case "replan":
            kept = tick.step > 1 and trace.ticks[tick.step - 2].skills[EGO] == tick.skills[EGO]
            return f"{replan_event(belief_snapshot(trace, tick.step))}{'; keeps its skill' * kept}", palette.WARN
        case "fallback":
            return f"planner fell back: {event.detail}", palette.BAD
        case "delivery":
            dish = names.item(ITEM_NAMES.get(int(trace.state(tick.step - 1)[HELD + (event.cook or 0)])))
            return f"+{tick.reward} {dish}{say(' (tip)') * (event.detail == 'in order')}", palette.GOOD
        case _:
            return names.skill(event.number), ""


def replan_event(state: BeliefSnapshot) -> str:
    """Returns what a replan rejects: the prior MAP, or what was remembered, if that gate of the ego opened."""
    if state.observer:  # which is asked by nobody: the ego itself has neither belief nor gate
        return "replans"
    if state.trigger == "gate":
        return f"replans: doubts {state.prior_map}"
    opened = state.commitment is not None and state.commitment.opens
    return f"replans: not {state.remembered}" if state.trigger == "commitment" and opened else "replans"
