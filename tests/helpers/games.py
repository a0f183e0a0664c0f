"""Games that several tests look at."""

from dataclasses import replace
from functools import cache

from bba.play import Game, Trace

REPLAN = 217
"""The step in which the ego of `parting_game` replans and turns to another skill, for the first time."""
BEFORE = 180
"""A step before it to fork at."""


def parting_game(horizon: int = 2400) -> Game:
    """With a gate the ego parts in step `REPLAN` from what it does without one."""
    return Game("open", "bayes", "switching", 54, horizon=horizon, fast=True)


def game(layout: str = "open", **settings) -> Game:
    """Two switching partners: deterministic, and independent of the planner."""
    return Game(layout, "switching", "switching", **{"seed": 0, "horizon": 60} | settings)


def played(steps: int, **settings) -> Trace:
    """A game after so many steps; each caller gets ticks and bookmarks of its own."""
    whole = _played_once(steps, tuple(settings.items()))
    return replace(whole, ticks=list(whole.ticks), bookmarks={})


@cache
def _played_once(steps: int, settings: tuple) -> Trace:
    played_game = game(**dict(settings))
    for _ in range(steps):
        played_game.step()
    return played_game.trace
