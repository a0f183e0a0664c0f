"""An agent that plays any feasible skill, as a plug-in.

bba-tui watch open --agent examples/plugins/random_agent.py:Random --agent-option waiting=0.3
"""

import numpy as np

from bba.agents import Decision, EpisodeContext, Observation
from bba.kitchen.constants import NO_SKILL, SKILL_STAY


class Random:
    """Plays any skill that is feasible."""

    def __init__(self, waiting: float = 0.1) -> None:
        self.waiting = waiting

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        self._seed = (context.seed, context.player)

    def observe(self, observation: Observation) -> None:
        """Takes in nothing."""

    def decide(self, observation: Observation) -> int | None:
        """Begins a skill when none is running; the same one in every game with this seed, and in every fork."""
        if observation.running != NO_SKILL:
            return None
        random = np.random.default_rng((*self._seed, observation.step))
        return SKILL_STAY if random.random() < self.waiting else int(random.choice(observation.feasible()))

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Remembers nothing."""
