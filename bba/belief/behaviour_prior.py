"""The prior of a belief from a behaviour model: what the model expects of a partner that chooses a skill now."""

from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bba.belief.roles import HypothesisSpace
from bba.belief.tendencies import BehaviourModel, Tendencies, TendencyModel
from bba.kitchen.state import StateVector

Vector = NDArray[np.float64]

LEAST_PRIOR = 1e-4  # of a hypothesis, before the prior is normalised


class BehaviourPrior:
    """The prior over the partner's hypotheses in each state of an episode.

    Args:
        behaviour: the model.
        partner: the observed seat, 0 or 1.
        hypotheses: Ψ.
        tendencies: of the partner, which weigh what the model expects; None takes that as it is.
    """

    def __init__(
        self,
        behaviour: BehaviourModel,
        partner: int,
        hypotheses: HypothesisSpace,
        tendencies: TendencyModel | None = None,
    ) -> None:
        self._behaviour, self._partner, self._hypotheses = behaviour, partner, hypotheses
        self._model = tendencies

    @property
    def tendencies(self) -> Tendencies | None:
        """How the partner differs from the model; None if that is not learned."""
        return None if self._model is None else self._model.tendencies

    def expected(self, before: StateVector | None, state: StateVector) -> Vector:
        """Returns the prior, (|Ψ|,), in a state, having learned from the partner's last action."""
        if self._model is not None:
            return self._by_hypothesis(self._model.observe(before, state))
        return self._by_hypothesis(self._behaviour.probabilities(state, self._partner))

    def copy(self) -> Self:
        """Returns an independent copy."""
        other = copy(self)
        other._model = self._model and self._model.copy()
        return other

    def _by_hypothesis(self, probabilities: Vector) -> Vector:
        expected = np.full(len(self._hypotheses.names), LEAST_PRIOR)
        for hypothesis, probability in zip(self._hypotheses.hypothesis_of_skill.tolist(), probabilities, strict=True):
            if hypothesis >= 0:
                expected[hypothesis] += probability
        expected /= expected.sum()
        return expected
