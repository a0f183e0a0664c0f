"""Runs an agent asynchronously: while it decides the game goes on, in real time, or waits for it.

A copy of the agent decides in a background thread. The agent itself observes every step, so its belief and gate are
always up to date, and the two share nothing that changes. In real time the agent meanwhile continues its skill or
stays. A decision counts from the step in which it arrives. If it is not feasible any more it is dropped: its model
calls are kept in that step's decision, and the next step asks anew. Where the world waits, no step is played meanwhile,
and the game is the same as without a screen.
"""

from collections.abc import Mapping
from concurrent.futures import Future, wait

from bba.agents.base import (
    THINKING,
    Belief,
    Decision,
    EpisodeContext,
    Forkable,
    Observation,
    Profile,
    reconfigure,
    tune_trigger,
)
from bba.config import BeliefConfig
from bba.kitchen import constants
from bba.planner.chat import QuestionProgress, follow
from bba.processes import in_thread

GRACE_SECONDS = 0.02  # seconds within which a decision is not late


class AsyncAgent:
    """An agent that does not hold up the game.

    Args:
        agent: the agent that decides.
        patience: seconds for which a step waits for the decision that it has asked for.

    Attributes:
        waited_for: whether the game is to wait for its decisions; else `decide` returns at once what it does meanwhile.
    """

    waited_for = False

    def __init__(self, agent: Forkable, patience: float = GRACE_SECONDS) -> None:
        self._agent = agent
        self._patience = patience
        self._answer: Future[Decision] | None = None
        self._progress = QuestionProgress()

    @property
    def profile(self) -> Profile:
        """What the agent is."""
        return self._agent.profile

    @property
    def progress(self) -> QuestionProgress | None:
        """How far the decision under way is; None if there is none."""
        return self._progress if self._answer is not None and not self._answer.done() else None

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode; a decision still under way for another one is discarded."""
        self._agent.reset(context)
        self._answer = None

    def begin(self, observation: Observation) -> bool:  # noqa: ARG002 - it begins when it is to decide
        """Begins to decide in this step, before `observe`; returns whether the game need not wait any longer."""
        return True

    def observe(self, observation: Observation) -> Belief | None:
        """Lets the agent observe the step."""
        return self._agent.observe(observation)

    def decide(self, observation: Observation) -> Decision:
        """Returns the agent's decision, also one to an earlier step if it is feasible; else continues or stays.

        Raises:
            BBAError: the agent could not decide; the next call asks anew.
        """
        if self._answer is None:
            self._ask(self._agent.copy(), observation)
            return self._poll(self._patience) or waiting_decision(observation)
        late = self._poll()
        return apply_late(late, observation) if late else waiting_decision(observation)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Lets the agent take over the decision of this step."""
        self._agent.commit(observation, decision)

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Gives the agent other parameters; a decision under way still goes by the old ones.

        Raises:
            BBAError: it has no belief, or its belief is over other hypotheses.
        """
        reconfigure(self._agent, belief_config)

    def tune_trigger(self, changes: Mapping[str, float]) -> None:
        """Gives the agent's trigger other thresholds, as `reconfigure`.

        Raises:
            BBAError: it has none, or does not take these.
        """
        tune_trigger(self._agent, changes)

    def _ask(self, agent: Forkable, observation: Observation) -> Future[Decision]:
        """Lets a copy of the agent decide in a background thread; returns its decision to come."""
        progress = QuestionProgress()
        self._progress = progress

        def decide() -> Decision:
            follow(progress)
            return agent.decide(observation)

        answer = in_thread(decide)
        self._answer = answer
        return answer

    def _poll(self, patience: float = 0.0) -> Decision | None:
        """Returns the decision if it has arrived or arrives within `patience` seconds."""
        if self._answer is None or not wait([self._answer], patience).done:
            return None
        answer, self._answer = self._answer, None
        return answer.result()


class AwaitedAgent(AsyncAgent):
    """An agent for which the game waits: `begin` asks, and `decide` returns what came of it."""

    waited_for = True
    _observed = False  # whether the agent itself has observed the step that is to be decided

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode; a decision still under way for another one is discarded."""
        super().reset(context)
        self._observed = False

    def begin(self, observation: Observation) -> bool:
        """Begins to decide in this step, unless that is under way; returns whether the decision has arrived."""
        if self._answer is not None:
            return self._answer.done()
        agent = self._agent.copy()
        if not self._observed:
            agent.observe(observation)
        return bool(wait([self._ask(agent, observation)], self._patience).done)

    def observe(self, observation: Observation) -> Belief | None:
        """Lets the agent observe the step."""
        self._observed = True
        return super().observe(observation)

    def decide(self, observation: Observation) -> Decision:
        """Returns the decision that was begun, once it is there; decides now if none was.

        Raises:
            BBAError: the agent could not decide; the next call asks anew.
        """
        answer = self._answer
        if answer is None:
            return self._agent.decide(observation)
        try:
            return answer.result()
        except Exception:
            self._answer = None
            raise

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Lets the agent take over the decision of this step."""
        self._answer = None
        self._observed = False
        super().commit(observation, decision)


def waiting_decision(observation: Observation) -> Decision:
    """Returns the decision while the agent thinks: continue the running skill, or stay if none is running."""
    if observation.running != constants.NO_SKILL:
        return Decision(observation.running)
    return Decision(constants.SKILL_STAY, chosen=True, note=THINKING)


def apply_late(decision: Decision, observation: Observation) -> Decision:
    """Returns a late decision if it is still feasible; otherwise only its model calls remain, the plan as dropped."""
    if decision.chosen and decision.skill in observation.feasible():
        return decision._replace(replanned=observation.running != constants.NO_SKILL)
    calls = tuple([call.dropped() if call.kind == "plan" else call for call in decision.calls])
    return waiting_decision(observation)._replace(calls=calls)
