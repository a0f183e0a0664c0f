"""TALENTS at play: which cluster of partners the fellow is most like, told from its public events alone.

Whenever the partner completes a skill, each cluster is asked what it would have expected: its mean latent and what the
partner saw right after its previous completion, decoded into a probability for each skill that was feasible then. The
cross-entropy of the skill seen, to the base of 27, is its loss: 1 is what an even guess among all skills would lose.
Fixed share weighs the clusters by it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from bba.agents.base import Observation
from bba.agents.learned.fixed_share import Shares
from bba.agents.learned.observation_encoder import ObservationEncoder, feasible_mask
from bba.agents.learned.policy import Mask, forward, masked_softmax
from bba.agents.learned.policy_weights import Clusters
from bba.agents.partner_events import completed
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.observation import Float32Array
from bba.kitchen.state import EVENT

FLOOR = 1e-6  # the probability of what no cluster could expect: it was infeasible when they were asked


class ClusterPosterior:
    """What is known of the partner in one game.

    Args:
        clusters: what partners there are.
        partner: the player that is watched, 0 or 1.
        sight: tells what it sees.
    """

    def __init__(self, clusters: Clusters, partner: int, sight: ObservationEncoder) -> None:
        self._clusters, self._partner, self._sight = clusters, partner, sight
        self._share = clusters.share()
        self._expected: Float32Array | None = None

    @property
    def weights(self) -> Shares:
        """How much each cluster counts, (K,)."""
        return self._share.weights

    def one_hot(self) -> Float32Array:
        """The heaviest cluster as the policy is told of it, (K,)."""
        told = np.zeros(len(self._clusters), np.float32)
        told[self._share.best] = 1
        return told

    def observe(self, observation: Observation) -> None:
        """Take in one step. Call it once a step, in order."""
        done = completed(observation.state, self._partner)
        if done and self._expected is not None:
            self._share.update(losses(self._expected, int(observation.state[EVENT + self._partner])))
        if done or self._expected is None:
            seen = self._sight.of(observation.state)[self._partner]
            self._expected = predicted_skills(self._clusters, seen, feasible_mask(seen))


def predicted_skills(clusters: Clusters, seen: Float32Array, mask: Mask) -> Float32Array:
    """The probability of each skill by each cluster, (K, 27), where the partner sees this and could do that."""
    inputs = np.concatenate([np.broadcast_to(seen, (len(clusters), len(seen))), clusters.mean], axis=1)
    return masked_softmax(forward(clusters.decoder, inputs), mask)


def losses(expected: Float32Array, skill: int) -> NDArray[np.float64]:
    """The cross-entropy of a skill seen by each cluster, to the base of 27, (K,), 0 or more; `expected` (K, 27).

    In nats the regret's limit of 1 would cut off most of what one telling choice says.
    """
    return -np.log(np.maximum(expected[:, skill].astype(np.float64), FLOOR)) / math.log(N_SKILLS)
