"""The passive observer: a belief and a gate with default parameters that observe the partner in every game.

Belief measures read it, so that egos with and without a belief of their own are compared on the same ground.
"""

from bba.belief import BeliefConfig, BeliefUpdate, GateResult, PartnerModel, StayModel
from bba.kitchen import Kitchen
from bba.kitchen.state import StateVector

PARTNER = 1


class Observer:
    """Observes player 1 of a kitchen.

    Args:
        kitchen: the kitchen.
        stay_model: how to read STAY actions of player 1.
    """

    def __init__(self, kitchen: Kitchen, stay_model: StayModel) -> None:
        self._model = PartnerModel(kitchen.grid, PARTNER, BeliefConfig(), stay_model=stay_model, fast=kitchen.fast)

    def observe(self, before: StateVector | None, state: StateVector) -> tuple[BeliefUpdate, GateResult | None]:
        """Returns the belief and the gate's result for an ego that is always mid-skill, None at the first step."""
        return self._model.observe(before, state, mid_skill=True)
