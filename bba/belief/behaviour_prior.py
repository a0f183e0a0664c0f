"""The prior of a belief from a behaviour model: what the model expects of a partner that chooses a skill now."""

from copy import copy
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bba.belief.idleness import Idleness
from bba.belief.likelihood import observed_action
from bba.belief.preferences import Preferences, Tendencies
from bba.belief.roles import HypothesisSpace
from bba.kitchen.constants import ACTION_STAY
from bba.kitchen.state import COMPLETED, EVENT, StateVector

Vector = NDArray[np.float64]

LEAST = 1e-4  # of a hypothesis, before the prior is normalised


class BehaviourModel(Protocol):
    """Protocol of a model of how cooks behave."""

    def probabilities(self, state: StateVector, player: int) -> Vector:
        """Returns the probability, (27,), of each skill if this player chose one now; 0 for infeasible ones."""


class TendencyModel:
    """What is learned, in one episode, of how one partner differs from a behaviour model.

    Args:
        behaviour: the model.
        partner: the observed seat, 0 or 1.
        acts: the share of its steps in which the partner acts if it is busy.
    """

    def __init__(self, behaviour: BehaviourModel, partner: int, acts: float) -> None:
        self._behaviour, self._partner = behaviour, partner
        self._preferences, self._idleness = Preferences(), Idleness(acts)
        self._choice: Vector | None = None  # what the model expected when the partner began its running skill
        self._now: Vector | None = None  # and in the last state

    @property
    def tendencies(self) -> Tendencies:
        """What has been learned so far."""
        return Tendencies(self._preferences.weights, self._preferences.acceptance, self._idleness.probability)

    def observe(self, before: StateVector | None, state: StateVector) -> Vector:
        """Learns from the partner's last action. Returns the probability, (27,), of each skill if it chose one now."""
        probabilities = self._behaviour.probabilities(state, self._partner)
        if before is not None and self._choice is not None and self._now is not None:
            self._learn(before, state, self._choice, self._now)
        if self._choice is None or state[COMPLETED + self._partner]:
            self._choice = probabilities
        self._now = probabilities
        return self._preferences.expected(probabilities)

    def _learn(self, before: StateVector, state: StateVector, choice: Vector, now: Vector) -> None:
        partner, completed = self._partner, bool(state[COMPLETED + self._partner])
        stayed = observed_action(before, state, partner) == ACTION_STAY
        self._idleness.observe(stayed=stayed, completed=completed)
        if completed:
            self._preferences.observe_choice(int(state[EVENT + partner]), choice)
        else:
            self._preferences.observe_idleness(self._idleness.probability, now)

    def copy(self) -> Self:
        """Returns an independent copy."""
        other = copy(self)
        other._preferences, other._idleness = self._preferences.copy(), copy(self._idleness)
        return other


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
        expected = np.full(len(self._hypotheses.names), LEAST)
        for hypothesis, probability in zip(self._hypotheses.hypothesis_of_skill.tolist(), probabilities, strict=True):
            if hypothesis >= 0:
                expected[hypothesis] += probability
        expected /= expected.sum()
        return expected
