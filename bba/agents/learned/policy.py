"""The computation of a learned policy: its observations, dense layers, a choice among the feasible skills, clusters.

A TALENTS policy has clusters of partners, and an online posterior over them from the partner's completed skills alone.
Each cluster predicts the partner's next completed skill: its mean latent and the partner's observation right after the
previous completion are decoded into probabilities of the skills that were feasible then. The loss is the cross-entropy
of the skill that was completed, to the base 27, so that a uniform guess among all skills loses 1.

Fixed share (Herbster and Warmuth, 1998) turns the losses into weights: it tracks which of several experts predicts
best, which may change. The regret of an expert is its loss minus the lowest loss, 1 at most. The sum of its regrets
decays, so that the distant past is forgotten. Its weight is exp(−η · sum), normalised; each expert keeps 1 − α of its
weight and gives α to the others in equal parts, so that no weight vanishes and an expert that becomes the best soon
leads.

In a kernel sums run in another order than NumPy's, so that their last digits differ. A choice that such digits could
decide (`UNCLEAR`) is left to NumPy: every game is the same, whoever draws. So is which cluster leads; its weight, which
is shown, NumPy computes when somebody looks.
"""

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from bba.kernels import kernel, maybe_compiled, outlined_kernel
from bba.kitchen import (
    COMPLETED,
    EVENT,
    N_SKILLS,
    NO_SKILL,
    REACH,
    STEP,
    BoolArray,
    Float32Array,
    Float64Array,
    Grid,
    Int32Array,
    Int64Array,
    Layout,
    StateVector,
    encode_observation,
    grid_of,
    hash_random,
    observation_size,
)
from bba.planner.rollout.networks import Network, NetworkBuffers, evaluate_network

Layer = tuple[Float32Array, Float32Array]  # weight (outputs, inputs) and bias (outputs,)
Layers = tuple[Layer, ...]
Mask = BoolArray
Activation = Callable[[Float32Array], Float32Array]
MAX_REGRET = 1.0  # of one prediction
FLOOR = 1e-6  # the probability of a skill that no cluster could predict because it was infeasible


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
    return inputs @ weight.T + bias


