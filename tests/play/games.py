"""A game that several tests look at."""

from bba.play import Game

REPLAN = 217
"""The step in which the ego of `parting_game` replans and turns to another skill, for the first time."""
BEFORE = 180
"""A step before it to fork at."""


def parting_game(horizon: int = 2400) -> Game:
    """With a gate the ego parts in step `REPLAN` from what it does without one."""
    return Game("open", "bayes", "switching", 54, horizon=horizon)
