"""Partners decoded from latents: the companions that GAMMA's and TALENTS' policies are trained beside."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Layers, forward
from bba.kitchen.observation import Float32Array
from bba.learning.rl.fixed_partners import Indices, Masks, sample_actions


class LatentPrior(Protocol):
    """Where latents come from.

    Attributes:
        kinds: how many kinds of partner there are; what kind it is, is told to the learner as a one-hot, if over 1.
        latents: numbers in a latent.
    """

    kinds: int
    latents: int

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Float32Array, NDArray[np.int64]]:
        """Latents (n, Z) and their kinds (n,)."""


class GaussianPrior:
    """The standard Gaussian: partners of one kind.

    Args:
        latents: numbers in a latent.
    """

    kinds = 1

    def __init__(self, latents: int) -> None:
        self.latents = latents

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Float32Array, NDArray[np.int64]]:
        """Latents (n, Z) of kind 0."""
        return rng.standard_normal((n, self.latents), np.float32), np.zeros(n, np.int64)


class MixturePrior:
    """A Gaussian for each of K clusters, all equally likely.

    Args:
        mean, std: of the latents in each cluster, (K, Z).
    """

    def __init__(self, mean: Float32Array, std: Float32Array) -> None:
        self._mean, self._std = mean, std
        self.kinds, self.latents = mean.shape

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Float32Array, NDArray[np.int64]]:
        """Latents (n, Z) and their clusters."""
        kinds = rng.integers(self.kinds, size=n)
        noise = rng.standard_normal((n, self.latents), np.float32)
        return self._mean[kinds] + self._std[kinds] * noise, kinds


class VAEPartner:
    """In each game a partner of its own, decoded from a latent that is drawn when the game begins.

    Args:
        decoder: from an observation followed by a latent to one logit a skill.
        prior: where latents come from.
        games: how many games there are.
    """

    def __init__(self, decoder: Layers, prior: LatentPrior, games: int) -> None:
        self._decoder, self._prior = decoder, prior
        self.hints = prior.kinds if prior.kinds > 1 else 0
        self._latents = np.zeros((games, prior.latents), np.float32)
        self._kinds = np.zeros(games, np.int64)

    def begin(self, games: Indices, rng: np.random.Generator) -> None:
        """Draw these games' partners."""
        self._latents[games], self._kinds[games] = self._prior.draw(len(games), rng)

    def choose(self, games: Indices, seen: Float32Array, masks: Masks, rng: np.random.Generator) -> NDArray[np.int32]:
        """Skills drawn from the decoder."""
        return sample_actions(forward(self._decoder, np.concatenate([seen, self._latents[games]], axis=1)), masks, rng)

    def hint(self, games: Indices) -> Float32Array:
        """The one-hot of each partner's kind, (M, kinds); nothing where there is only one."""
        told: Float32Array = np.eye(self._prior.kinds, dtype=np.float32)[self._kinds[games]][:, : self.hints]
        return told
