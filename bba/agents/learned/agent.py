"""Agents with a learned policy: behaviour-preferring partners, GAMMA and TALENTS. They need only NumPy.

When no skill is running, one is drawn from the policy's probabilities over the feasible skills. The draw depends only
on seed, player and step, so that forks and replays continue as the game did.
"""

from pathlib import Path

import numpy as np

from bba.agents.base import Belief, Decision, EpisodeContext, Observation, PolicyOutput, Profile
from bba.agents.continuing import COMPLETIONS, NOTHING, Continuation
from bba.agents.learned.clusters import ClusterPosterior
from bba.agents.learned.policy import Mask, ObservationEncoder, feasible_mask, forward, masked_softmax, sample_index
from bba.agents.learned.weights import weights_for
from bba.kitchen import constants
from bba.kitchen.observation import Float32Array
from bba.kitchen.rules import hash_random
from bba.kitchen.state import STEP

OUTPUT_DIGITS = 4  # of the probabilities in a policy's output
KEYS = 2  # the first random key of the two players; 0 and 1 are used elsewhere (`numpy` reads [seed, 0] as seed)


class LearnedAgent:
    """Plays a policy from a file.

    Args:
        name: the agent's name, such as ``bp:G1-1``.
        folder: with its weights; None for those that ship with the project.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self.profile = Profile(name)
        self._name, self._folder = name, folder

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with the weights for its layout.

        Raises:
            BBAError: there are none, or they cannot be used here.
        """
        self._weights = weights = weights_for(self._name, context.layout, self._folder)
        self._policy = weights.policy
        self._encoder = ObservationEncoder(context.layout, fast=context.fast)
        clusters = weights.clusters
        self._clusters = ClusterPosterior(clusters, 1 - context.player, self._encoder) if clusters else None
        self._key = int(np.random.SeedSequence([context.seed, KEYS + context.player]).generate_state(1)[0])
        self._probabilities: tuple[float, ...] = ()
        self._continuation: Continuation | None = None  # since the last choice

    def observe(self, observation: Observation) -> None:
        """Updates the posterior over the partner's clusters, if the policy has them."""
        if self._clusters is not None:
            self._clusters.observe(observation)
            self._continuation = None

    def continuation(self, played: int) -> Continuation:  # noqa: ARG002 - its schedule, if any, is another class's
        """Returns what it does while a skill runs: with clusters, until its partner completes one."""
        if self._continuation is None:
            decision = Decision(constants.NO_SKILL, policy=self._output(self._probabilities))
            self._continuation = Continuation(decision, learns=NOTHING if self._clusters is None else COMPLETIONS)
        return self._continuation

    def take_over(self, belief: Belief) -> None:
        """Does nothing: it has no belief over hypotheses."""

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill; draws one if none is running."""
        return self._draw(observation) if observation.running == constants.NO_SKILL else self._continue(observation)

    def commit(self, observation: Observation, decision: Decision) -> None:  # noqa: ARG002 - only the policy counts
        """Remembers the probabilities of its last choice; none if another agent chose."""
        self._probabilities = decision.policy.probabilities if decision.policy else ()
        self._continuation = None

    def _continue(self, observation: Observation) -> Decision:
        return Decision(observation.running, policy=self._output(self._probabilities))

    def _draw(self, observation: Observation) -> Decision:
        """Chooses a skill by the policy's probabilities."""
        encoded = self._encoder.of(observation.state)[observation.player]
        probabilities = masked_softmax(forward(self._policy, self._inputs(encoded)), self._mask(observation, encoded))
        skill = sample_index(probabilities, hash_random(self._key, int(observation.state[STEP])) / 2**32)
        return Decision(skill, chosen=True, policy=self._output(rounded(probabilities)))

    def _mask(self, observation: Observation, encoded: Float32Array) -> Mask:  # noqa: ARG002 - a locked one has a role
        """Returns the skills among which the policy chooses, (27,), of which at least one is True."""
        return feasible_mask(encoded)

    def _inputs(self, encoded: Float32Array) -> Float32Array:
        """Returns the policy's inputs: the observation and, with clusters, the one-hot of the most likely one."""
        return encoded if self._clusters is None else np.concatenate([encoded, self._clusters.one_hot()])

    def _output(self, probabilities: tuple[float, ...]) -> PolicyOutput:
        return PolicyOutput(probabilities, rounded(self._clusters.weights) if self._clusters else ())


def rounded(probabilities: np.ndarray) -> tuple[float, ...]:
    """Returns probabilities with the few digits that are shown, which a recording keeps exactly."""
    return tuple(probabilities.astype(np.float64).round(OUTPUT_DIGITS).tolist())
