"""The passive observer: filter and gate with default settings, watching the partner beside every kind of ego.

Belief measures read it, so that agents with and without a belief of their own are compared like with like.
"""

from bba.belief import BeliefReading, GateReading, PartnerModel, Tempo, Tuning
from bba.kitchen import Kitchen
from bba.kitchen.state import Row

PARTNER = 1


class Observer:
    """Watches player 1 of a kitchen; `tempo` is how that player comes to stay where it is."""

    def __init__(self, kitchen: Kitchen, tempo: Tempo) -> None:
        self._model = PartnerModel(kitchen.grid, PARTNER, Tuning(), tempo=tempo, fast=kitchen.fast)

    def update(self, before: Row | None, row: Row) -> tuple[BeliefReading, GateReading | None]:
        """The belief now, and the gate as it would stand for an ego that is always mid-skill (None at the start)."""
        return self._model.perceive(before, row, mid_skill=True)
