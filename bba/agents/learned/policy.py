"""The computation of a learned policy: dense layers, and a choice among the feasible skills."""

import numpy as np
from numpy.typing import NDArray

from bba.kitchen.observation import Float32Array

Layer = tuple[Float32Array, Float32Array]  # weight (outputs, inputs) and bias (outputs,)
Layers = tuple[Layer, ...]
Mask = NDArray[np.bool_]


def forward(layers: Layers, inputs: Float32Array) -> Float32Array:
    """Returns the network's outputs: tanh between layers, none after the last.

    Args:
        layers: from the first to the last.
        inputs: of one observation (inputs,) or of many (n, inputs).

    Returns:
        The outputs, (outputs,) or (n, outputs).
    """
    *hidden, (weight, bias) = layers
    for inner, offset in hidden:
        inputs = np.tanh(inputs @ inner.T + offset)
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
    cumulative = np.cumsum(probabilities, dtype=np.float64)
    return int(np.searchsorted(cumulative, uniform * cumulative[-1], side="right"))
