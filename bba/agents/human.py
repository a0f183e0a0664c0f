"""A person in a seat. How the keys reach it is not known here: whoever reads them speaks to its `Controls`."""

from collections.abc import Sequence
from typing import NamedTuple

from bba.agents.base import Decision, EpisodeContext, Observation, Profile
from bba.belief import BeliefConfig, StayModel
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.state import STEP

HUMAN = "human"


def stay_model_of(agent: str, mobility: float) -> StayModel:
    """How a player comes to stay where it is, by who it is and by how often its moves go through."""
    if mobility < 1.0:
        return StayModel.NOISY
    return StayModel.HUMAN_PAUSES if agent == HUMAN else StayModel.VOLUNTARY


class HumanInput(NamedTuple):
    """What a person wants of the next step: an action or a skill (or neither), and the role it says it now plays."""

    action: int | None = None
    skill: int | None = None
    declared: int | None = None


class Controls:
    """The way from a keyboard to a seat, without a queue: what was pressed last before a step counts, then it is gone.

    A window that sees keys go up as well may `hold` an action: it counts whenever nothing was pressed.
    """

    def __init__(self) -> None:
        self._wish = HumanInput()
        self._held: int | None = None

    def press(self, action: int) -> None:
        """Ask for a primitive action, 0 to 5."""
        self._wish = HumanInput(action, None, self._wish.declared)

    def hold(self, action: int | None) -> None:
        """Ask for this action in every step from now on; None ends it."""
        self._held = action

    def choose(self, skill: int) -> None:
        """Ask for a skill, 0 to 26; the controller walks it until it ends or an action is asked for."""
        self._wish = HumanInput(None, skill, self._wish.declared)

    def declare(self, role: int) -> None:
        """Say which of the six roles one plays from now on; it changes nothing but the record."""
        self._wish = self._wish._replace(declared=role)

    def take(self) -> HumanInput:
        """What is wanted of this step; what was pressed counts once."""
        wish, self._wish = self._wish, HumanInput()
        if wish.action is None and wish.skill is None:
            return wish._replace(action=self._held)
        return wish


class HumanAgent:
    """Does what the controls say; without a word it goes on with its skill, or stays.

    Args:
        controls: what it listens to; its own, which nobody speaks to, if None.
    """

    profile = Profile(HUMAN)

    def __init__(self, controls: Controls | None = None) -> None:
        self.controls = controls or Controls()

    def reset(self, seat: EpisodeContext) -> None:  # noqa: ARG002 - every seat is alike
        """Begin a game; what was pressed before it is forgotten."""
        self.controls.take()
        self._by_skill = False

    def decide(self, observation: Observation) -> Decision:
        """Turn the last wish into a decision."""
        wish = self.controls.take()
        decision = self._fulfil(wish, observation)
        self._by_skill = decision.skill != constants.NO_SKILL
        return decision._replace(declared=wish.declared)

    def commit(self, observation: Observation, decision: Decision) -> None:  # noqa: ARG002 - nothing seen is kept
        """Remember only whether it plays by hand."""
        self._by_skill = decision.skill != constants.NO_SKILL

    def reconfigure(self, belief_config: BeliefConfig) -> None:  # noqa: ARG002 - there is nothing to tune
        """A person has no parameters.

        Raises:
            BBAError: always.
        """
        raise BBAError(f"{HUMAN}: has no belief and no gate to tune")

    def _fulfil(self, wish: HumanInput, observation: Observation) -> Decision:
        if wish.skill is not None and wish.skill in observation.feasible():
            return Decision(wish.skill, chosen=True)
        if wish.action is None and observation.running != constants.NO_SKILL:
            return Decision(observation.running)
        return primitive_decision(constants.ACTION_STAY if wish.action is None else wish.action, instead=self._by_skill)


class ReplayedHuman:
    """A person who did all this before, and does it again: in another future it acts as it did, come what may.

    Args:
        decisions: one a step; after the last it stays.
    """

    profile = Profile(HUMAN)

    def __init__(self, decisions: Sequence[Decision]) -> None:
        self._decisions = decisions

    def reset(self, seat: EpisodeContext) -> None:
        """It begins wherever the game does."""

    def decide(self, observation: Observation) -> Decision:
        """What it did in this step; to stay, where that was a skill that cannot run now."""
        step = int(observation.state[STEP])
        decision = self._decisions[step] if step < len(self._decisions) else primitive_decision(constants.ACTION_STAY)
        if decision.skill == constants.NO_SKILL:
            return decision
        runs = observation.running == decision.skill and not decision.chosen
        return (
            decision
            if runs or (decision.chosen and decision.skill in observation.feasible())
            else primitive_decision(constants.ACTION_STAY)
        )

    def commit(self, observation: Observation, decision: Decision) -> None:
        """It knows its part."""

    def reconfigure(self, belief_config: BeliefConfig) -> None:  # noqa: ARG002 - there is nothing to tune
        """A person has no parameters.

        Raises:
            BBAError: always.
        """
        raise BBAError(f"{HUMAN}: has no belief and no gate to tune")


def primitive_decision(action: int, *, instead: bool = False) -> Decision:
    """To do one primitive action; `instead` of a skill that was run before."""
    return Decision(constants.NO_SKILL, action=action, chosen=instead)
