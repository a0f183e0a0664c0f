"""The Bayesian filter over the partner's hypotheses Ψ (preprint, belief).

    prior           b(ψ)   = (C(ψ) + α) / Σ (C + α)          C: the partner's completed skills this episode
    correction      b_t(ψ) ∝ L_{t−1}(ψ) · b_{t−1}(ψ)         L: bba.belief.likelihood; b_t(ψ) ≥ floor / |Ψ|
    MAP             ψ̂_t    = argmax b_t
    stable updates  u      = 1 + [ψ̂_t = ψ̂_{t−1}] · u         1 when a segment begins; prompts call it commitment
    contradiction   ℓ_t    = Π relative L(ψ̂_{t−1})            over the last k actions, fewer in a younger segment

When the partner visibly completes a skill of hypothesis ψ, C(ψ) grows by one (not for fire handling), b becomes the
prior, and a new segment begins. Right away a hypothesis without a feasible skill in the new state is multiplied by ε/6,
any other by the mean weight of its feasible skills, and b is normalised.

The reading `preprint` has none of what is ours: no floor, no factor at the start of a segment (`infeasible` "kept"),
and ℓ_t = Π L(ψ̂_{t−1}) (`contradiction_factors` "absolute"). With `posterior_actions` "window" b_t is the first belief
of the segment times the likelihoods of its last k actions.

Two options extend this (ours, docs/understand/belief.md). With a behaviour model, the prior is what it expects of a
partner that chooses a skill now, instead of what the partner has completed so far. With a hazard h, a partner may drop
its skill at any step: b_t ← (1 − h) · b_t + h · prior.

With a belief over who the partner is (`bba.belief.partner_types`) b_t is that one, as a belief over the hypotheses.

Each update reads two consecutive public states. The filter knows nothing else about the partner.
"""

from typing import NamedTuple

import numpy as np
from typing_extensions import deprecated

from bba.belief.likelihood import (
    ABSOLUTE,
    BELIEF_FLOOR,
    HAZARD,
    KEEPS_INFEASIBLE,
    LAST_ACTIONS,
    Scratch,
    StayModel,
    exclude_infeasible,
    likelihoods,
    new_scratch,
    normalise,
)
from bba.belief.reading import (
    CONFIDENCE_NOW,
    CONTRADICTION,
    FACTORS,
    LISTS,
    MAP_NOW,
    NEW_SEGMENT,
    PRIOR_CONFIDENCE,
    PRIOR_MAP,
    PRIOR_STABLE_UPDATES,
    STABLE_UPDATES_NOW,
)
from bba.belief.roles import HypothesisSpace
from bba.config import FilterConfig
from bba.errors import BBAError
from bba.kernels import kernel
from bba.kitchen import COMPLETED, EVENT, Float64Array, Grid, Int32Array, Int64Array, StateVector

MAP, STABLE_UPDATES, UPDATES = range(3)


