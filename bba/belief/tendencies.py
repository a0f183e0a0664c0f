"""What is learned of how one partner differs from a behaviour model: its preferences, and whether it is idle.

What one partner prefers: how often it does a skill, against how often the behaviour network expects that of a cook.

Each completed skill s of the partner is one choice, which the network gave the probability p_t(s) in the state where
the choice was made. A preference is the ratio of what was done to what was expected, by a Gamma-Poisson model:

    w(s) = (α + C(s)) / (α + E(s)) · (α_r + C_r) / (α_r + E_r)        r: the role of s

C counts the choices of s and E sums p_t(s) over all choices, since the episode began; C_r and E_r do so for roles, but
half of them is forgotten every `HALF_LIFE` choices: what a cook is good at lasts, what it works on changes. A partner
that behaves as the network expects has w ≈ 1. The network's probability times w, normalised, is p̂, the probability of
its next choice.

A partner that stays idle declines what it could do. While it is idle (`bba.belief.tendencies`), p̂ is added up for each
skill, D(s); it accepts s with probability

    a(s) = β / (β + D(s))

and stays otherwise, until it completes a skill. Waiting itself is no preference: w = a = 1.

Whether the partner is idle: it stays where it is because it has nothing to do, not because its moves fail.

A busy partner acts in a share m of its steps (the mobility of an agent); an idle one hardly ever:

    q ∝ q · P(stays or acts | idle)        (1 − q) ∝ (1 − q) · P(stays or acts | busy)

after which an idle partner turns busy with probability `WAKES`, a busy one idle with probability `RESTS`. To complete
a skill is busy work.

The prior of a belief from a behaviour model: what the model expects of a partner that chooses a skill now.
"""

from collections.abc import Callable
from copy import copy, deepcopy
from typing import NamedTuple, Self

import numpy as np

from bba.belief.likelihood import observed_action
from bba.belief.roles import LEAST_PRIOR, ROLE_NAMES, ROLE_OF_SKILL, HypothesisSpace
from bba.kitchen.constants import ACTION_STAY, COMPLETED, EVENT, N_SKILLS, SKILL_STAY, Float64Array, StateVector

SLIPS = 0.03  # the share of its steps in which an idle partner acts
# a step
RESTS = 0.02
WAKES = 0.05
WORKED = 0.2  # what is left of q when the partner completes a skill


def idle_after(idle: float, acts: float, *, stayed: bool, completed: bool) -> float:
    """Returns q, the probability that a partner is idle, after one more of its steps.

    Args:
        idle: q before, 0 to 1; 0 at first.
        acts: the share of its steps in which a busy partner acts, above 0 and below 1.
        stayed: whether it stayed where it is.
        completed: whether it completed a skill.
    """
    as_idle = idle * (1 - SLIPS if stayed else SLIPS)
    as_busy = (1 - idle) * (1 - acts if stayed else acts)
    share = as_idle / (as_idle + as_busy)
    next_idle = share * (1 - WAKES) + (1 - share) * RESTS
    return next_idle * WORKED if completed else next_idle


SKILL_WEIGHT = 0.25  # α: choices that an expectation counts for before any was seen
ROLE_WEIGHT = 0.5  # α_r
HALF_LIFE = 3.0  # choices
DECLINED_WEIGHT = 3.0  # β: steps of being idle
SHARE = 0.01  # of a choice, by which the network's probability of each feasible skill is lifted: it is never sure

_ROLE_INDEX = np.array(ROLE_OF_SKILL) % (len(ROLE_NAMES) + 1)  # skills of no role stand together behind the last role
_MEMBERS = np.arange(len(ROLE_NAMES) + 1)[:, None] == _ROLE_INDEX  # (roles + 1, 27)


