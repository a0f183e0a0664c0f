"""What one partner prefers: how often it does a skill, against how often the behaviour network expects that of a cook.

Each completed skill s of the partner is one choice, which the network gave the probability p_t(s) in the state where
the choice was made. A preference is the ratio of what was done to what was expected, by a Gamma-Poisson model:

    w(s) = (α + C(s)) / (α + E(s)) · (α_r + C_r) / (α_r + E_r)        r: the role of s

C counts the choices of s and E sums p_t(s) over all choices, since the episode began; C_r and E_r do so for roles, but
half of them is forgotten every `HALF_LIFE` choices: what a cook is good at lasts, what it works on changes. A partner
that behaves as the network expects has w ≈ 1. The network's probability times w, normalised, is p̂, the probability of
its next choice.

A partner that stays idle declines what it could do. While it is idle (`bba.belief.idleness`), p̂ is added up for each
skill, D(s); it accepts s with probability

    a(s) = β / (β + D(s))

and stays otherwise, until it completes a skill. Waiting itself is no preference: w = a = 1.
"""

from copy import deepcopy
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bba.belief.roles import ROLE_NAMES, ROLE_OF_SKILL
from bba.kitchen.constants import N_SKILLS, SKILL_STAY

Vector = NDArray[np.float64]

SKILL_WEIGHT = 0.25  # α: choices that an expectation counts for before any was seen
ROLE_WEIGHT = 0.5  # α_r
HALF_LIFE = 3.0  # choices
DECLINED_WEIGHT = 3.0  # β: steps of being idle
SHARE = 0.01  # of a choice, by which the network's probability of each feasible skill is lifted: it is never sure

_ROLES = np.array(ROLE_OF_SKILL) % (len(ROLE_NAMES) + 1)  # skills of no role stand together behind the last role
_MEMBERS = np.arange(len(ROLE_NAMES) + 1)[:, None] == _ROLES  # (roles + 1, 27)


class SkillPreferences:
    """The preferences of one partner in one episode.

    Attributes:
        weights: w, (27,), above 0.
        acceptance: a, (27,), above 0, at most 1.
    """

    def __init__(self) -> None:
        self._done, self._expected = np.zeros(N_SKILLS), np.zeros(N_SKILLS)
        self._role_done, self._role_expected = np.zeros(len(_MEMBERS)), np.zeros(len(_MEMBERS))
        self._declined = np.zeros(N_SKILLS)
        self.weights: Vector = np.ones(N_SKILLS)
        self.acceptance: Vector = np.ones(N_SKILLS)

    def observe_choice(self, skill: int, probabilities: Vector) -> None:
        """Takes in one choice.

        Args:
            skill: what the partner chose and completed.
            probabilities: what the behaviour network expected, (27,), summing to 1.
        """
        expected = lifted(probabilities)
        self._done[skill] += 1
        self._expected += expected
        kept = 0.5 ** (1 / HALF_LIFE)
        self._role_done = kept * self._role_done + (np.arange(len(_MEMBERS)) == _ROLES[skill])
        self._role_expected = kept * self._role_expected + _MEMBERS @ expected
        by_role = (ROLE_WEIGHT + self._role_done) / (ROLE_WEIGHT + self._role_expected)
        self.weights = (SKILL_WEIGHT + self._done) / (SKILL_WEIGHT + self._expected) * by_role[_ROLES]
        self.weights[SKILL_STAY] = 1.0
        self._declined[:] = 0.0
        self.acceptance = np.ones(N_SKILLS)

    def observe_idleness(self, idle: float, probabilities: Vector) -> None:
        """Takes in one step in which the partner was idle with a probability.

        Args:
            idle: that probability.
            probabilities: what the behaviour network expected of it, (27,), summing to 1.
        """
        self._declined += idle * self.weighted(probabilities)
        self.acceptance = DECLINED_WEIGHT / (DECLINED_WEIGHT + self._declined)
        self.acceptance[SKILL_STAY] = 1.0

    def weighted(self, probabilities: Vector) -> Vector:
        """Returns p̂: the network's probabilities, (27,), as this partner prefers; infeasible skills (0) stay so."""
        return _normalised(lifted(probabilities) * self.weights, probabilities)

    def expected(self, probabilities: Vector) -> Vector:
        """Returns the probabilities, (27,), of what the partner does next, once it does something."""
        return _normalised(self.weighted(probabilities) * self.acceptance, probabilities)

    def copy(self) -> Self:
        """Returns an independent copy."""
        return deepcopy(self)


def lifted(probabilities: Vector) -> Vector:
    """Returns the network's probabilities, (27,), less sharp; infeasible skills (0) stay so."""
    return _normalised(np.where(probabilities > 0, probabilities + SHARE, 0.0), probabilities)


def _normalised(shares: Vector, otherwise: Vector) -> Vector:
    total = shares.sum()
    return shares / total if total > 0 else otherwise
