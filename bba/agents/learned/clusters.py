"""TALENTS at play: the partner clusters, and an online posterior over them from the partner's completed skills alone.

Each cluster predicts the partner's next completed skill: its mean latent and the partner's observation right after the
previous completion are decoded into probabilities of the skills that were feasible then. The loss is the cross-entropy
of the skill that was completed, to the base 27, so that a uniform guess among all skills loses 1.

Fixed share (Herbster and Warmuth, 1998) turns the losses into weights: it tracks which of several experts predicts
best, which may change. The regret of an expert is its loss minus the lowest loss, 1 at most. The sum of its regrets
decays, so that the distant past is forgotten. Its weight is exp(−η · sum), normalised; each expert keeps 1 − α of its
weight and gives α to the others in equal parts, so that no weight vanishes and an expert that becomes the best soon
leads.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bba.agents.base import Observation
from bba.agents.learned.policy import Layers, Mask, ObservationEncoder, feasible_mask, forward, masked_softmax
from bba.agents.perception import completed
from bba.errors import BBAError
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.observation import Float32Array
from bba.kitchen.state import EVENT

MAX_REGRET = 1.0  # of one prediction
Shares = NDArray[np.float64]
FLOOR = 1e-6  # the probability of a skill that no cluster could predict because it was infeasible


class FixedShare:
    """The weights of K experts, equal at first.

    Args:
        experts: K, 1 or more.
        eta: η, how strongly regret counts, above 0.
        alpha: α, the share that each expert gives to the others, above 0 and below 1.
        decay: the factor on the regrets from one prediction to the next, above 0 and at most 1.

    Attributes:
        weights: of the experts, (K,), summing to 1.
        regrets: the decayed sums of regrets, (K,).

    Raises:
        BBAError: a parameter out of range.
    """

    def __init__(self, experts: int, eta: float, alpha: float, decay: float) -> None:
        if not (eta > 0 and math.isfinite(eta)):
            raise BBAError(f"eta: {eta} is not allowed; above 0")
        if not 0 < alpha < 1:
            raise BBAError(f"alpha: {alpha} is not allowed; above 0 and below 1")
        if not 0 < decay <= 1:
            raise BBAError(f"decay: {decay} is not allowed; above 0 and at most 1")
        self._eta, self._alpha, self._decay = eta, alpha, decay
        self.weights: Shares = np.full(experts, 1 / experts)
        self.regrets: Shares = np.zeros(experts)

    @property
    def best(self) -> int:
        """The expert with the highest weight; the first among equals."""
        return int(self.weights.argmax())

    def update(self, losses: ArrayLike) -> Shares:
        """Returns the weights after one prediction.

        Args:
            losses: of each expert, (K,), finite.
        """
        loss = np.asarray(losses, np.float64)
        self.regrets = self._decay * self.regrets + np.minimum(loss - loss.min(), MAX_REGRET)
        powers = np.exp(-self._eta * (self.regrets - self.regrets.min()))
        kept: Shares = powers / powers.sum()
        others = len(kept) - 1
        self.weights = (1 - self._alpha) * kept + self._alpha * (1 - kept) / others if others else kept
        return self.weights


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The partner clusters of TALENTS: K clusters in a latent space of Z dimensions.

    Attributes:
        mean, std: of the latents in each cluster, (K, Z).
        decoder: from the partner's observation followed by a latent to one logit per skill.
        eta, alpha, decay: as in `FixedShare`.
    """

    mean: Float32Array
    std: Float32Array
    decoder: Layers
    eta: float
    alpha: float
    decay: float

    def __len__(self) -> int:
        return len(self.mean)

    def share(self) -> FixedShare:
        """Returns the weights of the clusters at the start of an episode.

        Raises:
            BBAError: a parameter out of range.
        """
        return FixedShare(len(self), self.eta, self.alpha, self.decay)


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