def masked_softmax(logits: Float32Array, mask: Mask) -> Float32Array:
    """Returns probabilities over the last axis, 0 where the mask is False; each row needs at least one True."""
    allowed = np.where(mask, logits, -np.inf)
    powers: Float32Array = np.exp(allowed - allowed.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


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
        self._grid = grid_of(layout)
        self._width = layout.width
        self._observe = maybe_compiled(encode_observation, fast=fast)
        self._scratch = np.empty((2, N_SKILLS), np.int32)
        self._size = observation_size(self._grid)

    def of(self, state: StateVector) -> Float32Array:
        """Returns the observations of players 0 and 1, (2, size)."""
        encoded = np.empty((2, self._size), np.float32)
        self._observe(self._grid, state, self._width, self._scratch, encoded)
        return encoded


def feasible_mask(encoded: Float32Array) -> Mask:
    """Returns the feasible skills, (…, 27), of the player with this observation, (size,), or of those with many.

    An observation contains the proximity of each skill, 0 for an infeasible one.
    """
    return encoded[..., REACH : REACH + N_SKILLS] > 0


KEY, CLUSTER, LEARNED_AT = range(3)  # positions in `PolicySampler.numbers`
NEVER = -1  # before the first step
UNCLEAR = 1e-4  # so near to the border of two skills, as a share of all, or of two regrets NumPy decides


class PolicySampler(NamedTuple):
    """A policy of three layers as a kernel draws skills from it, and room for that; K is 0 without clusters."""

    network: Network
    buffers: NetworkBuffers
    encoded: Float32Array  # (2, size) both players' observations
    scratch: Int32Array  # (2, 27)
    allowed: Int32Array  # (27,) not 0 for the skills from which is drawn
    powers: Float64Array  # (27,)
    numbers: Int64Array  # (3,) the key of the draws; the most likely cluster; the step it was learned at
    decoder: Network  # with an input for each cluster, in the place of a latent
    decoded: NetworkBuffers
    seen: Float32Array  # (2, size) both players' observations after the partner's last completed skill
    regrets: Float64Array  # (K,)
    losses: Float64Array  # (K,)
    decay: float

    @classmethod
    def of(cls, layers: Layers, size: int, key: int, clusters: "Clusters | None" = None) -> Self:
        """Returns the sampler of a policy.

        Args:
            layers: three.
            size: of an observation.
            key: of the draws.
            clusters: of partners, which `can_be_followed`.
        """
        network = Network.of(layers, tanh=True)
        numbers = np.array([key, -1, NEVER], np.int64)
        sampler = cls(
            network=network,
            buffers=NetworkBuffers.of(network),
            encoded=np.zeros((2, size), np.float32),
            scratch=np.zeros((2, N_SKILLS), np.int32),
            allowed=np.zeros(N_SKILLS, np.int32),
            powers=np.zeros(N_SKILLS),
            numbers=numbers,
            decoder=network,
            decoded=NetworkBuffers.of(network),
            seen=np.zeros((2, size), np.float32),
            regrets=np.zeros(0),
            losses=np.zeros(0),
            decay=1.0,
        )
        if clusters is None:
            return sampler
        (weight, bias), *rest = clusters.decoder
        by_cluster = np.concatenate([weight[:, :size], weight[:, size:] @ clusters.mean.T], axis=1)
        decoder = Network.of(((by_cluster, bias), *rest), tanh=True)
        regrets = np.zeros(len(clusters))
        losses = np.zeros(len(clusters))
        return sampler._replace(
            decoder=decoder,
            decoded=NetworkBuffers.of(decoder),
            regrets=regrets,
            losses=losses,
            decay=clusters.decay,
        )


@kernel
def allow_feasible(observed: Float32Array, allowed: Int32Array) -> None:
    """Allows the skills that a player with this observation can start."""
    for skill in range(N_SKILLS):
        allowed[skill] = 1 if observed[REACH + skill] > 0 else 0


@kernel
def policy_powers(allowed: Int32Array, logits: Float32Array, powers: Float64Array) -> float:
    """Writes what the probabilities of skills are proportional to, 0 where none is allowed. Returns the sum."""
    highest, total = -math.inf, 0.0
    for skill in range(N_SKILLS):
        if allowed[skill]:
            highest = max(highest, float(logits[skill]))
    for skill in range(N_SKILLS):
        powers[skill] = math.exp(float(logits[skill]) - highest) if allowed[skill] else 0.0
        total += powers[skill]
    return total


@outlined_kernel
def lead_is_unclear(grid: Grid, state: StateVector, partner: int, width: int, sampler: PolicySampler) -> bool:
    """Takes in the partner's completed skill; returns whether last digits would decide which cluster leads."""
    regrets, numbers, seen, done = sampler.regrets, sampler.numbers, sampler.seen[partner], state[EVENT + partner]
    least = lowest = second = math.inf
    allow_feasible(seen, sampler.allowed)
    for cluster in range(len(regrets)):
        evaluate_network(sampler.decoder, seen, cluster, sampler.decoded)
        total = policy_powers(sampler.allowed, sampler.decoded.outputs, sampler.powers)
        sampler.losses[cluster] = -math.log(max(sampler.powers[done] / total, FLOOR)) / math.log(N_SKILLS)
        least = min(least, sampler.losses[cluster])
    for cluster in range(len(regrets)):
        regrets[cluster] = sampler.decay * regrets[cluster] + min(sampler.losses[cluster] - least, MAX_REGRET)
        if regrets[cluster] < lowest:
            lowest, second, numbers[CLUSTER] = regrets[cluster], lowest, cluster
        else:
            second = min(second, regrets[cluster])
    encode_observation(grid, state, width, sampler.scratch, sampler.seen)
    numbers[LEARNED_AT] = state[STEP] if second - lowest > UNCLEAR else NEVER
    return bool(numbers[LEARNED_AT] == NEVER)


@outlined_kernel
def draw_skill(grid: Grid, state: StateVector, player: int, width: int, sampler: PolicySampler) -> int:
    """Returns the skill that a policy draws in a state; NO_SKILL if last digits would decide."""
    encode_observation(grid, state, width, sampler.scratch, sampler.encoded)
    allow_feasible(sampler.encoded[player], sampler.allowed)
    return draw_among(state, player, sampler)


@outlined_kernel
def draw_among(state: StateVector, player: int, sampler: PolicySampler) -> int:
    """Draws among the skills that are allowed, after the observation is encoded; as `draw_skill`."""
    powers = sampler.powers
    evaluate_network(sampler.network, sampler.encoded[player], sampler.numbers[CLUSTER], sampler.buffers)
    total = policy_powers(sampler.allowed, sampler.buffers.outputs, powers)
    random, below = hash_random(int(sampler.numbers[KEY]), int(state[STEP])) / 2**32 * total, 0.0
    for skill in range(N_SKILLS):
        above = below + powers[skill]
        if random < above:
            clear = below + UNCLEAR * total <= random < above - UNCLEAR * total
            return skill if clear else NO_SKILL
        below = above
    return NO_SKILL


def fixed_share(
    regrets: Float64Array, losses: ArrayLike, *, eta: float, alpha: float, decay: float
) -> tuple[Float64Array, Float64Array]:
    """Returns the decayed sums of regrets of K experts and their weights after one prediction, each (K,).

    Args:
        regrets: the sums before, (K,); zeros at first.
        losses: of each expert in this prediction, (K,), finite.
        eta: η, how strongly regret counts, above 0.
        alpha: α, the share that each expert gives to the others, above 0 and at most 1.
        decay: the factor on the regrets from one prediction to the next, above 0 and at most 1.
    """
    loss = np.asarray(losses, np.float64)
    regrets = decay * regrets + np.minimum(loss - loss.min(), MAX_REGRET)
    powers = np.exp(-eta * (regrets - regrets.min()))
    kept: Float64Array = powers / powers.sum()
    if len(kept) == 1:
        return regrets, kept
    return regrets, (1 - alpha) * kept + alpha * (1 - kept) / (len(kept) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The partner clusters of TALENTS: K clusters in a latent space of Z dimensions.

    Attributes:
        mean, std: of the latents in each cluster, (K, Z).
        decoder: from the partner's observation followed by a latent to one logit per skill.
        eta, alpha, decay: as in `fixed_share`.
    """

    mean: Float32Array
    std: Float32Array
    decoder: Layers
    eta: float
    alpha: float
    decay: float

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def can_be_followed(self) -> bool:
        """Whether a kernel can tell which leads: by regrets of which the least has clearly the highest weight."""
        return len(self.decoder) == len(Network._fields) // 2 and self.eta * (1 - 2 * self.alpha) > UNCLEAR


class ClusterPosterior:
    """The posterior over partner clusters in one episode, computed when somebody looks.

    Args:
        clusters: of partners, K.
        partner: the observed player, 0 or 1.
        encoder: encodes the partner's observations.
    """

    def __init__(self, clusters: Clusters, partner: int, encoder: ObservationEncoder) -> None:
        self._clusters = clusters
        self._partner = partner
        self._encoder = encoder
        self._regrets: Float64Array = np.zeros(len(clusters))
        self._seen: Float32Array | None = None  # both players' observations in the last state that was read
        self._unread = list[StateVector]()
        # Of the states that count: the first one, and those after a completed skill.
        self._steps = [NEVER]
        self._weights = [np.full(len(clusters), 1 / len(clusters))]

    def observe(self, states: StateVector) -> None:
        """Takes in states that follow one another, (n, S); those that are known already change nothing."""
        counts = states[:, COMPLETED + self._partner] != 0
        counts[0] |= self._steps[-1] == NEVER
        if counts.any():
            new_states = states[counts & (states[:, STEP] > self._steps[-1])]
            self._unread += list(new_states)
            self._steps += new_states[:, STEP].tolist()

    def weights_at(self, step: int) -> Float64Array:
        """Returns the weight of each cluster before the decision of a step, (K,), summing to 1."""
        for state in self._unread:
            weights = self._weights[-1]
            clusters = self._clusters
            if self._seen is not None:
                encoded = self._seen[self._partner]
                predictions = predicted_skills(clusters, encoded, feasible_mask(encoded))
                lost = losses(predictions, int(state[EVENT + self._partner]))
                self._regrets, weights = fixed_share(
                    self._regrets, lost, eta=clusters.eta, alpha=clusters.alpha, decay=clusters.decay
                )
            self._weights.append(weights)
            self._seen = self._encoder.of(state)
        self._unread.clear()
        return self._weights[bisect_right(self._steps, step) - 1]

    def tell(self, sampler: PolicySampler) -> None:
        """Tells a kernel that follows clusters what is known, unless it has learned that itself."""
        if not len(sampler.regrets) or sampler.numbers[LEARNED_AT] >= self._steps[-1]:
            return
        sampler.numbers[CLUSTER] = self.weights_at(self._steps[-1]).argmax()
        sampler.numbers[LEARNED_AT] = self._steps[-1]
        sampler.regrets[:] = self._regrets
        assert self._seen is not None  # in the state that was learned from
        sampler.seen[:] = self._seen


def predicted_skills(clusters: Clusters, encoded: Float32Array, mask: Mask) -> Float32Array:
    """Returns each cluster's probability of each skill, (K, 27).

    Args:
        clusters: of partners, K.
        encoded: the partner's observation, (size,).
        mask: its feasible skills, (27,).
    """
    inputs = np.concatenate([np.broadcast_to(encoded, (len(clusters), len(encoded))), clusters.mean], axis=1)
    return masked_softmax(forward(clusters.decoder, inputs), mask)


def losses(predicted: Float32Array, skill: int) -> Float64Array:
    """Returns the cross-entropy of a skill for each cluster, to the base 27, (K,), 0 or more; `predicted` (K, 27).

    In nats, the limit of 1 on a regret would cut off most of what one informative choice says.
    """
    return -np.log(np.maximum(predicted[:, skill].astype(np.float64), FLOOR)) / math.log(N_SKILLS)