class BeliefUpdate(NamedTuple):
    """The result of one update: what the gate judges, and the belief after it. Hypotheses by number.

    Attributes:
        prior_map: ψ̂_{t−1}, the MAP before the new action entered the belief.
        prior_confidence: its probability then, 0 to 1.
        prior_stable_updates: u then.
        contradiction_likelihood: ℓ_t, for the prior MAP.
        likelihood_ratios: the factors of ℓ_t: the relative likelihoods of the segment's last actions, at most k, oldest
            first; the likelihoods themselves with `contradiction_factors` "absolute".
        posterior: b_t, (|Ψ|,), sums to 1.
        map_index: ψ̂_t.
        stable_updates: u of ψ̂_t, 1 or more: how many beliefs in a row have had this MAP; the `commitment` of prompts
            and stored files.
        new_segment: whether the action completed a skill, so that a segment begins.
        relative_likelihoods: those of the partner's last action under every hypothesis, (|Ψ|,); () before any action.
        locked: the probability that the partner is locked in its role; None if the belief is not over that.
        by_propensity: the probability that it knows no roles and chooses by propensities of its own; None likewise.
        seldom, often: the skills that such a partner surely chooses less than half, or more than twice, as often as
            others like it; () where that is unlikely.
    """

    prior_map: int
    prior_confidence: float
    prior_stable_updates: int
    contradiction_likelihood: float
    likelihood_ratios: tuple[float, ...]
    posterior: tuple[float, ...]
    map_index: int
    stable_updates: int
    new_segment: bool
    relative_likelihoods: tuple[float, ...] = ()
    locked: float | None = None
    by_propensity: float | None = None
    seldom: tuple[int, ...] = ()
    often: tuple[int, ...] = ()

    @property
    def confidence(self) -> float:
        """The probability of the MAP."""
        return self.posterior[self.map_index]

    @property
    @deprecated("commitment is stable_updates now; the old name goes with the next release")
    def commitment(self) -> int:
        """The old name of `stable_updates`."""
        return self.stable_updates

    @property
    @deprecated("prior_commitment is prior_stable_updates now; the old name goes with the next release")
    def prior_commitment(self) -> int:
        """The old name of `prior_stable_updates`."""
        return self.prior_stable_updates


class FilterState(NamedTuple):
    """The arrays of a filter, of which the kernels update all but the first two; H hypotheses, window k."""

    hypothesis_of_skill: Int32Array  # (27,)
    params: Float64Array  # (10,) in the order that `bba.belief.likelihood` names
    posterior: Float64Array  # (H,)
    counts: Float64Array  # (H,) completed partner skills plus α
    segment_prior: Float64Array  # (H,) the belief at the start of the segment
    last_likelihoods: Float64Array  # (k, H) likelihoods of the segment's last actions, a ring buffer
    likelihood_ratios: Float64Array  # (k, H) their relative likelihoods, likewise
    counters: Int64Array  # MAP, u, updates in this segment
    contradiction: Float64Array  # (1 + k,) ℓ and its factors, oldest first, of the MAP before the update
    scratch: Scratch


@kernel
def read_filter(
    grid: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    expected: Float64Array,
    state: FilterState,
    reading: Float64Array,
) -> None:
    """Updates `state` as `update_filter` does, and writes what it was and is to `reading`."""
    size = len(state.posterior)
    window = len(state.likelihood_ratios)
    prior_map = state.counters[MAP]
    updates = state.counters[UPDATES]
    count = min(updates + 1, window)
    reading[PRIOR_MAP], reading[PRIOR_CONFIDENCE] = prior_map, state.posterior[prior_map]
    reading[PRIOR_STABLE_UPDATES], reading[FACTORS] = state.counters[STABLE_UPDATES], count
    reading[NEW_SEGMENT] = update_filter(grid, before, after, p, expected, state)
    reading[CONTRADICTION] = state.contradiction[0]
    reading[MAP_NOW], reading[STABLE_UPDATES_NOW] = state.counters[MAP], state.counters[STABLE_UPDATES]
    reading[CONFIDENCE_NOW] = state.posterior[state.counters[MAP]]
    for hypothesis in range(size):
        reading[LISTS + hypothesis] = state.posterior[hypothesis]
        reading[LISTS + size + hypothesis] = state.likelihood_ratios[updates % window, hypothesis]
    for factor in range(count):
        reading[LISTS + 2 * size + factor] = state.contradiction[1 + factor]


