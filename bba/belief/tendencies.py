"""What is learned of how one partner differs from a behaviour model: its preferences, and whether it is idle."""

from copy import copy
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bba.belief.idleness import Idleness
from bba.belief.likelihood import observed_action
from bba.belief.preferences import SkillPreferences
from bba.kitchen.constants import ACTION_STAY
from bba.kitchen.state import COMPLETED, EVENT, StateVector

Vector = NDArray[np.float64]


class Tendencies(NamedTuple):
    """How one partner differs from the behaviour model.

    Attributes:
        weights: w of `bba.belief.preferences`, (27,), above 0.
        acceptance: a, (27,), above 0, at most 1.
        idle: the probability that it is idle now.
    """

    weights: Vector
    acceptance: Vector
    idle: float


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
        self._preferences, self._idleness = SkillPreferences(), Idleness(acts)
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
