"""Small networks as kernels: dense layers with rectified linear units between them.

Sums run over the inputs in order, so that every processor and every number of workers computes the same numbers; the
units compare and multiply only, since libraries disagree in the last digit of a hyperbolic tangent.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen.layout import Layout
from bba.kitchen.observation import Float32Array

Layer = tuple[Float32Array, Float32Array]  # weight (outputs, inputs) and bias (outputs,)
Layers = tuple[Layer, ...]

PROBABILITY_PARTS = (
    1 << 24
)  # a probability is a whole number of these parts, so that the last digit of exp does not matter


@dataclass(frozen=True, slots=True, eq=False)
class PlanningNetworks:
    """The networks on one layout.

    Attributes:
        layout: the kitchen.
        behaviour: from a cook's observation, followed by the other cook's skill (one-hot, 27; all 0 if it is not
            known), to one logit per skill.
        value: from player 0's observation to the discounted reward that is still to come, in units of `value_scale`.
        discount: per step, with which the value was learned.
        value_scale: points.
    """

    layout: Layout
    behaviour: Layers
    value: Layers
    discount: float
    value_scale: float


class Network(NamedTuple):
    """A network of two hidden layers as kernels read it: weights are (inputs, outputs), float32."""

    weight0: Float32Array
    bias0: Float32Array
    weight1: Float32Array
    bias1: Float32Array
    weight2: Float32Array
    bias2: Float32Array

    @classmethod
    def of(cls, layers: Layers) -> "Network":
        """Returns the network of three layers, each given by its weight (outputs, inputs) and bias (outputs,)."""
        arrays = (np.ascontiguousarray(part, np.float32) for weight, bias in layers for part in (weight.T, bias))
        return cls(*arrays)


class NetworkBuffers(NamedTuple):
    """Room for the hidden units of a network and for its outputs, float32."""

    hidden0: Float32Array
    hidden1: Float32Array
    outputs: Float32Array

    @classmethod
    def of(cls, network: Network) -> "NetworkBuffers":
        """Returns buffers of the sizes that a network needs."""
        return cls(*(np.zeros(len(bias), np.float32) for bias in (network.bias0, network.bias1, network.bias2)))


@kernel
def evaluate_network(network: Network, inputs: Float32Array, mark: int, buffers: NetworkBuffers) -> None:
    """Writes the outputs of a network to `buffers.outputs`.

    Inputs beyond those given are 0, but for the one that is numbered `mark` behind them, which is 1; −1 for none.
    """
    add_layer(network.weight0, network.bias0, inputs, buffers.hidden0)
    if mark >= 0:
        for j in range(len(buffers.hidden0)):
            buffers.hidden0[j] += network.weight0[len(inputs) + mark, j]
    add_layer(network.weight1, network.bias1, buffers.hidden0, buffers.hidden1)
    add_layer(network.weight2, network.bias2, buffers.hidden1, buffers.outputs)


@kernel
def add_layer(weight: Float32Array, bias: Float32Array, inputs: Float32Array, outputs: Float32Array) -> None:
    """Writes a dense layer's outputs; only inputs above 0 count: hidden units below are off, observations never are."""
    for j in range(len(outputs)):
        outputs[j] = bias[j]
    for i in range(len(inputs)):
        x = inputs[i]
        if x > 0:
            for j in range(len(outputs)):
                outputs[j] += x * weight[i, j]


@kernel
def choice_parts(logits: Float32Array, feasible: NDArray[np.bool_], parts: NDArray[np.int64]) -> int:
    """Writes each feasible choice's probability in `PARTS` of the likeliest one's, 0 if infeasible. Returns the sum."""
    highest = np.float32(-1e30)
    for i in range(len(parts)):
        if feasible[i] and logits[i] > highest:
            highest = logits[i]
    total = 0
    for i in range(len(parts)):
        parts[i] = int(np.exp(np.float64(logits[i] - highest)) * PROBABILITY_PARTS + 0.5) if feasible[i] else 0
        total += parts[i]
    return total


@kernel
def draw_choice(parts: NDArray[np.int64], total: int, random: int) -> int:
    """Returns the choice that a uniform whole number in [0, 2^32) draws."""
    left = random * total >> 32
    for i in range(len(parts)):
        left -= parts[i]
        if left < 0:
            return i
    return len(parts) - 1