@kernel
def update_filter(
    grid: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    expected: Float64Array,
    state: FilterState,
) -> bool:
    """Updates `state` with player p's action between two states. Returns whether the action completed a skill.

    `expected` is the behaviour model's prior (H,) after the action; empty without a model.
    """
    scratch, likelihood = state.scratch, state.scratch.likelihood
    hypothesis_of_skill = state.hypothesis_of_skill
    params = state.params
    window = len(state.likelihood_ratios)
    prior_map = state.counters[MAP]
    updates = state.counters[UPDATES]
    relative_likelihood = state.likelihood_ratios[updates % window]
    likelihoods(grid, before, after, p, hypothesis_of_skill, params, scratch, relative_likelihood)
    if params[LAST_ACTIONS] != 0.0:
        forget_all_but_last(state, updates)
    for hypothesis in range(len(likelihood)):
        state.posterior[hypothesis] *= likelihood[hypothesis]
        state.last_likelihoods[updates % window, hypothesis] = likelihood[hypothesis]
    contradiction_score(state, prior_map, updates + 1)
    normalise_with_floor(state.posterior, params)
    if params[HAZARD] > 0.0:
        mix_prior(state, expected, params[HAZARD])
    best = np.argmax(state.posterior)
    state.counters[STABLE_UPDATES] = state.counters[STABLE_UPDATES] + 1 if best == prior_map else 1
    state.counters[UPDATES] = updates + 1
    state.counters[MAP] = best
    if not after[COMPLETED + p]:
        return False
    completed = hypothesis_of_skill[after[EVENT + p]]
    if completed >= 0:
        state.counts[completed] += 1.0
    start_segment(state)
    if len(expected):
        for hypothesis in range(len(expected)):
            state.posterior[hypothesis] = expected[hypothesis]
    elif params[KEEPS_INFEASIBLE] == 0.0:
        exclude_infeasible(grid, after, p, hypothesis_of_skill, params, scratch, state.posterior)
    state.counters[MAP] = np.argmax(state.posterior)
    for hypothesis in range(len(state.posterior)):
        state.segment_prior[hypothesis] = state.posterior[hypothesis]
    return True


@kernel
def forget_all_but_last(state: FilterState, updates: int) -> None:
    """Sets the belief to that after the segment's last k − 1 actions alone, of the `updates` before the present one."""
    window = len(state.last_likelihoods)
    count = min(updates, window - 1)
    for hypothesis in range(len(state.posterior)):
        state.posterior[hypothesis] = state.segment_prior[hypothesis]
    for i in range(count):
        for hypothesis in range(len(state.posterior)):
            state.posterior[hypothesis] *= state.last_likelihoods[(updates - count + i) % window, hypothesis]
        normalise(state.posterior)  # many small factors would become 0


@kernel
def mix_prior(state: FilterState, expected: Float64Array, hazard: float) -> None:
    """Moves the share `hazard` of the belief to the prior."""
    total = state.counts.sum()
    for hypothesis in range(len(state.posterior)):
        prior = expected[hypothesis] if len(expected) else state.counts[hypothesis] / total
        state.posterior[hypothesis] = (1.0 - hazard) * state.posterior[hypothesis] + hazard * prior


@kernel
def contradiction_score(state: FilterState, prior_map: int, updates: int) -> None:
    """Writes ℓ and its factors for hypothesis `prior_map` to `state.contradiction`.

    `updates` is the number of updates in this segment, the present one included.
    """
    window = len(state.likelihood_ratios)
    count = min(updates, window)
    absolute = state.params[ABSOLUTE] != 0.0
    state.contradiction[0] = 1.0
    for i in range(count):
        place = (updates - count + i) % window
        factor = state.last_likelihoods[place, prior_map] if absolute else state.likelihood_ratios[place, prior_map]
        state.contradiction[0] *= factor
        state.contradiction[1 + i] = factor


@kernel
def normalise_with_floor(belief: Float64Array, params: Float64Array) -> None:
    """Normalises a belief (H,), lifts every hypothesis to floor / H, and normalises again."""
    normalise(belief)
    least = params[BELIEF_FLOOR] / len(belief)
    for hypothesis in range(len(belief)):
        if belief[hypothesis] < least:
            belief[hypothesis] = least
    normalise(belief)


@kernel
def start_segment(state: FilterState) -> None:
    """Sets the belief to the prior; actions before this step no longer enter ℓ."""
    total = state.counts.sum()
    for hypothesis in range(len(state.posterior)):
        state.posterior[hypothesis] = state.counts[hypothesis] / total
    state.counters[MAP] = np.argmax(state.posterior)
    state.counters[STABLE_UPDATES] = 1
    state.counters[UPDATES] = 0


