"""Triggers: what makes an agent interrupt its running skill to plan anew. These are the two gates and generic ones.

A trigger is asked in every step in which a skill is running, and keeps no state between steps. Gates and a period a
kernel can tell as well (`bba.agents.stretch_policy`). The generic triggers (`periodic`, `completion-held`, `judge`)
ignore the gates and their cooldowns.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from bba.agents.base import Decision, Observation
from bba.belief import BeliefUpdate, CommitmentResult, GateResult
from bba.belief.partner_model import COMMITMENT_OPENS, GATE_OPENS
from bba.kitchen import constants
from bba.kitchen.constants import COMPLETED, EVENT, FACING, HELD, POSITION, STEP, StateVector
from bba.planner import LLMCall

PERIOD = 10  # steps
MOVED = 0.2  # total variation of the belief from which deciding again may pay
CHECKED_EVERY = 3  # steps between two questions whether it does
# Whatever else a hand can hold is needed for an order.
NO_TASK = (constants.NOTHING, constants.CHARCOAL, constants.FIRE_EXT)


class TriggerContext(NamedTuple):
    """What a trigger knows of one step in which a skill is running.

    Attributes:
        observation: the agent's observation.
        gate: the gate's result; None if the agent has no belief, and at the first step.
        judge: asks the planner whether to replan; asked only when called.
        commitment: the commitment gate's result, as `gate`.
        belief: what the agent believes about its partner now; None if it has no belief.
        moved: how far that is from what it believed at its last choice, 0 to 1.
    """

    observation: Observation
    gate: GateResult | None
    judge: Callable[[], Decision]
    commitment: CommitmentResult | None = None
    belief: BeliefUpdate | None = None
    moved: float = 0.0


class TriggerResult(NamedTuple):
    """Whether to interrupt the running skill, and the decision of the planner that was asked for that, if any."""

    interrupts: bool
    decision: Decision | None = None

    @property
    def calls(self) -> tuple[LLMCall, ...]:
        """The model calls that led to it."""
        return self.decision.calls if self.decision else ()


Trigger = Callable[[TriggerContext], TriggerResult]


@dataclass(frozen=True, slots=True)
class TriggerRule:
    """A trigger that ships with the project: gates that open, the end of a period, or what else is asked.

    Attributes:
        gates: at whose opening it interrupts, as bits (`bba.belief.partner_model`); they need a belief.
        period: steps of the game at whose multiples it interrupts, however long the skill has been running; 0 for none.
        asks: is asked instead; None if gates and period say it all.
        compares: whether it asks how far the belief has moved, and so needs one.
    """

    gates: int = 0
    period: int = 0
    asks: Trigger | None = None
    compares: bool = False

    @property
    def reads_belief(self) -> bool:
        """Whether it needs a belief."""
        return bool(self.gates) or self.compares

    def __call__(self, context: TriggerContext) -> TriggerResult:
        """Says whether to interrupt the running skill."""
        if self.asks is not None:
            return self.asks(context)
        return TriggerResult(self.interrupts(context.gate, context.commitment, int(context.observation.state[STEP])))

    def interrupts(self, gate: GateResult | None, commitment: CommitmentResult | None, played: int) -> bool:
        """Whether one of its gates opens or its period ends, after so many steps."""
        opened = GATE_OPENS * (gate is not None and gate.opens)
        opened |= COMMITMENT_OPENS * (commitment is not None and commitment.opens)
        return bool(opened & self.gates) or (self.period > 0 and played % self.period == 0)


def partner_changed(before: StateVector, state: StateVector, player: int) -> bool:
    """Whether anything public about a player has changed: position, facing, held item, or work at a station."""
    changed = any(before[part + player] != state[part + player] for part in (POSITION, FACING, HELD))
    return changed or bool(state[EVENT + player] != constants.NO_SKILL)


def picked_up_task_item(before: StateVector, state: StateVector, player: int) -> bool:
    """Whether a player newly holds an item that an order needs."""
    held = state[HELD + player]
    return bool(held != before[HELD + player] and held not in NO_TASK)


def completed(state: StateVector, player: int) -> bool:
    """Whether a player completed a skill in the last step."""
    return bool(state[COMPLETED + player])


def completes_or_takes(before: StateVector, state: StateVector, player: int) -> bool:
    """Whether a player has just completed a skill or picked up an item that an order needs."""
    return completed(state, player) or picked_up_task_item(before, state, player)


def completion_or_held(context: TriggerContext) -> TriggerResult:
    """Interrupts when the partner completes a skill or picks up an item that an order needs."""
    before, state, partner = context.observation.before, context.observation.state, 1 - context.observation.player
    return TriggerResult(before is not None and completes_or_takes(before, state, partner))


def judge(context: TriggerContext) -> TriggerResult:
    """Asks the planner in every step in which something public about the partner has changed."""
    observation = context.observation
    before, partner = observation.before, 1 - observation.player
    if before is None or not partner_changed(before, observation.state, partner):
        return TriggerResult(False)
    decision = context.judge()
    return TriggerResult(decision.replanned, decision)


def worth_it(context: TriggerContext) -> TriggerResult:
    """Asks the planner whether to decide again, every few steps in which the belief has moved since its last choice.

    The rollout planner says yes if another skill promises more than the running one by the cost of a replan.
    """
    if context.moved < MOVED or int(context.observation.state[STEP]) % CHECKED_EVERY:
        return TriggerResult(False)
    decision = context.judge()
    return TriggerResult(decision.replanned, decision)


TRIGGERS: Mapping[str, TriggerRule] = MappingProxyType(
    {
        "gate": TriggerRule(gates=GATE_OPENS),
        "commitment": TriggerRule(gates=COMMITMENT_OPENS),
        "periodic": TriggerRule(period=PERIOD),
        "completion-held": TriggerRule(asks=completion_or_held),
        "judge": TriggerRule(asks=judge),
        "value": TriggerRule(asks=worth_it, compares=True),
        "never": TriggerRule(),
    }
)
