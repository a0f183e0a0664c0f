"""The part of a game that is measured. It computes once what several measures need."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from bba.analysis.coordination import BeliefTally, SwitchResponse, all_points, reach_delays, switch_responses, tally_of
from bba.analysis.human_choices import RoleChange, role_changes, with_inferred_skills
from bba.kitchen.constants import StateVector
from bba.planner.chat import Usage, total_usage
from bba.play.ticks import agent_decisions, role_posteriors, step_arrays
from bba.play.trace import EGO, StepArrays, Tick, Trace, Truths, counts_replans
from bba.play.trajectory import OBSERVER_SEAT

Value = TypeVar("Value")


class MeasuredSpan:
    """The part of a game that is measured.

    The steps before it are read for one thing: they say which role the partner pursued when the span began. Steps that
    a person played by hand have the skill that it is inferred to have pursued.

    Args:
        trace: the game, which has more than `since` steps.
        since: how many steps at its beginning are not measured.
    """

    def __init__(self, trace: Trace, since: int = 0) -> None:
        self._trace = with_inferred_skills(trace)
        self._since = since

    @cached_property
    def steps(self) -> StepArrays:
        """The measured steps as arrays."""
        return self._whole[self._since :]

    @cached_property
    def ticks(self) -> Sequence[Tick]:
        """The measured steps as objects, which takes far longer than arrays."""
        if self._since:
            return self._trace.ticks[self._since :]
        return self._trace.ticks

    @property
    def trace(self) -> Trace:
        """The span as a game of its own."""
        if not self._since:
            return self._trace
        changes = [(played - self._since, config) for played, config in self._trace.changes]
        return replace(self._trace, start=self._start, ticks=self.ticks, changes=changes)

    @property
    def counts_replans(self) -> bool:
        """Whether the ego's replans are counted (`bba.play.trace.counts_replans`)."""
        return counts_replans(self._trace.configs)

    def gained(self, counter: int) -> int:
        """Returns how much a counter of the state (an index of `bba.kitchen.constants`) grew."""
        return int(self.steps.states[-1, counter] - self._start[counter])

    @cached_property
    def responses(self) -> list[SwitchResponse]:
        """How each switch of the partner was followed; indices are those of `steps`."""
        changes_in_span = [change for change in self.changes if change.start >= 0]
        return switch_responses(self.steps, changes_in_span)

    @cached_property
    def reach_delays(self) -> list[int | None]:
        """The steps until each switch in the middle of a skill of the ego reached it; None if it did not."""
        return reach_delays(self.steps, self.responses)

    @cached_property
    def all_points(self) -> Truths:
        """For each step whether it is a point of `gap_rate_all_points`."""
        return all_points(self.steps, self.changes)

    @cached_property
    def own_tally(self) -> BeliefTally | None:
        """The counts for the ego's own belief; None if it lacks one in any step, or no step counts."""
        return self._tally(EGO)

    @cached_property
    def observer_tally(self) -> BeliefTally | None:
        """The counts for the observer's belief; None if no step counts."""
        return self._tally(OBSERVER_SEAT)

    def _tally(self, watcher: int) -> BeliefTally | None:
        beliefs = role_posteriors(self._trace.ticks, watcher)[self._since :]
        if np.isnan(beliefs).any():
            return None
        tally = tally_of(self.steps.partner, beliefs)
        return tally if tally.steps else None

    @cached_property
    def usage(self) -> Usage | None:
        """The usage of all calls of the ego's planner, side queries included; None if that is not known of any."""
        usages: list[Usage | None] = []
        for index, decision in agent_decisions(self._trace.ticks, EGO):
            if index >= self._since:
                usages += [call.usage for call in decision.calls]
        return total_usage(usages)

    @cached_property
    def _whole(self) -> StepArrays:
        return step_arrays(self._trace.ticks)

    @property
    def _start(self) -> StateVector:
        return self._trace.state(self._since)

    @cached_property
    def changes(self) -> list[RoleChange]:
        """All switches of the game by index of `steps`: negative for those before the span."""
        return [change.since(self._since) for change in role_changes(self._whole)]


def of_usage(read: Callable[[Usage], Value]) -> Callable[[MeasuredSpan], Value | None]:
    """Returns a function of a span that reads the planner's usage; None where that is not known."""

    def compute(span: MeasuredSpan) -> Value | None:
        return None if span.usage is None else read(span.usage)

    return compute


def _of_tally(
    read_tally: Callable[[MeasuredSpan], BeliefTally | None], compute_of: Callable[[BeliefTally], float]
) -> Callable[[MeasuredSpan], float | None]:
    """Returns a function of a span that computes something of a tally; None without one."""

    def compute(span: MeasuredSpan) -> float | None:
        tally = read_tally(span)
        return None if tally is None else compute_of(tally)

    return compute


of_own_belief = partial(_of_tally, lambda span: span.own_tally)
of_observer = partial(_of_tally, lambda span: span.observer_tally)
