"""The passive observer: filter and gate with default settings, watching the partner beside every kind of ego.

Belief measures read it, so that agents with and without a belief of their own are compared like with like.
"""

from bba.belief import BeliefConfig, BeliefUpdate, GateResult, PartnerModel, StayModel
from bba.kitchen import Kitchen
from bba.kitchen.state import StateVector

PARTNER = 1


class Observer:
    """Watches player 1 of a kitchen; `tempo` is how that player comes to stay where it is."""

    def __init__(self, kitchen: Kitchen, stay_model: StayModel) -> None:
        self._model = PartnerModel(kitchen.grid, PARTNER, BeliefConfig(), stay_model=stay_model, fast=kitchen.fast)

    def update(self, before: StateVector | None, state: StateVector) -> tuple[BeliefUpdate, GateResult | None]:
        """The belief now, and the gate as it would stand for an ego that is always mid-skill (None at the start)."""
        return self._model.observe(before, state, mid_skill=True)
