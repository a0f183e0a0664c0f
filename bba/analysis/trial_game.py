"""A trial of a kitchen: whether two scripted cooks finish a burrito in it, and when."""

from collections.abc import Callable
from typing import NamedTuple

from bba.agents import load_agent
from bba.kitchen.layout import Layout
from bba.kitchen.state import DELIVERIES
from bba.play.game import Game

COOK = "proagent"  # with the scripted planner; no belief is in the way
HORIZON = 1200  # steps; half a game
LARGEST = 400  # tiles; the tables of walking distances grow with the cube of these


class TrialResult(NamedTuple):
    """What came of a trial: the step of the first delivery, None where there was none, and the steps played."""

    delivered_at: int | None
    steps: int


def trial_game(
    layout: Layout, *, seed: int = 0, horizon: int = HORIZON, goes_on: Callable[[], bool] = lambda: True
) -> TrialResult | None:
    """Lets two scripted cooks play until they have delivered a burrito.

    Args:
        layout: the kitchen, of at most `LARGEST` tiles.
        seed: of the game.
        horizon: steps after which they give up.
        goes_on: asked before every step; once it answers False the trial ends without a result.

    Returns:
        what came of it; None where it was stopped.
    """
    game = Game(layout, load_agent(COOK), load_agent(COOK), seed, horizon=horizon)
    while not game.done:
        if not goes_on():
            return None
        game.step()
        if game.kitchen.state[DELIVERIES]:
            return TrialResult(game.kitchen.steps, game.kitchen.steps)
    return TrialResult(None, game.kitchen.steps)
