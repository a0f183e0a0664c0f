"""Agents that draw their skills at random: what a measure says of them, it says of nothing that an agent does well.

`chance` draws a feasible skill whenever none is running. `thrashing` draws one in every step, whatever is running: so
any switch of its partner reaches it, and its work is interrupted again and again.
"""

import numpy as np

from bba.agents.base import THRASHING, Decision, EpisodeContext, Memoryless, Observation, Profile
from bba.agents.kernel_policy import FOREVER, KernelPolicy
from bba.kitchen import NO_SKILL, STEP, hash_random

RANDOM_KEYS = 6  # the first random key of the two players; learned agents and the rollout planner have those before it


class RandomAgent(Memoryless):
    """Draws any feasible skill, waiting included.

    Args:
        name: one of `bba.agents.base.RANDOM_AGENTS`.
    """

    def __init__(self, name: str) -> None:
        self.profile = Profile(name)
        self._thrashes = name == THRASHING

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode, whose seed decides every draw."""
        sequence = np.random.SeedSequence([context.seed, RANDOM_KEYS + context.player])
        self._key = int(sequence.generate_state(1)[0])

    def kernel_policy(self, played: int) -> KernelPolicy:
        """Returns what it does while its skill runs: it goes on, or is asked at once."""
        return KernelPolicy(Decision(NO_SKILL), until=played if self._thrashes else FOREVER)

    def decide(self, observation: Observation) -> Decision:
        """Draws a skill where it has to choose, or always; another skill than the running one is a replan."""
        running = observation.running
        if running != NO_SKILL and not self._thrashes:
            return Decision(running)
        feasible = observation.feasible()
        drawn = feasible[hash_random(self._key, int(observation.state[STEP])) % len(feasible)]
        if drawn == running:
            return Decision(running)
        return Decision(drawn, chosen=True, replanned=running != NO_SKILL)
