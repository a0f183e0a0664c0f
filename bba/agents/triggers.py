"""Triggers: what makes an agent interrupt its running skill to plan anew. These are the two gates and generic ones.

A trigger is asked in every step in which a skill is running, and keeps no state between steps. The generic triggers
(`periodic`, `completion-held`, `judge`) ignore the gates and their cooldowns.
"""

from collections.abc import Callable
from typing import NamedTuple

from bba.agents.base import Observation
from bba.agents.observation import completed, describe_event, held_name, partner_changed, picked_up_task_item
from bba.belief import CommitmentResult, GateResult
from bba.kitchen.constants import ACTION_NAMES
from bba.kitchen.state import FACING, POSITION, STEP, StateVector
from bba.limits import TriggerName
from bba.planner import LLMCall, Planner, PlannerInput
from bba.planner.response_parser import read_judgement
from bba.planner.scene_text import ACTIONS, at

PERIOD = 10  # steps


class TriggerContext(NamedTuple):
    """What a trigger knows of one step in which a skill is running.

    Attributes:
        observation: the agent's observation.
        gate: the gate's result; None if the agent has no belief, and at the first step.
        planner: asks the model of the trigger that needs one.
        planner_input: returns what the planner would be told now; computed only when called.
        commitment: the commitment gate's result, as `gate`.
    """

    observation: Observation
    gate: GateResult | None
    planner: Planner
    planner_input: Callable[[], PlannerInput]
    commitment: CommitmentResult | None = None


class TriggerResult(NamedTuple):
    """Whether to interrupt the running skill, and the model calls that led to that."""

    interrupts: bool
    calls: tuple[LLMCall, ...] = ()


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
    """Asks a model in every step in which something public about the partner has changed; interrupts if it says so.

    If no response can be parsed, after all retries, the skill continues.
    """
    observation = context.observation
    before, partner = observation.before, 1 - observation.player
    if before is None or not partner_changed(before, observation.state, partner):
        return TriggerResult(False)
    call = context.planner.ask(
        "judge",
        context.planner_input(),
        answer_error,
        skill=ACTIONS[observation.running],
        age=observation.age,
        before=_partner_before(observation, before),
    )
    return TriggerResult(call.problem is None and read_judgement(call.response) is True, (call,))


TRIGGERS: dict[TriggerName, Trigger] = {
    "gate": gate_opens,
    "commitment": commitment_opens,
    "periodic": periodic,
    "completion-held": completion_or_held,
    "judge": judge,
    "never": never,
}
GATES: tuple[TriggerName, ...] = ("gate", "commitment")  # triggers that need a belief


def answer_error(answer: str) -> str | None:
    """Returns what is wrong with a judge's answer; None if it can be used."""
    return "it says neither REPLAN nor CONTINUE, or both" if read_judgement(answer) is None else None


def _partner_before(observation: Observation, before: StateVector) -> str:
    """Describes the partner one step ago, in the format of the scene, and what it has done since."""
    partner, width = 1 - observation.player, observation.layout.width
    tile, facing = int(before[POSITION + partner]), ACTION_NAMES[before[FACING + partner]]
    was = f"P{partner} pos={at((tile % width, tile // width))} or={facing} hold={held_name(before, partner)}"
    did = describe_event(observation.state, partner)
    return f"{was}; since then it {did}." if did else f"{was}."
