"""The steps of a game that are measured, with what several measures need worked out once."""

from dataclasses import replace
from functools import cached_property

from bba.analysis.coordination import decision_points
from bba.analysis.role_changes import RoleChange, role_changes
from bba.analysis.switch_responses import SwitchResponse, needless_replans, reach_delays, switch_responses
from bba.kitchen.state import StateVector
from bba.planner import Usage
from bba.planner.chat import total_usage
from bba.play.step_arrays import StepArrays, Truths
from bba.play.ticks import asked_decisions, step_arrays
from bba.play.trace import EGO, Tick, Trace


class MeasuredSpan:
    """The part of a game that is measured.

    The steps before it are read for one thing: they say which role the partner pursued when the span began.

    Args:
        trace: the game, which has more than `since` steps.
        since: how many steps at its beginning are not measured.
    """

    def __init__(self, trace: Trace, since: int = 0) -> None:
        self._trace, self._since = trace, since

    @cached_property
    def steps(self) -> StepArrays:
        """The measured steps as arrays."""
        return self._whole[self._since :]

    @cached_property
    def ticks(self) -> list[Tick]:
        """The measured steps as objects, which takes far longer than arrays."""
        return list(self._trace.ticks[self._since :])

    @property
    def trace(self) -> Trace:
        """The span as a game of its own."""
        return replace(self._trace, start=self._before, ticks=self.ticks) if self._since else self._trace

    def gained(self, counter: int) -> int:
        """Returns how much a counter of the state (an index of `bba.kitchen.state`) grew."""
        return int(self.steps.states[-1, counter] - self._before[counter])

    @cached_property
    def responses(self) -> list[SwitchResponse]:
        """How each switch of the partner was followed; indices are those of `steps`."""
        return switch_responses(self.steps, [change for change in self._changes if change.start >= 0])

    @cached_property
    def reach_delays(self) -> list[int | None]:
        """The steps until each switch in the middle of a skill of the ego reached it; None if it did not."""
        return reach_delays(self.steps, self.responses)

    @cached_property
    def needless_replans(self) -> list[int]:
        """The indices of the replans that no switch of the partner explains."""
        return needless_replans(self.steps, self._changes)

    @cached_property
    def decision_points(self) -> Truths:
        """For each step whether it is a decision point of the ego."""
        return decision_points(self.steps, self._changes)

    @cached_property
    def usage(self) -> Usage | None:
        """What all calls of the ego's planner used, side queries included; None if that is not known of any."""
        decisions = asked_decisions(self._trace.ticks, EGO)
        calls = [call for index, decision in decisions if index >= self._since for call in decision.calls]
        return total_usage(call.usage for call in calls)

    @cached_property
    def _whole(self) -> StepArrays:
        """All steps of the game."""
        return step_arrays(self._trace.ticks)

    @property
    def _before(self) -> StateVector:
        """The state before the span."""
        return self._trace.ticks[self._since - 1].state if self._since else self._trace.start

    @cached_property
    def _changes(self) -> list[RoleChange]:
        """All switches of the game by index of `steps`: negative for those before the span."""
        return [change.since(self._since) for change in role_changes(self._whole)]
