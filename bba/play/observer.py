"""The passive observer: filter and gate with default settings, watching the partner beside every kind of ego.

Belief measures read it, so that agents with and without a belief of their own are compared like with like.
"""

from bba.belief import BeliefFilter, BeliefReading, FilterSettings, Gate, GateReading, GateSettings
from bba.kitchen import Kitchen
from bba.kitchen.state import Row

PARTNER = 1


class Observer:
    """Watches player 1 of a kitchen."""

    def __init__(self, kitchen: Kitchen) -> None:
        held_back = kitchen.mobility[PARTNER] < 1.0
        self._filter = BeliefFilter(kitchen.grid, PARTNER, FilterSettings(), held_back=held_back, fast=kitchen.fast)
        self._gate = Gate(GateSettings())

    def update(self, before: Row | None, row: Row) -> tuple[BeliefReading, GateReading | None]:
        """The belief now, and the gate as it would stand for an ego that is always mid-skill (None at the start)."""
        if before is None:
            return self._filter.reading, None
        belief = self._filter.update(before, row)
        return belief, self._gate.read(belief, mid_skill=True)
