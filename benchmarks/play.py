"""The subjects above the kitchen: the belief and the gate, and whole games with an agent in each seat."""

from collections.abc import Callable
from itertools import pairwise

from bba.belief import BeliefFilter, FilterSettings, Gate, GateSettings
from bba.kitchen.grid import grid_of
from bba.play import Game
from benchmarks.kitchens import LAYOUT
from benchmarks.timing import Subject

PARTNER = 1


def subjects() -> list[Subject]:
    """Everything that is timed above the kitchen."""
    return [
        Subject("belief and gate, one update", "plain", updates(fast=False, horizon=600)),
        Subject("belief and gate, one update", "compiled", updates(fast=True, horizon=2400)),
        Subject("game of bayes and switching", "plain", games(fast=False, horizon=300)),
        Subject("game of bayes and switching", "compiled", games(fast=True, horizon=2400)),
    ]


def updates(*, fast: bool, horizon: int) -> Callable[[], int]:
    """The filter and the gate watch the partner of a recorded game."""
    trace = Game(LAYOUT, "proagent", "switching", horizon=horizon, fast=True).run()
    rows = [trace.start, *(tick.row for tick in trace.ticks)]
    grid = grid_of(trace.setup.layout)

    def run() -> int:
        belief = BeliefFilter(grid, PARTNER, FilterSettings(), held_back=True, fast=fast)
        gate = Gate(GateSettings())
        for before, after in pairwise(rows):
            gate.read(belief.update(before, after), mid_skill=True)
        return horizon

    return run


def games(*, fast: bool, horizon: int) -> Callable[[], int]:
    """A whole headless game: scripted planner, belief, gate, observer, controllers, rules and the trace."""

    def run() -> int:
        Game(LAYOUT, "bayes", "switching", horizon=horizon, fast=fast).run()
        return horizon

    return run