def new_filter(hypotheses: HypothesisSpace, config: FilterConfig, stay_model: StayModel) -> FilterState:
    """Returns a filter at the start of an episode; `stay_model` is how to read that the partner stays where it is."""
    size = len(hypotheses.names)
    state = FilterState(
        hypothesis_of_skill=hypotheses.hypothesis_of_skill,
        params=filter_params(config, stay_model),
        posterior=np.empty(size),
        counts=np.full(size, config.alpha, np.float64),
        segment_prior=np.empty(size),
        last_likelihoods=np.ones((config.window, size)),
        likelihood_ratios=np.ones((config.window, size)),
        counters=np.zeros(3, np.int64),
        contradiction=np.ones(1 + config.window),
        scratch=new_scratch(size),
    )
    start_segment(state)
    state.segment_prior[:] = state.posterior
    return state


def with_config(state: FilterState, before: FilterConfig, config: FilterConfig, stay_model: StayModel) -> FilterState:
    """Returns a filter with other parameters than those `before`; belief and counts C stay.

    Raises:
        BBAError: Ψ would change.
    """
    if config.psi != before.psi:
        raise BBAError(f"psi: a belief over {before.psi} cannot go on over {config.psi}")
    updates = int(state.counters[UPDATES])
    last_likelihoods = np.ones((config.window, len(state.posterior)))
    likelihood_ratios = np.ones_like(last_likelihoods)
    for update in range(max(0, updates - min(config.window, before.window)), updates):
        last_likelihoods[update % config.window] = state.last_likelihoods[update % before.window]
        likelihood_ratios[update % config.window] = state.likelihood_ratios[update % before.window]
    return state._replace(
        params=filter_params(config, stay_model),
        last_likelihoods=last_likelihoods,
        likelihood_ratios=likelihood_ratios,
        counts=state.counts + (config.alpha - before.alpha),
        contradiction=np.ones(1 + config.window),
    )


def first_belief(state: FilterState, expected: Float64Array) -> BeliefUpdate:
    """Returns the belief before any action: the prior, which is what a behaviour model expects if there is one."""
    if len(expected):
        state.posterior[:] = expected
        state.segment_prior[:] = expected
        state.counters[MAP] = np.argmax(expected)
    best = int(state.counters[MAP])
    posterior = tuple(state.posterior.tolist())
    return BeliefUpdate(best, posterior[best], 1, 1.0, (), posterior, best, 1, new_segment=True)


def belief_update(reading: list[float], hypotheses: int) -> BeliefUpdate:
    """Returns the belief in a reading."""
    relative = LISTS + hypotheses
    factors = LISTS + 2 * hypotheses
    return BeliefUpdate(
        int(reading[PRIOR_MAP]),
        reading[PRIOR_CONFIDENCE],
        int(reading[PRIOR_STABLE_UPDATES]),
        reading[CONTRADICTION],
        tuple(reading[factors : factors + int(reading[FACTORS])]),
        tuple(reading[LISTS:relative]),
        int(reading[MAP_NOW]),
        int(reading[STABLE_UPDATES_NOW]),
        reading[NEW_SEGMENT] != 0.0,
        tuple(reading[relative:factors]),
    )


def filter_params(config: FilterConfig, stay_model: StayModel) -> Float64Array:
    """The parameters as the kernels take them: (10,), in the order that `bba.belief.likelihood` names."""
    return np.array(
        [
            config.epsilon,
            config.support_weight,
            config.likelihood_scale,
            float(stay_model),
            config.floor,
            1.0 if config.over_types else config.hazard,  # the belief is the one over types, in every step
            config.support_as == "exponent",
            config.infeasible == "kept",
            config.posterior_actions == "window",
            config.contradiction_factors == "absolute",
        ],
        np.float64,
    )
