"""A world that does not wait: an agent that thinks for longer than a step goes on with its skill, or stays.

What thinks is a copy of the agent, in a thread of its own; the agent itself follows what is done meanwhile, step by
step, as in a fork. So nothing is shared between the two that ever changes, belief and gate are never a step behind, and
an answer counts from the step in which it arrives. One that is no longer possible is dropped: what was asked for it is
noted with that step, and in the next one the agent is asked anew.
"""

import queue
import threading
from typing import Protocol

from bba.agents.base import THINKING, Agent, Decision, EpisodeContext, Observation, Profile, partner_model_for
from bba.belief import BeliefConfig
from bba.kitchen import constants
from bba.planner import Aside

GRACE_SECONDS = 0.02  # seconds within which an answer is not late
TOO_LATE = "came too late"  # the problem of a choice that is dropped

DecisionOrError = Decision | Exception


class Forkable(Agent, Protocol):
    """An agent of which there can be two."""

    def copy(self) -> Agent:
        """Another one that stands where it stands, and goes on by itself."""


class AsyncAgent:
    """An agent in a world that does not wait for it.

    Args:
        agent: who decides.
        patience: seconds for which a step waits for what is asked in it.
    """

    def __init__(self, agent: Forkable, patience: float = GRACE_SECONDS) -> None:
        self._agent, self._patience = agent, patience

    @property
    def profile(self) -> Profile:
        """What the agent is."""
        return self._agent.profile

    def reset(self, seat: EpisodeContext) -> None:
        """Begin a game; what is still thought about for another is for nobody any more."""
        self._agent.reset(seat)
        self._model = partner_model_for(seat, self.profile.belief_config)
        self._answers: queue.SimpleQueue[DecisionOrError] | None = None

    def decide(self, observation: Observation) -> Decision:
        """What the agent says to this, or said late and can still be done; else go on, or stay.

        Raises:
            BBAError: what kept the agent from deciding; the step has not begun, and the next call asks anew.
        """
        if self._answers is None:
            self._ask(observation)
            decision = self._hear(self._patience) or waiting_decision(observation)
        else:
            late = self._hear()
            decision = apply_late(late, observation) if late else waiting_decision(observation)
        decision = self._with_belief(observation, decision)
        self._agent.commit(observation, decision)
        return decision

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Let the agent take in the step."""
        self._with_belief(observation, decision)
        self._agent.commit(observation, decision)

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Go on with other parameters of belief and gate; what is being thought about began with the old ones.

        Raises:
            BBAError: the agent has neither, or the belief cannot go on with these.
        """
        self._agent.reconfigure(belief_config)
        if self._model is not None:
            self._model.reconfigure(belief_config)

    def _ask(self, observation: Observation) -> None:
        """Let a copy think about this in a thread that nobody has to wait for."""
        answers: queue.SimpleQueue[DecisionOrError] = queue.SimpleQueue()
        self._answers, thinker = answers, self._agent.copy()

        def think() -> None:
            try:
                answers.put(thinker.decide(observation))
            except Exception as error:  # noqa: BLE001 - whatever it is, the game's own thread raises it again
                answers.put(error)

        threading.Thread(target=think, daemon=True).start()

    def _hear(self, patience: float = 0.0) -> Decision | None:
        """What was answered, if it has come or comes within so many seconds."""
        try:
            outcome = self._answers.get(timeout=patience) if self._answers else None
        except queue.Empty:
            return None
        self._answers = None
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def _with_belief(self, observation: Observation, decision: Decision) -> Decision:
        if self._model is None:
            return decision
        mid_skill = observation.running != constants.NO_SKILL
        belief, gate = self._model.observe(observation.before, observation.state, mid_skill=mid_skill)
        return decision._replace(belief=belief, gate=gate)


def waiting_decision(observation: Observation) -> Decision:
    """What is done while the agent thinks: the running skill goes on; with none running, one stays."""
    if observation.running != constants.NO_SKILL:
        return Decision(observation.running)
    return Decision(constants.SKILL_STAY, chosen=True, note=THINKING)


def apply_late(decision: Decision, observation: Observation) -> Decision:
    """What comes of an answer to an earlier step: it is done if it can be; else only what was asked for it remains."""
    if decision.chosen and decision.skill in observation.feasible():
        return decision._replace(replanned=observation.running != constants.NO_SKILL)
    return waiting_decision(observation)._replace(asides=dropped_calls(decision))


def dropped_calls(decision: Decision) -> tuple[Aside, ...]:
    """All that a model was asked for a decision that is dropped, the choice of the skill as an aside."""
    one = decision.exchange
    if one is None:
        return decision.asides
    return *decision.asides, Aside("late", one.messages, one.answer, one.attempts, one.problem or TOO_LATE, one.usage)
