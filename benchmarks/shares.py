"""The share of each part of a headless game: setting it up, compiled steps, what agents decide in Python, measures."""

import time
from collections.abc import Callable
from statistics import median
from typing import Any

from bba.analysis.measures import measure
from bba.play import Game
from bba.tables import Table, TableRow, table_of
from benchmarks.kitchens import LAYOUT

EGO, PARTNER, HORIZON = "bayes", "switching", 2400
SET_UP, STEPS, DECISIONS = "setting up", "compiled steps, choices included", "decisions in Python"
OTHER, MEASURES = "the rest", "measures"
PARTS = (SET_UP, STEPS, DECISIONS, OTHER, MEASURES)


def shares(repeats: int) -> dict[str, float]:
    """Returns the seconds that each part of one game takes, the median of so many games."""
    games = [_timed_game() for _ in range(1 + repeats)][1:]  # the first compiles
    return {part: median(game[part] for game in games) for part in PARTS}


def shares_table(seconds: dict[str, float]) -> Table:
    """Returns a table with a row a part."""
    total = sum(seconds.values())
    rows: list[TableRow] = []
    for part, spent in seconds.items():
        rows.append([part, f"{1e3 * spent:.1f}", f"{spent / total:.0%}"])
    return table_of(["part"], ["ms", "share"], rows=rows, title=f"A game of {EGO} and {PARTNER}, {HORIZON} steps")


def _timed_game() -> dict[str, float]:
    """Plays a game whose parts are timed where they are called."""
    spent = dict.fromkeys(PARTS, 0.0)
    began = time.perf_counter()
    game = Game(LAYOUT, EGO, PARTNER, horizon=HORIZON, fast=True)
    spent[SET_UP] = time.perf_counter() - began
    for agent in game.agents:
        _time(agent, "decide", spent, DECISIONS)
    _time(game._runner, "run", spent, STEPS)
    began = time.perf_counter()
    trace = game.run()
    spent[OTHER] = time.perf_counter() - began - spent[STEPS] - spent[DECISIONS]
    began = time.perf_counter()
    measure(trace)
    spent[MEASURES] = time.perf_counter() - began
    return spent


def _time(owner: object, name: str, spent: dict[str, float], part: str) -> None:
    """Replaces a method of one object by itself with a clock."""
    method: Callable[..., Any] = getattr(owner, name)

    def timed(*arguments: Any) -> Any:
        began = time.perf_counter()
        try:
            return method(*arguments)
        finally:
            spent[part] += time.perf_counter() - began

    setattr(owner, name, timed)
