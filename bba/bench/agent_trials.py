"""Agents in whose place something is tried: asked twice, gone on with as a copy, timed."""

import time
from typing import Any

from bba.agents import Agent, Decision, EpisodeContext, Forkable, Observation


class Wrapped:
    """An agent in whose place something is tried."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.profile = agent, agent.profile

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        self._agent.reset(context)

    def observe(self, observation: Observation) -> Any:
        """Lets the agent observe the step."""
        return self._agent.observe(observation)

    def decide(self, observation: Observation) -> Decision:
        """Returns the agent's decision."""
        return self._agent.decide(observation)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Lets the agent take over the decision."""
        self._agent.commit(observation, decision)


class AskedTwice(Wrapped):
    """Asks the agent twice, and takes the second answer."""

    def decide(self, observation: Observation) -> Decision:
        """Returns the second answer."""
        self._agent.decide(observation)
        return self._agent.decide(observation)


class Copied(Wrapped):
    """Goes on with a copy from a step on."""

    def __init__(self, agent: Forkable, step: int) -> None:
        super().__init__(agent)
        self._whole, self._step = agent, step

    def observe(self, observation: Observation) -> Any:
        """Lets the agent, or from then on its copy, observe the step."""
        if observation.step == self._step:
            self._agent = self._whole.copy()
        return super().observe(observation)


class Timed(Wrapped):
    """Notes how long each decision takes."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.seconds: list[float] = []

    def decide(self, observation: Observation) -> Decision:
        """Returns the agent's decision."""
        began = time.perf_counter()
        decision = self._agent.decide(observation)
        self.seconds.append(time.perf_counter() - began)
        return decision
