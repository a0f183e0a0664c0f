"""A player's model of its partner: the filter over what it is doing, and the gate that judges it, step by step."""

from copy import copy
from dataclasses import dataclass, field
from typing import Self

from bba.belief.filter import BeliefFilter, BeliefUpdate, FilterConfig
from bba.belief.gate import Gate, GateConfig, GateResult
from bba.belief.likelihood import StayModel
from bba.belief.roles import HypothesisSpace
from bba.kitchen.grid import Grid
from bba.kitchen.state import StateVector


@dataclass(frozen=True, slots=True)
class BeliefConfig:
    """The parameters of a belief and of the gate on it."""

    filter: FilterConfig = field(default_factory=FilterConfig)
    gate: GateConfig = field(default_factory=GateConfig)


class PartnerModel:
    """Filter and gate of one player about the other.

    Args:
        grid: the kitchen.
        partner: the seat that is watched, 0 or 1.
        tuning: the parameters.
        tempo: how that player comes to stay where it is.
        fast: compiled instead of plain.
    """

    def __init__(
        self, grid: Grid, partner: int, belief_config: BeliefConfig, *, stay_model: StayModel, fast: bool = False
    ) -> None:
        self.belief_config = belief_config
        self._filter = BeliefFilter(grid, partner, belief_config.filter, stay_model=stay_model, fast=fast)
        self._gate = Gate(belief_config.gate)

    @property
    def hypotheses(self) -> HypothesisSpace:
        """What the belief is over."""
        return self._filter.hypotheses

    def observe(
        self, before: StateVector | None, state: StateVector, *, mid_skill: bool
    ) -> tuple[BeliefUpdate, GateResult | None]:
        """Take in the partner's last action and judge it; at the first step (`before` None) there is none to judge."""
        if before is None:
            return self._filter.reading, None
        belief = self._filter.update(before, state)
        return belief, self._gate.read(belief, mid_skill=mid_skill)

    def copy(self) -> Self:
        """Another one that stands where this one stands, and goes on by itself."""
        other = copy(self)
        other._filter, other._gate = self._filter.copy(), copy(self._gate)
        return other

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Go on with other parameters; belief, segment and cooldown stay as they are.

        Raises:
            BBAError: a belief over other hypotheses.
        """
        self._filter.reconfigure(belief_config.filter)
        self._gate.settings = belief_config.gate
        self.belief_config = belief_config
