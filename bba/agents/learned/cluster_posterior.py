"""TALENTS at play: an online posterior over partner clusters, from the partner's completed skills alone.

Each cluster predicts the partner's next completed skill: its mean latent and the partner's observation right after the
previous completion are decoded into probabilities of the skills that were feasible then. The loss is the cross-entropy
of the skill that was completed, to the base 27, so that a uniform guess among all skills loses 1. Fixed share turns
the losses into weights.
"""

import math

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.fixed_share import Shares
from bba.agents.learned.observation_encoder import ObservationEncoder, feasible_mask
from bba.agents.learned.policy import Mask, forward, masked_softmax
from bba.agents.learned.policy_weights import Clusters
from bba.agents.observation import Observation
from bba.agents.partner_events import completed
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.observation import Float32Array
from bba.kitchen.state import EVENT

FLOOR = 1e-6  # the probability of a skill that no cluster could predict because it was infeasible


class ClusterPosterior:
    """The posterior over partner clusters in one episode.

    Args:
        clusters: of partners, K.
        partner: the observed player, 0 or 1.
        encoder: encodes the partner's observations.
    """

    def __init__(self, clusters: Clusters, partner: int, encoder: ObservationEncoder) -> None:
        self._clusters, self._partner, self._encoder = clusters, partner, encoder
        self._share = clusters.share()
        self._predicted: Float32Array | None = None

    @property
    def weights(self) -> Shares:
        """The weight of each cluster, (K,), summing to 1."""
        return self._share.weights

    def one_hot(self) -> Float32Array:
        """Returns the most likely cluster as the policy's input, (K,)."""
        one_hot = np.zeros(len(self._clusters), np.float32)
        one_hot[self._share.best] = 1
        return one_hot

    def observe(self, observation: Observation) -> None:
        """Updates the posterior with one step. Called once a step, in order."""
        done = completed(observation.state, self._partner)
        if done and self._predicted is not None:
            self._share.update(losses(self._predicted, int(observation.state[EVENT + self._partner])))
        if done or self._predicted is None:
            encoded = self._encoder.of(observation.state)[self._partner]
            self._predicted = predicted_skills(self._clusters, encoded, feasible_mask(encoded))


def predicted_skills(clusters: Clusters, encoded: Float32Array, mask: Mask) -> Float32Array:
    """Returns each cluster's probability of each skill, (K, 27).

    Args:
        clusters: of partners, K.
        encoded: the partner's observation, (size,).
        mask: its feasible skills, (27,).
    """
    inputs = np.concatenate([np.broadcast_to(encoded, (len(clusters), len(encoded))), clusters.mean], axis=1)
    return masked_softmax(forward(clusters.decoder, inputs), mask)


def losses(predicted: Float32Array, skill: int) -> NDArray[np.float64]:
    """Returns the cross-entropy of a skill for each cluster, to the base 27, (K,), 0 or more; `predicted` (K, 27).

    In nats, the limit of 1 on a regret would cut off most of what one informative choice says.
    """
    return -np.log(np.maximum(predicted[:, skill].astype(np.float64), FLOOR)) / math.log(N_SKILLS)
