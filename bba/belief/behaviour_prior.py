"""The prior of a belief from a behaviour model: what the model expects of a partner that chooses a skill now."""

from copy import copy
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bba.belief.preferences import Preferences
from bba.belief.roles import HypothesisSpace
from bba.kitchen.state import COMPLETED, EVENT, StateVector

Vector = NDArray[np.float64]

LEAST = 1e-4  # of a hypothesis, before the prior is normalised


class BehaviourModel(Protocol):
    """Protocol of a model of how cooks behave."""

    def probabilities(self, state: StateVector, player: int) -> Vector:
        """Returns the probability, (27,), of each skill if this player chose one now; 0 for infeasible ones."""


class BehaviourPrior:
    """The prior over the partner's hypotheses in each state of an episode.

    Args:
        behaviour: the model.
        partner: the observed seat, 0 or 1.
        hypotheses: Ψ.
        learns: whether the partner's preferences are learned and weigh what the model expects.
    """

    def __init__(self, behaviour: BehaviourModel, partner: int, hypotheses: HypothesisSpace, *, learns: bool) -> None:
        self._behaviour, self._partner, self._hypotheses = behaviour, partner, hypotheses
        self._preferences = Preferences() if learns else None
        self._choice: Vector | None = None  # what the model expected when the partner made its running choice

    @property
    def weights(self) -> Vector | None:
        """The partner's preferences, (27,); None if they are not learned."""
        return None if self._preferences is None else self._preferences.weights

    def expected(self, state: StateVector) -> Vector:
        """Returns the prior, (|Ψ|,), in a state, having learned from what the partner completed in it."""
        probabilities = self._behaviour.probabilities(state, self._partner)
        if self._preferences is not None:
            completed = bool(state[COMPLETED + self._partner])
            if self._choice is not None and completed:
                self._preferences.observe(int(state[EVENT + self._partner]), self._choice)
            if self._choice is None or completed:
                self._choice = probabilities
            probabilities = self._preferences.weighted(probabilities)
        return self._by_hypothesis(probabilities)

    def copy(self) -> Self:
        """Returns an independent copy."""
        other = copy(self)
        other._preferences = self._preferences and self._preferences.copy()
        return other

    def _by_hypothesis(self, probabilities: Vector) -> Vector:
        expected = np.full(len(self._hypotheses.names), LEAST)
        for hypothesis, probability in zip(self._hypotheses.hypothesis_of_skill.tolist(), probabilities, strict=True):
            if hypothesis >= 0:
                expected[hypothesis] += probability
        expected /= expected.sum()
        return expected
