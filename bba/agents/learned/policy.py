"""The computation of a learned policy: its observations, dense layers, and a choice among the feasible skills."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bba.kernels import maybe_compiled
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout
from bba.kitchen.observation import REACH, Float32Array, encode_observation, observation_size
from bba.kitchen.state import StateVector

Layer = tuple[Float32Array, Float32Array]  # weight (outputs, inputs) and bias (outputs,)
Layers = tuple[Layer, ...]
Mask = NDArray[np.bool_]
Activation = Callable[[Float32Array], Float32Array]


def relu(values: Float32Array) -> Float32Array:
    """Returns the values, 0 instead of those below."""
    return np.maximum(values, np.float32(0))


def forward(layers: Layers, inputs: Float32Array, activation: Activation = np.tanh) -> Float32Array:
    """Returns the network's outputs: an activation between layers, none after the last.

    Args:
        layers: from the first to the last.
        inputs: of one observation (inputs,) or of many (n, inputs).
        activation: tanh; for the rollout planner's networks `relu`.

    Returns:
        The outputs, (outputs,) or (n, outputs).
    """
    *hidden, (weight, bias) = layers
    for inner, offset in hidden:
        inputs = activation(inputs @ inner.T + offset)
    outputs: Float32Array = inputs @ weight.T + bias
    return outputs


def masked_softmax(logits: Float32Array, mask: Mask) -> Float32Array:
    """Returns probabilities over the last axis, 0 where the mask is False; each row needs at least one True."""
    allowed = np.where(mask, logits, -np.inf)
    powers: Float32Array = np.exp(allowed - allowed.max(axis=-1, keepdims=True))
    probabilities: Float32Array = powers / powers.sum(axis=-1, keepdims=True)
    return probabilities


def sample_index(probabilities: Float32Array, uniform: float) -> int:
    """Returns the index drawn by a number in [0, 1), never one of probability 0; `probabilities` (n,)."""
    cumulative = probabilities.cumsum(dtype=np.float64)
    return int(cumulative.searchsorted(uniform * cumulative[-1], side="right"))


class ObservationEncoder:
    """Encodes both players' observations on one layout from the public state.

    Args:
        layout: the kitchen: its layout, or the name or the file of that.
        fast: whether to compute with compiled kernels.
    """

    def __init__(self, layout: str | Path | Layout, *, fast: bool = False) -> None:
        layout = Layout.load(layout)
        self._grid, self._width = grid_of(layout), layout.width
        self._observe = maybe_compiled(encode_observation, fast=fast)
        self._scratch = np.empty((2, N_SKILLS), np.int32)
        self._size = observation_size(self._grid)

    def of(self, state: StateVector) -> Float32Array:
        """Returns the observations of players 0 and 1, (2, size)."""
        encoded = np.empty((2, self._size), np.float32)
        self._observe(self._grid, state, self._width, self._scratch, encoded)
        return encoded


def feasible_mask(encoded: Float32Array) -> Mask:
    """Returns the feasible skills, (27,), of the player with this observation.

    An observation contains the proximity of each skill, 0 for an infeasible one.
    """
    mask: Mask = encoded[REACH : REACH + N_SKILLS] > 0
    return mask
