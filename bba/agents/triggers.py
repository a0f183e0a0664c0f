"""When an agent drops the skill that it is running, to plan anew: the gate, and the generic triggers beside it.

A trigger is asked in every step in which a skill is running. It keeps nothing between steps, so that a fork has nothing
to restore. The generic ones stand in for the gate as a whole: of its five conditions only mid-skill is left. The
cooldown is one of the gate's conditions and does not hold them back: the preprint gives them tens to hundreds of
replans a game, and what they are compared for is when they interrupt.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from bba.agents.base import Observation
from bba.agents.partner_events import completed, describe_event, held_name, partner_changed, picked_up_task_item
from bba.belief import GateResult
from bba.kitchen.constants import ACTION_NAMES
from bba.kitchen.state import FACING, POSITION, STEP, StateVector
from bba.planner import Aside, Inquirer, PlannerInput
from bba.planner.scene_text import ACTIONS, at
from bba.planner.side_query_parsing import read_judgement

TriggerName = Literal["never", "gate", "periodic", "completion-held", "judge"]
PERIOD = 10  # steps


class TriggerContext(NamedTuple):
    """One step in the middle of a skill, as a trigger sees it.

    Attributes:
        observation: what the agent sees.
        gate: the gate on its belief; None if it has no belief, and at the first step.
        situation: what its planner would be told now, put together when it is called.
    """

    observation: Observation
    gate: GateResult | None
    situation: Callable[[], PlannerInput]


class TriggerResult(NamedTuple):
    """Whether the running skill is to be dropped, and what a model was asked about that."""

    interrupts: bool
    asides: tuple[Aside, ...] = ()


Trigger = Callable[[TriggerContext], TriggerResult]


def make_trigger(name: TriggerName, inquirer: Inquirer) -> Trigger:
    """The trigger of this name; `inquirer` is for the one that asks a model."""
    return LLMJudge(inquirer) if name == "judge" else _STATELESS[name]


def never(snapshot: TriggerContext) -> TriggerResult:  # noqa: ARG001 - whatever it is
    """Lets every skill run to its end."""
    return TriggerResult(False)


def gate_opens(snapshot: TriggerContext) -> TriggerResult:
    """Interrupts when all five conditions of the gate hold."""
    return TriggerResult(snapshot.gate is not None and snapshot.gate.opens)


def periodic(snapshot: TriggerContext) -> TriggerResult:
    """Interrupts when the game's clock stands at a multiple of `PERIOD`, however long the skill has been running."""
    return TriggerResult(int(snapshot.observation.state[STEP]) % PERIOD == 0)


def completion_or_held(snapshot: TriggerContext) -> TriggerResult:
    """Interrupts when the partner has completed a skill, or newly holds something that goes towards an order."""
    before, state, partner = snapshot.observation.before, snapshot.observation.state, 1 - snapshot.observation.seat
    return TriggerResult(
        before is not None and (completed(state, partner) or picked_up_task_item(before, state, partner))
    )


class LLMJudge:
    """Asks a model in every step in which something public about the partner has changed.

    An answer that cannot be read, however often it is asked for, lets the skill go on.
    """

    def __init__(self, inquirer: Inquirer) -> None:
        self._inquirer = inquirer

    def __call__(self, snapshot: TriggerContext) -> TriggerResult:
        """Whether the model says to replan."""
        seen = snapshot.observation
        if seen.before is None or not partner_changed(seen.before, seen.state, 1 - seen.seat):
            return TriggerResult(False)
        aside = self._inquirer.ask(
            "judge",
            snapshot.situation(),
            _flaw,
            skill=ACTIONS[seen.running],
            age=seen.age,
            before=_partner_before(seen, seen.before),
        )
        return TriggerResult(aside.problem is None and read_judgement(aside.answer) is True, (aside,))


_STATELESS: dict[TriggerName, Trigger] = {
    "never": never,
    "gate": gate_opens,
    "periodic": periodic,
    "completion-held": completion_or_held,
}


def _flaw(answer: str) -> str | None:
    return "it says neither REPLAN nor CONTINUE, or both" if read_judgement(answer) is None else None


def _partner_before(seen: Observation, before: StateVector) -> str:
    """The partner one step ago, written as in the scene, and what it has done since."""
    partner, width = 1 - seen.seat, seen.layout.width
    tile, facing = int(before[POSITION + partner]), ACTION_NAMES[before[FACING + partner]]
    was = f"P{partner} pos={at((tile % width, tile // width))} or={facing} hold={held_name(before, partner)}"
    did = describe_event(seen.state, partner)
    return f"{was}; since then it {did}." if did else f"{was}."
