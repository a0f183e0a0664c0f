"""The subjects above the kitchen: the belief and the gate, and whole games with an agent in each seat."""

from collections.abc import Callable
from itertools import pairwise

from bba.analysis.measures import measure
from bba.belief import BeliefConfig, PartnerModel, StayModel
from bba.kitchen import Layout
from bba.kitchen.grid import grid_of
from bba.play import Game
from bba.play.trace import PARTNER
from benchmarks.kitchens import LAYOUT, Watcher, skills_one_by_one, skills_plain
from benchmarks.timing import Subject


def subjects() -> list[Subject]:
    """Everything that is timed above the kitchen."""
    return [
        Subject("random skills, with belief and gates", "plain", skills_plain(500, watcher(fast=False))),
        Subject("random skills, with belief and gates", "compiled", skills_one_by_one(1_500, watcher(fast=True))),
        Subject("belief and gates, one update", "plain", updates(fast=False, horizon=600)),
        Subject("belief and gates, one update", "compiled", updates(fast=True, horizon=2400)),
        Subject("game of bayes and switching", "plain", games(fast=False, horizon=300)),
        Subject("game of bayes and switching", "compiled", games(fast=True, horizon=2400)),
        Subject("the same with its measures", "compiled", games(fast=True, horizon=2400, measured=True)),
    ]


def watcher(*, fast: bool) -> Watcher:
    """A filter and both gates that take in one step of the partner, as in games."""
    grid = grid_of(Layout.load(LAYOUT))
    model = PartnerModel(grid, PARTNER, BeliefConfig(), stay_model=StayModel.NOISY, fast=fast)
    return lambda before, after: model.observe(before, after, mid_skill=True)


def updates(*, fast: bool, horizon: int) -> Callable[[], int]:
    """The filter and the gates watch the partner of a recorded game."""
    trace = Game(LAYOUT, "proagent", "switching", horizon=horizon, fast=True).run()
    rows = [trace.start, *(tick.state for tick in trace.ticks)]

    def run() -> int:
        watch = watcher(fast=fast)
        for before, after in pairwise(rows):
            watch(before, after)
        return horizon

    return run


def games(*, fast: bool, horizon: int, measured: bool = False) -> Callable[[], int]:
    """A whole headless game: scripted planner, belief, gate, observer, controllers, rules and trace; with measures."""

    def run() -> int:
        trace = Game(LAYOUT, "bayes", "switching", horizon=horizon, fast=fast).run()
        if measured:
            measure(trace)
        return horizon

    return run
