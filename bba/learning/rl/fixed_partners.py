"""Who sits in a seat that is not being trained."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Layers, forward
from bba.kitchen.observation import Float32Array

Indices = NDArray[np.int64]
Masks = NDArray[np.bool_]


class BatchPartner(Protocol):
    """Chooses for many games at once.

    Attributes:
        hints: how many numbers it tells the learner about itself.
    """

    hints: int

    def begin(self, games: Indices, rng: np.random.Generator) -> None:
        """These games begin afresh; `rng` is for whatever it draws for them."""

    def choose(self, games: Indices, seen: Float32Array, masks: Masks, rng: np.random.Generator) -> NDArray[np.int32]:
        """A feasible skill (M,) in each of these games (M,), by its observation (M, size) and mask (M, 27)."""

    def hint(self, games: Indices) -> Float32Array:
        """What it tells the learner in each of these games, shape (M, hints)."""


class PolicyPartner:
    """One fixed policy in every game.

    Args:
        layers: from an observation to one logit a skill.
    """

    hints = 0

    def __init__(self, layers: Layers) -> None:
        self.layers = layers

    def begin(self, games: Indices, rng: np.random.Generator) -> None:
        """Nothing is remembered from game to game."""

    def choose(self, games: Indices, seen: Float32Array, masks: Masks, rng: np.random.Generator) -> NDArray[np.int32]:  # noqa: ARG002
        """Skills drawn from the policy."""
        return sample_actions(forward(self.layers, seen), masks, rng)

    def hint(self, games: Indices) -> Float32Array:
        """Nothing, (M, 0)."""
        return np.empty((len(games), 0), np.float32)


def sample_actions(logits: NDArray[np.floating], masks: Masks, rng: np.random.Generator) -> NDArray[np.int32]:
    """Draw a skill (M,) from each row's masked softmax (Gumbel-max); `logits` and `masks` (M, 27)."""
    noisy = np.where(masks, logits + rng.gumbel(size=logits.shape), -np.inf)
    chosen: NDArray[np.int32] = noisy.argmax(axis=1).astype(np.int32)
    return chosen
