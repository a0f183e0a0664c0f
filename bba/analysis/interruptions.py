"""When a trigger interrupted the ego's skill: in the step of the replan or, if its planner answered late, before it."""

from collections.abc import Callable

from bba.agents.perception import completed, picked_up_task_item
from bba.agents.triggers import PERIOD
from bba.analysis.partner_doings import states_around
from bba.limits import TriggerName
from bba.play import Trace
from bba.play.trace import EGO, PARTNER


def opening(trace: Trace, step: int, trigger: TriggerName | None) -> int:
    """Returns the last step so far in which the trigger interrupted the skill that the ego ran until `step`."""
    began = step - 1 - trace.ticks[step - 2].ages[EGO]
    interrupts = _INTERRUPTS.get(trigger) if trigger else None
    steps = range(step, began, -1) if interrupts else ()
    return next((one for one in steps if interrupts and interrupts(trace, one)), step)


def _gate_opens(trace: Trace, step: int) -> bool:
    gate = trace.ticks[step - 1].decisions[EGO].gate
    return gate is not None and gate.opens


def _commitment_opens(trace: Trace, step: int) -> bool:
    commitment = trace.ticks[step - 1].decisions[EGO].commitment
    return commitment is not None and commitment.opens


def _period_ends(trace: Trace, step: int) -> bool:  # noqa: ARG001 - as the others
    return (step - 1) % PERIOD == 0


def _partner_completes(trace: Trace, step: int) -> bool:
    before, after = states_around(trace, step - 1)
    return completed(after, PARTNER) or picked_up_task_item(before, after, PARTNER)


_INTERRUPTS: dict[TriggerName, Callable[[Trace, int], bool]] = {
    "gate": _gate_opens,
    "commitment": _commitment_opens,
    "periodic": _period_ends,
    "completion-held": _partner_completes,
}
