"""A player's model of its partner: the filter over Ψ and the gate on replanning."""

from copy import copy
from typing import Self

from bba.belief.filter import BehaviourModel, BeliefFilter, BeliefUpdate
from bba.belief.gate import Gate, GateResult
from bba.belief.likelihood import StayModel
from bba.belief.roles import HypothesisSpace
from bba.config import BeliefConfig
from bba.kitchen.grid import Grid
from bba.kitchen.state import StateVector


class PartnerModel:
    """Filter and gate of one player about the other.

    Args:
        grid: the kitchen.
        partner: the observed seat, 0 or 1.
        belief_config: the parameters of both.
        stay_model: how to read that the partner stays where it is.
        behaviour: gives the filter's prior; None counts the partner's completed skills.
        fast: compiled kernels instead of plain ones.
    """

    def __init__(
        self,
        grid: Grid,
        partner: int,
        belief_config: BeliefConfig,
        *,
        stay_model: StayModel,
        behaviour: BehaviourModel | None = None,
        fast: bool = False,
    ) -> None:
        self.belief_config = belief_config
        self._filter = BeliefFilter(
            grid, partner, belief_config.filter, stay_model=stay_model, behaviour=behaviour, fast=fast
        )
        self._gate = Gate(belief_config.gate)

    @property
    def hypotheses(self) -> HypothesisSpace:
        """Ψ, the hypotheses of the belief."""
        return self._filter.hypotheses

    def observe(
        self, before: StateVector | None, state: StateVector, *, mid_skill: bool
    ) -> tuple[BeliefUpdate, GateResult | None]:
        """Updates the belief with the partner's last action and evaluates the gate.

        At the first step (`before` is None) there is no action yet: the belief is the prior, the gate result None.
        """
        if before is None:
            return self._filter.start(state), None
        belief = self._filter.update(before, state)
        return belief, self._gate.evaluate(belief, mid_skill=mid_skill)

    def copy(self) -> Self:
        """An independent copy in the same state."""
        other = copy(self)
        other._filter, other._gate = self._filter.copy(), copy(self._gate)
        return other

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Uses other parameters from the next update on; belief, segment and cooldown stay.

        Raises:
            BBAError: Ψ would change.
        """
        self._filter.reconfigure(belief_config.filter)
        self._gate.config = belief_config.gate
        self.belief_config = belief_config
