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
from bba.kernels import at_speed, kernel
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

    suspect: int
    suspect_confidence: float
    suspect_commitment: int
    ell: float
    recent: tuple[float, ...]
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
    recent: NDArray[np.float64]  # (k, H) relative likelihoods of the segment's last actions, a ring
    marks: NDArray[np.int64]  # MAP, commitment, updates in this segment
    verdict: Vector  # (1 + k,) ℓ and its factors, oldest first, of the MAP before the update


@kernel
def update_filter(
    g: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    of_skill: NDArray[np.int32],
    figures: Vector,
    mind: FilterState,
) -> bool:
    """One update of `mind` with player p's action between two states; True if it completed a skill."""
    likely = np.empty(len(mind.posterior), np.float64)
    window = len(mind.recent)
    suspect, updates = mind.marks[MAP], mind.marks[UPDATES]
    relative = mind.recent[updates % window]
    likelihoods(g, before, after, p, of_skill, figures, likely, relative)
    contradiction_score(mind, suspect, updates + 1)
    mind.posterior[:] = mind.posterior * likely
    normalise_with_floor(mind.posterior, figures)
    best = np.argmax(mind.posterior)
    mind.marks[COMMITMENT] = mind.marks[COMMITMENT] + 1 if best == suspect else 0
    mind.marks[UPDATES] = updates + 1
    mind.marks[MAP] = best
    if not after[COMPLETED + p]:
        return False
    completed = of_skill[after[EVENT + p]]
    if completed >= 0:
        mind.counts[completed] += 1.0
    start_segment(mind)
    exclude_infeasible(g, after, p, of_skill, figures, mind.posterior)
    mind.marks[MAP] = np.argmax(mind.posterior)
    return True


@kernel
def contradiction_score(mind: FilterState, suspect: int, updates: int) -> None:
    """Put ℓ and its factors for one hypothesis into the verdict, after so many updates in this segment."""
    window = len(mind.recent)
    count = min(updates, window)
    mind.verdict[0] = 1.0
    for i in range(count):
        factor = mind.recent[(updates - count + i) % window, suspect]
        mind.verdict[0] *= factor
        mind.verdict[1 + i] = factor


@kernel
def normalise_with_floor(belief: Vector, figures: Vector) -> None:
    """Normalise a belief (H,) and lift every hypothesis to the floor."""
    belief[:] = belief / belief.sum()
    least = figures[BELIEF_FLOOR] / len(belief)
    for hypothesis in range(len(belief)):
        if belief[hypothesis] < least:
            belief[hypothesis] = least
    belief[:] = belief / belief.sum()


@kernel
def start_segment(mind: FilterState) -> None:
    """The belief becomes the prior; nothing that was seen so far counts for or against it."""
    mind.posterior[:] = mind.counts / mind.counts.sum()
    mind.marks[MAP] = np.argmax(mind.posterior)
    mind.marks[COMMITMENT] = mind.marks[UPDATES] = 0


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
        self, grid: Grid, partner: int, settings: FilterConfig, *, tempo: StayModel, fast: bool = False
    ) -> None:
        self.settings = settings
        self.hypotheses: HypothesisSpace = hypothesis_space(settings.psi)
        self._grid, self._partner, self._tempo = grid, partner, tempo
        self._figures = filter_params(settings, tempo)
        self._correct = at_speed(update_filter, fast=fast)
        size = len(self.hypotheses.names)
        self._mind = FilterState(
            posterior=np.empty(size),
            counts=np.full(size, settings.alpha, np.float64),
            recent=np.ones((settings.window, size)),
            marks=np.zeros(3, np.int64),
            verdict=np.ones(1 + settings.window),
        )
        start_segment(self._mind)

    @property
    def reading(self) -> BeliefUpdate:
        """The belief as it stands, before any update: the prior."""
        return self._read(int(self._mind.marks[MAP]), self._mind.posterior.max(), 0, 0, new_segment=True)

    def update(self, before: StateVector, after: StateVector) -> BeliefUpdate:
        """Take in what the partner did between two consecutive public states (state rows)."""
        mind = self._mind
        suspect, commitment, updates = mind.marks.tolist()
        confidence = float(mind.posterior[suspect])
        new_segment = self._correct(
            self._grid, before, after, self._partner, self.hypotheses.of_skill, self._figures, mind
        )
        judged = min(updates + 1, self.settings.window)
        return self._read(suspect, confidence, commitment, judged, new_segment=new_segment)

    def copy(self) -> Self:
        """Another one that believes the same, and goes on by itself."""
        other = copy(self)
        other._mind = deepcopy(self._mind)
        return other

    def retune(self, settings: FilterConfig) -> None:
        """Go on with other parameters from the next update; what is believed and counted stays.

        Raises:
            BBAError: other hypotheses.
        """
        if settings.psi != self.settings.psi:
            raise BBAError(f"psi: a belief over {self.settings.psi} cannot go on over {settings.psi}")
        mind, updates = self._mind, int(self._mind.marks[UPDATES])
        recent = np.ones((settings.window, len(mind.posterior)))
        for update in range(max(0, updates - min(settings.window, self.settings.window)), updates):
            recent[update % settings.window] = mind.recent[update % self.settings.window]
        counts = mind.counts + (settings.alpha - self.settings.alpha)
        self._mind = mind._replace(recent=recent, counts=counts, verdict=np.ones(1 + settings.window))
        self._figures = filter_params(settings, self._tempo)
        self.settings = settings

    def _read(
        self, suspect: int, confidence: float, commitment: int, judged: int, *, new_segment: bool
    ) -> BeliefUpdate:
        ell, *factors = self._mind.verdict.tolist()
        best, committed, _ = self._mind.marks.tolist()
        return BeliefUpdate(
            suspect=suspect,
            suspect_confidence=float(confidence),
            suspect_commitment=commitment,
            ell=ell,
            recent=tuple(factors[:judged]),
            posterior=tuple(self._mind.posterior.tolist()),
            map_index=best,
            commitment=committed,
            new_segment=bool(new_segment),
        )


def filter_params(settings: FilterConfig, tempo: StayModel) -> Vector:
    """The parameters as the kernels take them, (5,) in the order of `bba.belief.likelihood`."""
    return np.array(
        [settings.epsilon, settings.support_weight, settings.likelihood_scale, float(tempo), settings.floor],
        np.float64,
    )
