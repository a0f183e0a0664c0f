"""A learned policy in a seat: behaviour-preferring partners, GAMMA and TALENTS, played with NumPy alone.

It chooses when no skill runs, by one draw from the policy's probabilities over what is feasible. The draw is a function
of the seat and the step alone, so that forks and replays go on as the game did.
"""

from pathlib import Path

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Observation, PolicyOutput, Profile
from bba.agents.learned.cluster_posterior import ClusterPosterior
from bba.agents.learned.observation_encoder import ObservationEncoder, feasible_mask
from bba.agents.learned.policy import forward, masked_softmax, sample_index
from bba.agents.learned.weights import weights_for
from bba.belief import BeliefConfig
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.observation import Float32Array
from bba.kitchen.rules import hash_random
from bba.kitchen.state import STEP

DIGITS = 4  # of what is told of the probabilities
KEYS = 2  # the first of the keys of the two seats; 0 and 1 are others' (`numpy` takes [seed, 0] for seed)


class LearnedAgent:
    """Plays a policy from a file.

    Args:
        name: the agent's, such as ``bp:G1-1``.
        folder: where its weights are; None for those that ship with the project.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self.profile = Profile(name)
        self._folder = folder

    def reset(self, seat: EpisodeContext) -> None:
        """Begin a game with the weights for its layout.

        Raises:
            BBAError: there are none, or they cannot be played here.
        """
        weights = weights_for(self.profile.agent, seat.layout, self._folder)
        self._policy = weights.policy
        self._sight = ObservationEncoder(seat.layout, fast=seat.fast)
        clusters = weights.clusters
        self._partner = ClusterPosterior(clusters, 1 - seat.number, self._sight) if clusters else None
        self._key = int(np.random.SeedSequence([seat.seed, KEYS + seat.number]).generate_state(1)[0])
        self._told: tuple[float, ...] = ()

    def decide(self, observation: Observation) -> Decision:
        """Go on with the running skill; draw one where there is none."""
        if self._partner is not None:
            self._partner.observe(observation)
        if observation.running != constants.NO_SKILL:
            return Decision(observation.running, policy=self._reading())
        skill = self._choose(observation)
        return Decision(skill, chosen=True, policy=self._reading())

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Watch the partner, and remember what it thought of its choice, if it was its own."""
        if self._partner is not None:
            self._partner.observe(observation)
        self._told = decision.policy.probabilities if decision.policy else ()

    def reconfigure(self, belief_config: BeliefConfig) -> None:  # noqa: ARG002 - there is nothing to tune
        """It has learned what it does.

        Raises:
            BBAError: always.
        """
        raise BBAError(f"{self.profile.agent}: has no belief and no gate to tune")

    def _choose(self, observation: Observation) -> int:
        seen = self._sight.of(observation.state)[observation.seat]
        probabilities = masked_softmax(forward(self._policy, self._inputs(seen)), feasible_mask(seen))
        self._told = rounded(probabilities)
        return sample_index(probabilities, hash_random(self._key, int(observation.state[STEP])) / 2**32)

    def _inputs(self, seen: Float32Array) -> Float32Array:
        """What the policy is told: the observation, and where it knows of clusters the heaviest one."""
        return seen if self._partner is None else np.concatenate([seen, self._partner.one_hot()])

    def _reading(self) -> PolicyOutput:
        return PolicyOutput(self._told, rounded(self._partner.weights) if self._partner else ())


def rounded(shares: np.ndarray) -> tuple[float, ...]:
    """As they are told: few digits say all, and a recording keeps them exactly."""
    return tuple(np.round(shares.astype(np.float64), DIGITS).tolist())
