"""When an agent drops the skill that it is running, to plan anew: the gate, and the generic triggers beside it.

A trigger is asked in every step in which a skill is running. It keeps nothing between steps, so that a fork has nothing
to restore. The generic ones stand in for the gate as a whole: of its five conditions only mid-skill is left. The
cooldown is one of the gate's conditions and does not hold them back: the preprint gives them tens to hundreds of
replans a game, and what they are compared for is when they interrupt.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from bba.agents.base import Observation
from bba.agents.sightings import completed, deed, held_words, stirred, took_task_item
from bba.belief import GateReading
from bba.kitchen.codes import ACTION_NAMES
from bba.kitchen.state import FACING, POS, STEP, Row
from bba.planner import Aside, Inquirer, Situation
from bba.planner.aside_answers import read_judgement
from bba.planner.wording import ACTIONS, at

TriggerName = Literal["never", "gate", "periodic", "completion-held", "judge"]
PERIOD = 10  # steps


class Moment(NamedTuple):
    """One step in the middle of a skill, as a trigger sees it.

    Attributes:
        observation: what the agent sees.
        gate: the gate on its belief; None if it has no belief, and at the first step.
        situation: what its planner would be told now, put together when it is called.
    """

    observation: Observation
    gate: GateReading | None
    situation: Callable[[], Situation]


class Verdict(NamedTuple):
    """Whether the running skill is to be dropped, and what a model was asked about that."""

    interrupts: bool
    asides: tuple[Aside, ...] = ()


Trigger = Callable[[Moment], Verdict]


def trigger_named(name: TriggerName, inquirer: Inquirer) -> Trigger:
    """The trigger of this name; `inquirer` is for the one that asks a model."""
    return Judge(inquirer) if name == "judge" else _PLAIN[name]


def never(moment: Moment) -> Verdict:  # noqa: ARG001 - whatever it is
    """Lets every skill run to its end."""
    return Verdict(False)


def gate_opens(moment: Moment) -> Verdict:
    """Interrupts when all five conditions of the gate hold."""
    return Verdict(moment.gate is not None and moment.gate.opens)


def periodic(moment: Moment) -> Verdict:
    """Interrupts when the game's clock stands at a multiple of `PERIOD`, however long the skill has been running."""
    return Verdict(int(moment.observation.row[STEP]) % PERIOD == 0)


def completion_or_held(moment: Moment) -> Verdict:
    """Interrupts when the partner has completed a skill, or newly holds something that goes towards an order."""
    before, row, partner = moment.observation.before, moment.observation.row, 1 - moment.observation.seat
    return Verdict(before is not None and (completed(row, partner) or took_task_item(before, row, partner)))


class Judge:
    """Asks a model in every step in which something public about the partner has changed.

    An answer that cannot be read, however often it is asked for, lets the skill go on.
    """

    def __init__(self, inquirer: Inquirer) -> None:
        self._inquirer = inquirer

    def __call__(self, moment: Moment) -> Verdict:
        """Whether the model says to replan."""
        seen = moment.observation
        if seen.before is None or not stirred(seen.before, seen.row, 1 - seen.seat):
            return Verdict(False)
        aside = self._inquirer.ask(
            "judge",
            moment.situation(),
            _flaw,
            skill=ACTIONS[seen.running],
            age=seen.age,
            before=_partner_before(seen, seen.before),
        )
        return Verdict(aside.problem is None and read_judgement(aside.answer) is True, (aside,))


_PLAIN: dict[TriggerName, Trigger] = {
    "never": never,
    "gate": gate_opens,
    "periodic": periodic,
    "completion-held": completion_or_held,
}


def _flaw(answer: str) -> str | None:
    return "it says neither REPLAN nor CONTINUE, or both" if read_judgement(answer) is None else None


def _partner_before(seen: Observation, before: Row) -> str:
    """The partner one step ago, written as in the scene, and what it has done since."""
    partner, width = 1 - seen.seat, seen.layout.width
    tile, facing = int(before[POS + partner]), ACTION_NAMES[before[FACING + partner]]
    was = f"P{partner} pos={at((tile % width, tile // width))} or={facing} hold={held_words(before, partner)}"
    did = deed(seen.row, partner)
    return f"{was}; since then it {did}." if did else f"{was}."
