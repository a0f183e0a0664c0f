"""What a learned policy computes: a network of a few dense layers, and the choice among what is feasible."""

import numpy as np
from numpy.typing import NDArray

from bba.kitchen.observation import Float32Array

Layer = tuple[Float32Array, Float32Array]  # weight (outputs, inputs) and bias (outputs,)
Layers = tuple[Layer, ...]
Mask = NDArray[np.bool_]


def forward(layers: Layers, inputs: Float32Array) -> Float32Array:
    """The network's outputs: tanh between layers, none after the last.

    Args:
        layers: from the first to the last.
        inputs: of one observation (inputs,) or of many (n, inputs).

    Returns:
        As many rows of outputs, (outputs,) or (n, outputs).
    """
    *hidden, (weight, bias) = layers
    for inner, offset in hidden:
        inputs = np.tanh(inputs @ inner.T + offset)
    outputs: Float32Array = inputs @ weight.T + bias
    return outputs


def masked_softmax(logits: Float32Array, mask: Mask) -> Float32Array:
    """Probabilities over the last axis: 0 where the mask is False, of which at least one a row must be True."""
    allowed = np.where(mask, logits, -np.inf)
    powers: Float32Array = np.exp(allowed - allowed.max(axis=-1, keepdims=True))
    probabilities: Float32Array = powers / powers.sum(axis=-1, keepdims=True)
    return probabilities


def sample_index(probabilities: Float32Array, uniform: float) -> int:
    """The choice that a number in [0, 1) falls on, never one of probability 0; `probabilities` (n,)."""
    reached = np.cumsum(probabilities, dtype=np.float64)
    return int(np.searchsorted(reached, uniform * reached[-1], side="right"))
