"""Partners decoded from latents: the partners with which the policies of GAMMA and TALENTS are trained."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Layers, forward
from bba.kitchen.observation import Float32Array
from bba.learning.rl.fixed_partners import Indices, Masks, sample_actions


class LatentPrior:
    """A distribution over latents: a mixture of one Gaussian for each of K clusters, all equally likely.

    Args:
        mean, std: of the latents in each cluster, (K, Z).
    """

    def __init__(self, mean: Float32Array, std: Float32Array) -> None:
        self._mean, self._std = mean, std
        self.n_clusters, self.latents = mean.shape

    @classmethod
    def standard(cls, latents: int) -> Self:
        """Returns the standard Gaussian over latents of this length: a single cluster."""
        return cls(np.zeros((1, latents), np.float32), np.ones((1, latents), np.float32))

    @property
    def context_size(self) -> int:
        """The length of the one-hot of a partner's cluster; 0 if there is only one cluster."""
        return self.n_clusters if self.n_clusters > 1 else 0

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Float32Array, NDArray[np.int64]]:
        """Returns latents (n, Z) and their clusters (n,)."""
        clusters = rng.integers(self.n_clusters, size=n)
        noise = rng.standard_normal((n, self.latents), np.float32)
        return self._mean[clusters] + self._std[clusters] * noise, clusters


class VAEPartner:
    """A partner decoded from a latent that is sampled anew for each game.

    The learner is told the latent's cluster as a one-hot, if there is more than one cluster.

    Args:
        decoder: from an observation followed by a latent to one logit per skill.
        prior: the distribution of latents.
        games: number of games.
    """

    def __init__(self, decoder: Layers, prior: LatentPrior, games: int) -> None:
        self._decoder, self._prior = decoder, prior
        self.context_size = prior.context_size
        self._latents = np.zeros((games, prior.latents), np.float32)
        self._clusters = np.zeros(games, np.int64)

    def reset(self, games: Indices, rng: np.random.Generator) -> None:
        """Samples a new partner for each of these games."""
        self._latents[games], self._clusters[games] = self._prior.sample(len(games), rng)

    def choose(
        self, games: Indices, observations: Float32Array, masks: Masks, rng: np.random.Generator
    ) -> NDArray[np.int32]:
        """Samples skills from the decoder."""
        logits = forward(self._decoder, np.concatenate([observations, self._latents[games]], axis=1))
        return sample_actions(logits, masks, rng)

    def context(self, games: Indices) -> Float32Array:
        """Returns the one-hot of each partner's cluster, (M, context_size)."""
        one_hots: Float32Array = np.eye(self._prior.n_clusters, dtype=np.float32)[self._clusters[games]]
        return one_hots[:, : self.context_size]
