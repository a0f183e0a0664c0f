"""Triggers: what makes an agent interrupt its running skill to plan anew. These are the two gates and generic ones.

A trigger is asked in every step in which a skill is running, and keeps no state between steps. The generic triggers
(`periodic`, `completion-held`, `judge`) ignore the gates and their cooldowns.
"""

from collections.abc import Callable
from typing import NamedTuple

from bba.agents.base import Decision, Observation
from bba.agents.perception import completed, partner_changed, picked_up_task_item
from bba.belief import BeliefUpdate, CommitmentResult, GateResult
from bba.belief.partner_model import COMMITMENT_OPENS, GATE_OPENS
from bba.kitchen.state import STEP
from bba.limits import BuiltInTrigger, TriggerName
from bba.planner import LLMCall

PERIOD = 10  # steps


class TriggerContext(NamedTuple):
    """What a trigger knows of one step in which a skill is running.

    Attributes:
        observation: the agent's observation.
        gate: the gate's result; None if the agent has no belief, and at the first step.
        judge: asks the planner whether to replan; asked only when called.
        commitment: the commitment gate's result, as `gate`.
        belief: what the agent believes about its partner now; None if it has no belief.
    """

    observation: Observation
    gate: GateResult | None
    judge: Callable[[], Decision]
    commitment: CommitmentResult | None = None
    belief: BeliefUpdate | None = None


class TriggerResult(NamedTuple):
    """Whether to interrupt the running skill, and the decision of the planner that was asked for that, if any."""

    interrupts: bool
    decision: Decision | None = None

    @property
    def calls(self) -> tuple[LLMCall, ...]:
        """The model calls that led to it."""
        return self.decision.calls if self.decision else ()


Trigger = Callable[[TriggerContext], TriggerResult]


def never(context: TriggerContext) -> TriggerResult:  # noqa: ARG001 - every trigger takes a context
    """Lets every skill run to its end."""
    return TriggerResult(False)


def gate_opens(context: TriggerContext) -> TriggerResult:
    """Interrupts when all five conditions of the gate hold."""
    return TriggerResult(context.gate is not None and context.gate.opens)


def commitment_opens(context: TriggerContext) -> TriggerResult:
    """Interrupts when all four conditions of the commitment gate hold."""
    return TriggerResult(context.commitment is not None and context.commitment.opens)


def periodic(context: TriggerContext) -> TriggerResult:
    """Interrupts at every multiple of `PERIOD` steps of the game, however long the skill has been running."""
    return TriggerResult(int(context.observation.state[STEP]) % PERIOD == 0)


def completion_or_held(context: TriggerContext) -> TriggerResult:
    """Interrupts when the partner completes a skill or picks up an item that an order needs."""
    before, state, partner = context.observation.before, context.observation.state, 1 - context.observation.player
    return TriggerResult(
        before is not None and (completed(state, partner) or picked_up_task_item(before, state, partner))
    )


def judge(context: TriggerContext) -> TriggerResult:
    """Asks the planner in every step in which something public about the partner has changed."""
    observation = context.observation
    before, partner = observation.before, 1 - observation.player
    if before is None or not partner_changed(before, observation.state, partner):
        return TriggerResult(False)
    decision = context.judge()
    return TriggerResult(decision.replanned, decision)


TRIGGERS: dict[BuiltInTrigger, Trigger] = {
    "gate": gate_opens,
    "commitment": commitment_opens,
    "periodic": periodic,
    "completion-held": completion_or_held,
    "judge": judge,
    "never": never,
}
GATES: tuple[BuiltInTrigger, ...] = ("gate", "commitment")  # triggers that need a belief
# The gates, as bits, at which each trigger interrupts; the other triggers have to be asked in every step.
FORESEEN: dict[TriggerName | None, int] = {
    "gate": GATE_OPENS,
    "commitment": COMMITMENT_OPENS,
    "periodic": 0,
    "never": 0,
}
