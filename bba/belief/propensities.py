"""What one partner tends to do and what it refuses: a belief over the propensities of its skills.

A network knows how the partners of a population choose on average, p₀(s | state). One of them chooses

    p(s | state, e) ∝ p₀(s | state) · exp(e_s)

with log-propensities e, (27,), of its own. Before anything is seen e_s ~ N(0, σ²_s), where σ², (27,), is learned from
the population. Each choice y of the partner, of weight w ≤ `CREDIT`, moves the Gaussian belief N(μ, Λ⁻¹) by one Newton
step (online Laplace, or an extended Kalman filter of a multinomial logit):

    Λ ← Λ + w (diag q − q qᵀ)        μ ← μ + w Λ⁻¹ (y − q)        q: what was expected, the mean over samples of e

A skill that is done as often as expected says little; one that was likely at every choice and never chosen has its
propensity fall with each of them, however seldom the partner completes anything: a refusal.

What a partner chose is hidden until it completes a skill, which is then its choice in the state where it probably
began. Waiting lasts one step and is a choice in each: it counts by the probability that the partner waits.
"""

from copy import copy, deepcopy
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from bba.kernels import kernel, maybe_compiled, outlined_kernel
from bba.kitchen import N_SKILLS, NO_SKILL, SKILL_STAY, Float32Array, Float64Array, Int64Array

WEIGHTS = 1 << 20  # the weight of a choice is a whole number of parts of this
CREDIT = 0.7  # the weight of a choice that was seen: with 1 the belief is surer than it is right, by 0.03 on average
CERTAIN = 1e12  # the precision of log-propensities that are known
SAMPLES = 32  # of e, of which each has its opposite: together they have the mean μ
SAMPLE_SEED = 0
SELDOM, OFTEN = np.log(0.5), np.log(2)  # log-propensities from which a skill is said to be a habit
SURE = 0.9  # the share of the samples that have to say so
LEAST_SHARE = 1e-3  # of a choice, that is taken in


@dataclass(frozen=True, slots=True, eq=False)
class PopulationNetwork:
    """How the partners of a population choose, or, to an oracle, how one partner does.

    Attributes:
        layers: p₀, from a cook's observation to one logit per skill: three, each (weight, bias).
        variance: σ² of a partner's log-propensities, (27,), above 0.
        tanh: whether hyperbolic tangents are between the layers; else rectifiers.
    """

    layers: tuple[tuple[Float32Array, Float32Array], ...]
    variance: Float32Array
    tanh: bool = False


class PropensityState(NamedTuple):
    """The arrays of a belief over propensities.

    Attributes:
        mean: μ, (27,).
        precision: Λ, (27, 27).
        begun: what was expected where the running skill was probably chosen, (27,), sums to 1.
        last: what was expected in the last state, (27,), sums to 1.
        normals: standard normal numbers, (SAMPLES, 27), of which the second half are the first with the other sign.
        weights: exp e of each sample, in parts of `WEIGHTS`, its greatest one, (SAMPLES, 27).
            habits: how many samples have a log-propensity below `SELDOM`, and above `OFTEN`, (2, 27).
        lower: room for the Cholesky factor of Λ, (27, 27).
        room: room for a vector, (27,).
    """

    mean: Float64Array
    precision: Float64Array
    begun: Float64Array
    last: Float64Array
    normals: Float64Array
    weights: Int64Array
    habits: Int64Array
    lower: Float64Array
    room: Float64Array


@outlined_kernel
def factorise(matrix: Float64Array, lower: Float64Array) -> None:
    """Writes L, lower triangular with L Lᵀ = the positive definite matrix, to `lower`; what is above it stays.

    It is written out, as are the two solutions: libraries of linear algebra add in an order that depends on the
    processor, and a decision must not.
    """
    for i in range(len(matrix)):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            lower[i, j] = np.sqrt(total) if i == j else total / lower[j, j]


@kernel
def solve_lower(lower: Float64Array, vector: Float64Array) -> None:
    """Replaces v by L⁻¹ v."""
    for i in range(len(vector)):
        total = vector[i]
        for k in range(i):
            total -= lower[i, k] * vector[k]
        vector[i] = total / lower[i, i]


@kernel
def solve_upper(lower: Float64Array, vector: Float64Array) -> None:
    """Replaces v by (Lᵀ)⁻¹ v."""
    for i in range(len(vector) - 1, -1, -1):
        total = vector[i]
        for k in range(i + 1, len(vector)):
            total -= lower[k, i] * vector[k]
        vector[i] = total / lower[i, i]


@outlined_kernel
def take_choice(state: PropensityState, skill: int, expected: Float64Array, share: float) -> None:
    """Takes in a choice of a skill, made with a probability from 0 to 1, where `expected`, (27,), was expected."""
    weight = CREDIT * share
    for i in range(N_SKILLS):
        for j in range(N_SKILLS):
            state.precision[i, j] -= weight * expected[i] * expected[j]
        state.precision[i, i] += weight * expected[i]
        state.room[i] = -expected[i]
    state.room[skill] += 1.0
    factorise(state.precision, state.lower)
    solve_lower(state.lower, state.room)
    solve_upper(state.lower, state.room)
    for i in range(N_SKILLS):
        state.mean[i] += weight * state.room[i]


