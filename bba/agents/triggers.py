"""Triggers: what makes an agent interrupt its running skill to plan anew. These are the two gates and generic ones.

A trigger is asked in every step in which a skill is running, and keeps no state between steps. Gates and a period a
kernel can tell as well (`bba.agents.kernel_policy`). The generic triggers (`periodic`, `completion-held`, `judge`)
ignore the gates and their cooldowns.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from typing_extensions import deprecated

from bba.agents.base import Decision, Observation
from bba.belief import COMMITMENT_GATE_OPENS, GATE_OPENS, BeliefUpdate, CommitmentGateResult, GateResult
from bba.kitchen import COMPLETED, EVENT, FACING, HELD, POSITION, STEP, StateVector, constants
from bba.planner.chat import LLMCall

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
        commitment_gate: the commitment gate's result, as `gate`.
        belief: what the agent believes about its partner now; None if it has no belief.
        moved: how far that is from what it believed at its last choice, 0 to 1.
        compare: asks whether another skill is worth more than the running one; asked only when called. None: `judge`.
    """

    observation: Observation
    gate: GateResult | None
    judge: Callable[[], Decision]
    commitment_gate: CommitmentGateResult | None = None
    belief: BeliefUpdate | None = None
    moved: float = 0.0
    compare: Callable[[], Decision] | None = None

    @property
    @deprecated("commitment is commitment_gate now; the old name goes with the next release")
    def commitment(self) -> CommitmentGateResult | None:
        """The old name of `commitment_gate`."""
        return self.commitment_gate


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
    """A trigger that ships with the project: gates that open, the end of a period, or something else.

    Attributes:
        gates: at whose opening it interrupts, as bits (`bba.belief.partner_model`); they need a belief.
        period: steps of the game at whose multiples it interrupts, however long the skill has been running; 0 for none.
        due: says so instead; None if gates and period say it all.
        judged: whether the planner is asked then, and has the last word.
        compares: whether it asks how far the belief has moved, and so needs one, and then whether another skill is
            worth more.
    """

    gates: int = 0
    period: int = 0
    due: Callable[[TriggerContext], bool] | None = None
    judged: bool = False
    compares: bool = False

    @property
    def reads_belief(self) -> bool:
        """Whether it needs a belief."""
        return bool(self.gates) or self.compares

    def __call__(self, context: TriggerContext) -> TriggerResult:
        """Says whether to interrupt the running skill."""
        played = int(context.observation.state[STEP])
        due = self.due(context) if self.due else self.interrupts(context.gate, context.commitment_gate, played)
        if not (due and self.judged):
            return TriggerResult(due)
        ask = context.judge
        if self.compares and context.compare is not None:
            ask = context.compare
        decision = ask()
        return TriggerResult(decision.replanned, decision)

    def interrupts(self, gate: GateResult | None, commitment_gate: CommitmentGateResult | None, played: int) -> bool:
        """Whether one of its gates opens or its period ends, after so many steps."""
        if self.gates & GATE_OPENS and gate is not None and gate.opens:
            return True
        if self.gates & COMMITMENT_GATE_OPENS and commitment_gate is not None and commitment_gate.opens:
            return True
        return self.period > 0 and played % self.period == 0


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


def partner_has(changed: Callable[[StateVector, StateVector, int], bool], context: TriggerContext) -> bool:
    """Whether a change of its state is true of the partner, in the last step."""
    observation = context.observation
    if observation.before is None:
        return False
    return changed(observation.before, observation.state, 1 - observation.player)


def has_moved(context: TriggerContext) -> bool:
    """Whether the belief has moved since the last choice; this is looked at every few steps."""
    return context.moved >= MOVED and int(context.observation.state[STEP]) % CHECKED_EVERY == 0


TRIGGERS: Mapping[str, TriggerRule] = MappingProxyType(
    {
        "gate": TriggerRule(gates=GATE_OPENS),
        "commitment": TriggerRule(gates=COMMITMENT_GATE_OPENS),
        "periodic": TriggerRule(period=PERIOD),
        "completion-held": TriggerRule(due=partial(partner_has, completes_or_takes)),
        "judge": TriggerRule(due=partial(partner_has, partner_changed), judged=True),
        "value": TriggerRule(due=has_moved, judged=True, compares=True),
        "never": TriggerRule(),
    }
)