class SkillPreferences:
    """The preferences of one partner in one episode.

    Attributes:
        weights: w, (27,), above 0.
        acceptance: a, (27,), above 0, at most 1.
    """

    def __init__(self) -> None:
        self._done = np.zeros(N_SKILLS)
        self._expected = np.zeros(N_SKILLS)
        self._role_done = np.zeros(len(_MEMBERS))
        self._role_expected = np.zeros(len(_MEMBERS))
        self._declined = np.zeros(N_SKILLS)
        self.weights: Float64Array = np.ones(N_SKILLS)
        self.acceptance: Float64Array = np.ones(N_SKILLS)

    def observe_choice(self, skill: int, probabilities: Float64Array) -> None:
        """Takes in one choice.

        Args:
            skill: what the partner chose and completed.
            probabilities: what the behaviour network expected, (27,), summing to 1.
        """
        expected = lifted(probabilities)
        self._done[skill] += 1
        self._expected += expected
        kept = 0.5 ** (1 / HALF_LIFE)
        self._role_done = kept * self._role_done + (np.arange(len(_MEMBERS)) == _ROLE_INDEX[skill])
        self._role_expected = kept * self._role_expected + _MEMBERS @ expected
        by_role = (ROLE_WEIGHT + self._role_done) / (ROLE_WEIGHT + self._role_expected)
        self.weights = (SKILL_WEIGHT + self._done) / (SKILL_WEIGHT + self._expected) * by_role[_ROLE_INDEX]
        self.weights[SKILL_STAY] = 1.0
        self._declined[:] = 0.0
        self.acceptance = np.ones(N_SKILLS)

    def observe_idleness(self, idle: float, probabilities: Float64Array) -> None:
        """Takes in one step in which the partner was idle with a probability.

        Args:
            idle: that probability.
            probabilities: what the behaviour network expected of it, (27,), summing to 1.
        """
        self._declined += idle * self.weighted(probabilities)
        self.acceptance = DECLINED_WEIGHT / (DECLINED_WEIGHT + self._declined)
        self.acceptance[SKILL_STAY] = 1.0

    def weighted(self, probabilities: Float64Array) -> Float64Array:
        """Returns p̂: the network's probabilities, (27,), as this partner prefers; infeasible skills (0) stay so."""
        return _normalised(lifted(probabilities) * self.weights, probabilities)

    def expected(self, probabilities: Float64Array) -> Float64Array:
        """Returns the probabilities, (27,), of what the partner does next, once it does something."""
        return _normalised(self.weighted(probabilities) * self.acceptance, probabilities)


def lifted(probabilities: Float64Array) -> Float64Array:
    """Returns the network's probabilities, (27,), less sharp; infeasible skills (0) stay so."""
    return _normalised(np.where(probabilities > 0, probabilities + SHARE, 0.0), probabilities)


def _normalised(shares: Float64Array, otherwise: Float64Array) -> Float64Array:
    total = shares.sum()
    return shares / total if total > 0 else otherwise


class Tendencies(NamedTuple):
    """How one partner differs from the behaviour model.

    Attributes:
        weights: w of `bba.belief.tendencies`, (27,), above 0.
        acceptance: a, (27,), above 0, at most 1.
        idle: the probability that it is idle now.
    """

    weights: Float64Array
    acceptance: Float64Array
    idle: float


# A model of how cooks behave: the probability, (27,), of each skill if a player chose one now; 0 for infeasible ones.
BehaviourModel = Callable[[StateVector, int], Float64Array]


class BehaviourPrior:
    """The prior over the partner's hypotheses in each state of an episode.

    Args:
        behaviour: the model.
        partner: the observed seat, 0 or 1.
        hypotheses: Ψ.
        acts: the share of its steps in which the partner acts if it is busy, to learn how it differs from the model,
            which weighs what the model expects; None takes that as it is.
    """

    def __init__(
        self, behaviour: BehaviourModel, partner: int, hypotheses: HypothesisSpace, acts: float | None = None
    ) -> None:
        self._behaviour = behaviour
        self._partner = partner
        self._hypotheses = hypotheses
        self._preferences = SkillPreferences()
        self._acts = acts
        self._idle = 0.0
        self._choice: Float64Array | None = None  # what the model expected when the partner began its running skill
        self._now: Float64Array | None = None  # and in the last state

    @property
    def tendencies(self) -> Tendencies | None:
        """How the partner differs from the model; None if that is not learned."""
        if self._acts is None:
            return None
        return Tendencies(self._preferences.weights, self._preferences.acceptance, self._idle)

    def expected(self, before: StateVector | None, state: StateVector) -> Float64Array:
        """Returns the prior, (|Ψ|,), in a state, having learned from the partner's last action."""
        probabilities = self._behaviour(state, self._partner)
        if self._acts is not None:
            self._learn(before, state, self._acts)
            if self._choice is None or state[COMPLETED + self._partner]:
                self._choice = probabilities
            self._now = probabilities
            probabilities = self._preferences.expected(probabilities)
        hypothesis = self._hypotheses.hypothesis_of_skill
        expected = np.full(len(self._hypotheses.names), LEAST_PRIOR)
        np.add.at(expected, hypothesis[hypothesis >= 0], probabilities[hypothesis >= 0])
        expected /= expected.sum()
        return expected

    def _learn(self, before: StateVector | None, state: StateVector, acts: float) -> None:
        """Learns from the partner's last action; nothing before the first one."""
        if before is None or self._choice is None or self._now is None:
            return
        partner = self._partner
        completed = bool(state[COMPLETED + self._partner])
        stayed = observed_action(before, state, partner) == ACTION_STAY
        self._idle = idle_after(self._idle, acts, stayed=stayed, completed=completed)
        if completed:
            self._preferences.observe_choice(int(state[EVENT + partner]), self._choice)
        else:
            self._preferences.observe_idleness(self._idle, self._now)

    def copy(self) -> Self:
        """Returns an independent copy, which asks the same model."""
        clone = copy(self)
        clone._preferences = deepcopy(self._preferences)
        return clone
