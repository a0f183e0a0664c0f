"""Small networks: dense layers as kernels, between them rectified linear units or hyperbolic tangents.

Sums run over the inputs in order, so that every processor and every number of workers computes the same numbers. The
networks of futures have rectified linear units, which compare and multiply only, since libraries disagree in the last
digit of a hyperbolic tangent.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bba.belief.propensities import PopulationNetwork
from bba.kernels import disjoint, kernel, outlined_kernel
from bba.kitchen import BoolArray, Float32Array, Int32Array, Int64Array, Layout

Layer = tuple[Float32Array, Float32Array]  # weight (outputs, inputs) and bias (outputs,)
Layers = tuple[Layer, ...]

# A probability is a whole number of these parts, so that the last digit of exp does not matter.
PROBABILITY_PARTS = 1 << 24


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
        population: of partners; None for none.
    """

    layout: Layout
    behaviour: Layers
    value: Layers
    discount: float
    value_scale: float
    population: PopulationNetwork | None = None


class Network(NamedTuple):
    """A network of two hidden layers as kernels read it: weights are (inputs, outputs), float32, in cache lines.

    Between its layers are hyperbolic tangents (`tanh`) or rectifiers.
    """

    weight0: Float32Array
    bias0: Float32Array
    weight1: Float32Array
    bias1: Float32Array
    weight2: Float32Array
    bias2: Float32Array
    tanh: bool

    @classmethod
    def of(cls, layers: Layers, *, tanh: bool = False) -> "Network":
        """Returns the network of three layers, each given by its weight (outputs, inputs) and bias (outputs,)."""
        weights = [in_lines(weight.T) for weight, _ in layers]
        biases = [in_lines(bias) for _, bias in layers]
        return cls(weights[0], biases[0], weights[1], biases[1], weights[2], biases[2], tanh)


class NetworkBuffers(NamedTuple):
    """Room for the hidden units of a network, for its outputs, float32, and for the numbers of inputs that count."""

    hidden0: Float32Array
    hidden1: Float32Array
    outputs: Float32Array
    live: Int32Array

    @classmethod
    def of(cls, network: Network) -> "NetworkBuffers":
        """Returns buffers of the sizes that a network needs."""
        longest = max([len(part) for part in (network.weight0, network.weight1, network.weight2)])
        return cls(
            hidden0=in_lines(np.zeros_like(network.bias0)),
            hidden1=in_lines(np.zeros_like(network.bias1)),
            outputs=in_lines(np.zeros_like(network.bias2)),
            live=np.zeros(longest, np.int32),
        )


LINE = 16  # numbers, float32, in a cache line


def in_lines(numbers: Float32Array) -> Float32Array:
    """Returns a copy, float32, filled up by 0 to whole cache lines, in rows and columns.

    Numbers that lie across two lines take twice as long to read.
    """
    shape = tuple([length + -length % LINE for length in numbers.shape])
    size = math.prod(shape)
    room = np.zeros(size + LINE, np.float32)
    begin = -(room.ctypes.data // room.itemsize) % LINE
    lines: Float32Array = room[begin : begin + size].reshape(shape)
    inside = tuple([slice(length) for length in numbers.shape])
    lines[inside] = numbers
    return lines


@kernel
def evaluate_network(network: Network, inputs: Float32Array, mark: int, buffers: NetworkBuffers) -> None:
    """Writes the outputs of a network to `buffers.outputs`.

    The network may have more inputs than `inputs` has numbers. These further inputs are 0, but for number `mark` among
    them, which is 1; −1 for none.
    """
    add_sparse_layer(network.weight0, network.bias0, inputs, buffers.live, buffers.hidden0)
    if mark >= 0:
        for j in range(len(buffers.hidden0)):
            buffers.hidden0[j] += network.weight0[len(inputs) + mark, j]
    activate(buffers.hidden0, network.tanh)
    add_layer(network.weight1, network.bias1, buffers.hidden0, buffers.hidden1)
    activate(buffers.hidden1, network.tanh)
    add_layer(network.weight2, network.bias2, buffers.hidden1, buffers.outputs)


@disjoint
@outlined_kernel
def add_sparse_layer(
    weight: Float32Array, bias: Float32Array, inputs: Float32Array, live: Int32Array, outputs: Float32Array
) -> None:
    """Writes a dense layer's outputs where most inputs are 0; `live` is room for the numbers of those that are not."""
    count = 0
    for i in range(len(inputs)):
        live[count] = i
        if inputs[i] != 0:
            count += 1
    for j in range(len(outputs)):
        outputs[j] = bias[j]
    for k in range(count % 4):
        for j in range(len(outputs)):
            outputs[j] += inputs[live[k]] * weight[live[k], j]
    for k in range(count % 4, count, 4):
        a = live[k]
        b = live[k + 1]
        c = live[k + 2]
        d = live[k + 3]
        for j in range(len(outputs)):
            outputs[j] = (
                outputs[j]
                + inputs[a] * weight[a, j]
                + inputs[b] * weight[b, j]
                + inputs[c] * weight[c, j]
                + inputs[d] * weight[d, j]
            )


@disjoint
@outlined_kernel
def add_layer(weight: Float32Array, bias: Float32Array, inputs: Float32Array, outputs: Float32Array) -> None:
    """Writes a dense layer's outputs, four inputs at a time; each output's sum runs over the inputs in order."""
    for j in range(len(outputs)):
        outputs[j] = bias[j]
    for i in range(len(inputs) % 4, len(inputs), 4):  # from 0: with a plain 0 compiled code is a tenth slower
        for j in range(len(outputs)):
            outputs[j] = (
                outputs[j]
                + inputs[i] * weight[i, j]
                + inputs[i + 1] * weight[i + 1, j]
                + inputs[i + 2] * weight[i + 2, j]
                + inputs[i + 3] * weight[i + 3, j]
            )


@kernel
def activate(units: Float32Array, tanh: bool) -> None:
    """Replaces hidden units by their hyperbolic tangents, or else those below 0 by 0."""
    for j in range(len(units)):
        units[j] = math.tanh(units[j]) if tanh else max(units[j], np.float32(0))


@kernel
def choice_parts(logits: Float32Array, feasible: BoolArray, parts: Int64Array) -> int:
    """Writes each feasible choice's probability in `PARTS` of the likeliest one's, 0 if infeasible. Returns the sum."""
    highest = np.float32(-1e30)
    for i in range(len(parts)):
        if feasible[i] and logits[i] > highest:
            highest = logits[i]
    total = 0
    for i in range(len(parts)):
        if feasible[i]:
            relative = np.exp(np.float64(logits[i] - highest))
            parts[i] = int(relative * PROBABILITY_PARTS + 0.5)
        else:
            parts[i] = 0
        total += parts[i]
    return total


@kernel
def draw_choice(parts: Int64Array, total: int, random: int) -> int:
    """Returns the choice that a uniform whole number in [0, 2^32) draws."""
    remaining = random * total >> 32
    for i in range(len(parts)):
        remaining -= parts[i]
        if remaining < 0:
            return i
    return len(parts) - 1