@outlined_kernel
def draw_weights(state: PropensityState) -> None:
    """Draws the samples anew: e = μ + (Lᵀ)⁻¹ z."""
    factorise(state.precision, state.lower)
    state.habits[:] = 0
    for number in range(len(state.normals)):
        for i in range(N_SKILLS):
            state.room[i] = state.normals[number, i]
        solve_upper(state.lower, state.room)
        highest = -np.inf
        for i in range(N_SKILLS):
            state.room[i] += state.mean[i]
            highest = max(highest, state.room[i])
            state.habits[0, i] += state.room[i] < SELDOM
            state.habits[1, i] += state.room[i] > OFTEN
        for i in range(N_SKILLS):
            state.weights[number, i] = max(1, int(np.exp(state.room[i] - highest) * WEIGHTS + 0.5))


@outlined_kernel
def observe_choices(state: PropensityState, running: Float64Array, completed: int, expected: Float64Array) -> None:
    """Takes in one step.

    Args:
        state: the belief.
        running: the probability of each skill to have run in the step, (27,), sums to 1.
        completed: the skill that was completed in it; NO_SKILL for none.
        expected: what is expected of a choice in the state after it, (27,), sums to 1.
    """
    waited = running[SKILL_STAY]
    if completed != NO_SKILL:
        take_choice(state, completed, state.begun, 1.0)
        waited = 1.0  # it chooses anew
    elif waited > LEAST_SHARE:
        take_choice(state, SKILL_STAY, state.last, waited)
    for i in range(N_SKILLS):
        state.begun[i] += waited * (expected[i] - state.begun[i])
        state.last[i] = expected[i]
    draw_weights(state)


class PropensityBelief:
    """The belief over the propensities of one partner in one episode.

    Args:
        population: whose partner it is.
        fast: whether to compute with compiled kernels.

    Attributes:
        population: that.
    """

    def __init__(self, population: PopulationNetwork, *, fast: bool) -> None:
        self.population = population
        half = np.random.default_rng(SAMPLE_SEED).standard_normal((SAMPLES // 2, N_SKILLS))
        self._state = PropensityState(
            mean=np.zeros(N_SKILLS),
            precision=np.diag(1 / population.variance.astype(np.float64)),
            begun=np.zeros(N_SKILLS),
            last=np.zeros(N_SKILLS),
            normals=np.concatenate([half, -half]),
            weights=np.zeros((SAMPLES, N_SKILLS), np.int64),
            habits=np.zeros((2, N_SKILLS), np.int64),
            lower=np.zeros((N_SKILLS, N_SKILLS)),
            room=np.zeros(N_SKILLS),
        )
        self._observe = maybe_compiled(observe_choices, fast=fast)
        self._draw = maybe_compiled(draw_weights, fast=fast)
        self._draw(self._state)

    @property
    def weights(self) -> Int64Array:
        """The propensities of each sample, (32, 27), in parts of `WEIGHTS`, which its greatest one is."""
        return self._state.weights

    @property
    def seldom(self) -> tuple[int, ...]:
        """The skills that the partner surely chooses less than half as often as such partners do, by number."""
        return self._habits(0)

    @property
    def often(self) -> tuple[int, ...]:
        """The skills that it surely chooses more than twice as often, by number."""
        return self._habits(1)

    def _habits(self, kind: int) -> tuple[int, ...]:
        return tuple(np.flatnonzero(self._state.habits[kind] >= SURE * SAMPLES).tolist())

    @property
    def mean(self) -> Float64Array:
        """μ, the expected log-propensities, (27,)."""
        return self._state.mean.copy()

    @property
    def covariance(self) -> Float64Array:
        """Λ⁻¹, (27, 27)."""
        covariance: Float64Array = np.linalg.inv(self._state.precision).astype(np.float64)
        return covariance

    def begin(self, expected: Float64Array) -> None:
        """Begins the episode: `expected`, (27,), is what is expected of a choice in the first state."""
        self._state.begun[:] = expected
        self._state.last[:] = expected

    def observe(self, running: Float64Array, completed: int, expected: Float64Array) -> None:
        """Takes in one step, as `observe_choices`."""
        self._observe(self._state, running, completed, expected)

    def know(self, propensities: Float64Array) -> None:
        """Makes it certain of these log-propensities, (27,), as an oracle does; nothing moves them any more."""
        self._state.mean[:] = propensities
        self._state.precision[:] = np.eye(N_SKILLS) * CERTAIN
        self._draw(self._state)

    def copy(self) -> Self:
        """Returns an independent copy."""
        clone = copy(self)
        clone._state = deepcopy(self._state)
        return clone
