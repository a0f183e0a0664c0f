"""A person as an agent. Keyboard and window are not known here: they call the methods of `Controls`."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bba.agents.base import Decision, EpisodeContext, Memoryless, Observation, Profile
from bba.belief import StayModel
from bba.kitchen import STEP, constants

HUMAN = "human"
MOST_WAITING = 3  # inputs that wait for their step at most
FRESH = 1.0  # seconds after which an input that waits is dropped, unless it is the last one
# more presses of one key than these, with so few seconds between, are a key that is held down
TAPS = 4
TAP_GAP = 0.12


def stay_model_of(agent: str, mobility: float) -> StayModel:
    """Returns how to read STAY actions of an agent, given its name and its mobility, 0 to 1."""
    if mobility < 1.0:
        return StayModel.NOISY
    return StayModel.HUMAN_PAUSES if agent == HUMAN else StayModel.VOLUNTARY


class HumanInput(NamedTuple):
    """A person's input for one step: an action or a skill (or neither), and the role that it declares, if any."""

    action: int | None = None
    skill: int | None = None
    declared_role: int | None = None


class TimedInput(NamedTuple):
    """An input and when it was made, in seconds."""

    time: float
    person_input: HumanInput


class Controls:
    """Passes input from a keyboard to an agent: each press counts for one step, in the order of the presses.

    At most three inputs wait, so that quick taps are not lost, and none for long, so that a cook does not walk on by
    itself. A terminal repeats a key that is held down; only the last repetition waits. A window that also sees keys go
    up may `hold` an action: it counts whenever no key was pressed.

    Args:
        now: returns the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._waiting: deque[TimedInput] = deque(maxlen=MOST_WAITING)
        self._declared_role: int | None = None
        self._held: int | None = None
        # the presses of one key in a row; the last
        self._taps = 0
        self._tapped = TimedInput(-TAP_GAP, HumanInput())

    def press(self, action: int) -> None:
        """Requests a primitive action, 0 to 5, for the next step that has none yet; it ends a requested skill."""
        pressed = TimedInput(self._now(), HumanInput(action))
        again = self._tapped.person_input == pressed.person_input and pressed.time - self._tapped.time <= TAP_GAP
        self._taps = self._taps + 1 if again else 1
        self._tapped = pressed
        if self._taps > TAPS or any(timed.person_input.skill is not None for timed in self._waiting):
            self._waiting.clear()
        self._wait(pressed)

    def hold(self, action: int | None) -> None:
        """Requests an action for every step from now on; None ends it."""
        self._held = action

    def choose(self, skill: int) -> None:
        """Requests a skill, 0 to 26; the controller runs it until it ends or an action is requested."""
        self._waiting.clear()
        self._wait(TimedInput(self._now(), HumanInput(None, skill)))

    def declare(self, role: int) -> None:
        """Declares which of the six roles the person plays from now on; it is only recorded."""
        self._declared_role = role

    def take(self) -> HumanInput:
        """Returns the input for this step and removes it."""
        time_now = self._now()
        while len(self._waiting) > 1 and time_now - self._waiting[0].time > FRESH:
            self._waiting.popleft()
        person_input = self._pop().person_input if self._waiting else HumanInput(self._held)
        person_input = person_input._replace(declared_role=self._declared_role)
        self._declared_role = None
        return person_input

    def _wait(self, timed: TimedInput) -> None:
        """Lets an input wait for its step."""
        self._waiting.append(timed)

    def _pop(self) -> TimedInput:
        """Returns the input that has waited for longest, and removes it."""
        return self._waiting.popleft()

    def drop(self) -> None:
        """Discards the actions and skills that wait; a key that is held stays held."""
        self._waiting.clear()

    def clear(self) -> None:
        """Discards what waits, a declaration included."""
        self.drop()
        self._declared_role = None


class HumanAgent(Memoryless):
    """Follows the controls; without input it continues its skill, or stays.

    Args:
        controls: where its input comes from; None for new ones that nothing is connected to.
    """

    profile = Profile(HUMAN)

    def __init__(self, controls: Controls | None = None) -> None:
        self.controls = controls or Controls()

    def reset(self, context: EpisodeContext) -> None:  # noqa: ARG002 - it is the same for both players
        """Begins an episode; earlier input is discarded."""
        self.controls.clear()
        self._runs_skill = False

    def decide(self, observation: Observation) -> Decision:
        """Turns the input into a decision."""
        person_input = self.controls.take()
        return self._decide(person_input, observation)._replace(declared_role=person_input.declared_role)

    def commit(self, observation: Observation, decision: Decision) -> None:  # noqa: ARG002 - only the skill counts
        """Remembers whether a skill or a primitive action was decided."""
        self._runs_skill = decision.skill != constants.NO_SKILL

    def _decide(self, person_input: HumanInput, observation: Observation) -> Decision:
        if person_input.skill is not None and person_input.skill in observation.feasible():
            return Decision(person_input.skill, chosen=True)
        if person_input.action is None and observation.running != constants.NO_SKILL:
            return Decision(observation.running)
        action = constants.ACTION_STAY if person_input.action is None else person_input.action
        return primitive_decision(action, ends_skill=self._runs_skill)


class ReplayedHuman(Memoryless):
    """A person whose decisions are known: it repeats them in a fork, whatever else happens there.

    Args:
        decisions: one a step; after the last one it stays.
    """

    profile = Profile(HUMAN)

    def __init__(self, decisions: Sequence[Decision]) -> None:
        self._decisions = decisions

    def reset(self, context: EpisodeContext) -> None:
        """The decisions are the same in every episode."""

    def decide(self, observation: Observation) -> Decision:
        """Returns the decision of this step; stays if that is a skill that cannot run now."""
        step = int(observation.state[STEP])
        if step >= len(self._decisions):
            return primitive_decision(constants.ACTION_STAY)
        decision = self._decisions[step]
        possible = observation.feasible() if decision.chosen else (observation.running,)
        runs = decision.skill in (constants.NO_SKILL, *possible)
        return decision if runs else primitive_decision(constants.ACTION_STAY)


def primitive_decision(action: int, *, ends_skill: bool = False) -> Decision:
    """Returns the decision for one primitive action; `ends_skill` if a skill was decided in the step before."""
    return Decision(constants.NO_SKILL, action=action, chosen=ends_skill)
