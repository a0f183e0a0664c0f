"""The Bayesian filter over what the partner is doing (preprint, belief).

    prior           b(ψ)   = (C(ψ) + α) / Σ (C + α)          C: the partner's completed skills this episode
    correction      b_t(ψ) ∝ L_{t−1}(ψ) · b_{t−1}(ψ)         L: bba.belief.likelihood; b_t(ψ) ≥ floor / |Ψ|
    completion      C(ψ) += 1 (not for fire handling), b = prior, and a new segment r begins; roles without a feasible
                    skill are ruled out at once (ε/6), since the state that the completion leads to shows that already
    commitment      u: consecutive updates with the same MAP; 0 at a new segment
    contradiction   ℓ_t    = Π relative L_l(ψ̂_{t−1}),  l from max(r, t−k) to t−1, with ψ̂_{t−1} = argmax b_{t−1}

The filter sees two consecutive public states a step and nothing else of the partner.
"""

from copy import copy, deepcopy
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bba.belief.likelihood import BELIEF_FLOOR, StayModel, Vector, exclude_infeasible, likelihoods
from bba.belief.roles import HypothesisSpace, hypothesis_space
from bba.errors import BBAError
from bba.kernels import kernel, maybe_compiled
from bba.kitchen.grid import Grid
from bba.kitchen.state import COMPLETED, EVENT, StateVector
from bba.limits import Alpha, Floor, OpenShare, Psi, Scale, Weight, Window

MAP, COMMITMENT, UPDATES = range(3)


@dataclass(frozen=True, slots=True)
class FilterConfig:
    """The filter's parameters, with the preprint's defaults.

    Attributes:
        psi: the hypotheses, "roles" (six) or "skills" (22).
        alpha: weight of the uniform prior, > 0.
        epsilon: how often any action may come, 0 < ε < 1.
        window: k, how many last actions the contradiction test looks at, ≥ 1.
        support_weight: weight of the likelihood of putting things down, which supports several skills at once.
        likelihood_scale: power to which every likelihood is raised, > 0.
        floor: the share of the belief that stays spread over all hypotheses, 0 ≤ floor < 1.
    """

    psi: Psi = "roles"
    alpha: Alpha = 1.0
    epsilon: OpenShare = 0.3
    window: Window = 10
    support_weight: Weight = 0.35
    likelihood_scale: Scale = 1.0
    floor: Floor = 0.24


class BeliefUpdate(NamedTuple):
    """What one update found. Probabilities 0 to 1; hypotheses by number.

    `suspect`, `suspect_confidence` and `suspect_commitment` are the MAP, its probability and u before the new action
    entered the belief, `ell` is ℓ_t for that MAP: what the gate judges, and `recent` are the factors of that product,
    the relative likelihoods of the segment's last actions (up to k), oldest first. The rest is the belief after it.
    """

    prior_map: int
    prior_confidence: float
    prior_commitment: int
    contradiction_likelihood: float
    likelihood_ratios: tuple[float, ...]
    posterior: tuple[float, ...]
    map_index: int
    commitment: int
    new_segment: bool

    @property
    def confidence(self) -> float:
        """The probability of the MAP."""
        return self.posterior[self.map_index]


class FilterState(NamedTuple):
    """The filter's memory as the kernel sees it, H hypotheses, window k."""

    posterior: Vector  # (H,)
    counts: Vector  # (H,) completed partner skills plus α
    likelihood_ratios: NDArray[np.float64]  # (k, H) relative likelihoods of the segment's last actions, a ring
    counters: NDArray[np.int64]  # MAP, commitment, updates in this segment
    contradiction: Vector  # (1 + k,) ℓ and its factors, oldest first, of the MAP before the update


@kernel
def update_filter(
    grid: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    hypothesis_of_skill: NDArray[np.int32],
    params: Vector,
    state: FilterState,
) -> bool:
    """One update of `mind` with player p's action between two states; True if it completed a skill."""
    likelihood = np.empty(len(state.posterior), np.float64)
    window = len(state.likelihood_ratios)
    prior_map, updates = state.counters[MAP], state.counters[UPDATES]
    relative_likelihood = state.likelihood_ratios[updates % window]
    likelihoods(grid, before, after, p, hypothesis_of_skill, params, likelihood, relative_likelihood)
    contradiction_score(state, prior_map, updates + 1)
    state.posterior[:] = state.posterior * likelihood
    normalise_with_floor(state.posterior, params)
    best = np.argmax(state.posterior)
    state.counters[COMMITMENT] = state.counters[COMMITMENT] + 1 if best == prior_map else 0
    state.counters[UPDATES] = updates + 1
    state.counters[MAP] = best
    if not after[COMPLETED + p]:
        return False
    completed = hypothesis_of_skill[after[EVENT + p]]
    if completed >= 0:
        state.counts[completed] += 1.0
    start_segment(state)
    exclude_infeasible(grid, after, p, hypothesis_of_skill, params, state.posterior)
    state.counters[MAP] = np.argmax(state.posterior)
    return True


