"""Partners that are not being trained: they choose for many games at once."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Layers, forward
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.observation import REACH, Float32Array

Indices = NDArray[np.int64]
Masks = NDArray[np.bool_]


class BatchPartner(Protocol):
    """A partner in a batch of games.

    Attributes:
        context_size: length of the context vector that it gives the learner; 0 for none.
    """

    context_size: int

    def reset(self, games: Indices, rng: np.random.Generator) -> None:
        """Starts these games (M,) afresh; `rng` is for what it samples for them."""

    def choose(
        self, games: Indices, observations: Float32Array, masks: Masks, rng: np.random.Generator
    ) -> NDArray[np.int32]:
        """Returns a feasible skill (M,) for each of these games (M,), from observations (M, size) and masks (M, 27)."""

    def context(self, games: Indices) -> Float32Array:
        """Returns the extra inputs of the learner in each of these games, shape (M, context_size)."""


class PolicyPartner:
    """One fixed policy in every game.

    Args:
        layers: from an observation to one logit per skill.
    """

    context_size = 0

    def __init__(self, layers: Layers) -> None:
        self.layers = layers

    def reset(self, games: Indices, rng: np.random.Generator) -> None:
        """Does nothing: the policy has no memory."""

    def choose(
        self,
        games: Indices,  # noqa: ARG002
        observations: Float32Array,
        masks: Masks,
        rng: np.random.Generator,
    ) -> NDArray[np.int32]:
        """Samples skills from the policy."""
        return sample_actions(forward(self.layers, observations), masks, rng)

    def context(self, games: Indices) -> Float32Array:
        """Returns an empty context, (M, 0)."""
        return np.empty((len(games), 0), np.float32)


def sample_actions(logits: NDArray[np.floating], masks: Masks, rng: np.random.Generator) -> NDArray[np.int32]:
    """Samples a skill (M,) from each row's masked softmax (Gumbel-max); `logits` and `masks` (M, 27)."""
    noisy = np.where(masks, logits + rng.gumbel(size=logits.shape), -np.inf)
    actions: NDArray[np.int32] = noisy.argmax(axis=1).astype(np.int32)
    return actions


def feasible_masks(observations: Float32Array) -> Masks:
    """Returns which skills are feasible, (M, 27), from observations (M, size): those whose target is reachable."""
    return observations[:, REACH : REACH + N_SKILLS] > 0