@kernel
def contradiction_score(state: FilterState, prior_map: int, updates: int) -> None:
    """Put ℓ and its factors for one hypothesis into the verdict, after so many updates in this segment."""
    window = len(state.likelihood_ratios)
    count = min(updates, window)
    state.contradiction[0] = 1.0
    for i in range(count):
        factor = state.likelihood_ratios[(updates - count + i) % window, prior_map]
        state.contradiction[0] *= factor
        state.contradiction[1 + i] = factor


@kernel
def normalise_with_floor(belief: Vector, params: Vector) -> None:
    """Normalise a belief (H,) and lift every hypothesis to the floor."""
    belief[:] = belief / belief.sum()
    least = params[BELIEF_FLOOR] / len(belief)
    for hypothesis in range(len(belief)):
        if belief[hypothesis] < least:
            belief[hypothesis] = least
    belief[:] = belief / belief.sum()


@kernel
def start_segment(state: FilterState) -> None:
    """The belief becomes the prior; nothing that was seen so far counts for or against it."""
    state.posterior[:] = state.counts / state.counts.sum()
    state.counters[MAP] = np.argmax(state.posterior)
    state.counters[COMMITMENT] = state.counters[UPDATES] = 0


class BeliefFilter:
    """The belief of one player about the other.

    Args:
        grid: the kitchen.
        partner: the seat that is watched, 0 or 1.
        settings: the parameters.
        tempo: how that player comes to stay where it is.
        fast: compiled instead of plain.
    """

    def __init__(
        self, grid: Grid, partner: int, settings: FilterConfig, *, stay_model: StayModel, fast: bool = False
    ) -> None:
        self.settings = settings
        self.hypotheses: HypothesisSpace = hypothesis_space(settings.psi)
        self._grid, self._partner, self._stay_model = grid, partner, stay_model
        self._params = filter_params(settings, stay_model)
        self._correct = maybe_compiled(update_filter, fast=fast)
        size = len(self.hypotheses.names)
        self._state = FilterState(
            posterior=np.empty(size),
            counts=np.full(size, settings.alpha, np.float64),
            likelihood_ratios=np.ones((settings.window, size)),
            counters=np.zeros(3, np.int64),
            contradiction=np.ones(1 + settings.window),
        )
        start_segment(self._state)

    @property
    def reading(self) -> BeliefUpdate:
        """The belief as it stands, before any update: the prior."""
        return self._read(int(self._state.counters[MAP]), self._state.posterior.max(), 0, 0, new_segment=True)

    def update(self, before: StateVector, after: StateVector) -> BeliefUpdate:
        """Take in what the partner did between two consecutive public states (state rows)."""
        state = self._state
        prior_map, commitment, updates = state.counters.tolist()
        confidence = float(state.posterior[prior_map])
        new_segment = self._correct(
            self._grid, before, after, self._partner, self.hypotheses.hypothesis_of_skill, self._params, state
        )
        judged = min(updates + 1, self.settings.window)
        return self._read(prior_map, confidence, commitment, judged, new_segment=new_segment)

    def copy(self) -> Self:
        """Another one that believes the same, and goes on by itself."""
        other = copy(self)
        other._state = deepcopy(self._state)
        return other

    def reconfigure(self, settings: FilterConfig) -> None:
        """Go on with other parameters from the next update; what is believed and counted stays.

        Raises:
            BBAError: other hypotheses.
        """
        if settings.psi != self.settings.psi:
            raise BBAError(f"psi: a belief over {self.settings.psi} cannot go on over {settings.psi}")
        state, updates = self._state, int(self._state.counters[UPDATES])
        likelihood_ratios = np.ones((settings.window, len(state.posterior)))
        for update in range(max(0, updates - min(settings.window, self.settings.window)), updates):
            likelihood_ratios[update % settings.window] = state.likelihood_ratios[update % self.settings.window]
        counts = state.counts + (settings.alpha - self.settings.alpha)
        self._state = state._replace(
            likelihood_ratios=likelihood_ratios, counts=counts, contradiction=np.ones(1 + settings.window)
        )
        self._params = filter_params(settings, self._stay_model)
        self.settings = settings

    def _read(
        self, prior_map: int, confidence: float, commitment: int, judged: int, *, new_segment: bool
    ) -> BeliefUpdate:
        contradiction_likelihood, *factors = self._state.contradiction.tolist()
        best, committed, _ = self._state.counters.tolist()
        return BeliefUpdate(
            prior_map=prior_map,
            prior_confidence=float(confidence),
            prior_commitment=commitment,
            contradiction_likelihood=contradiction_likelihood,
            likelihood_ratios=tuple(factors[:judged]),
            posterior=tuple(self._state.posterior.tolist()),
            map_index=best,
            commitment=committed,
            new_segment=bool(new_segment),
        )


def filter_params(settings: FilterConfig, stay_model: StayModel) -> Vector:
    """The parameters as the kernels take them, (5,) in the order of `bba.belief.likelihood`."""
    return np.array(
        [settings.epsilon, settings.support_weight, settings.likelihood_scale, float(stay_model), settings.floor],
        np.float64,
    )
