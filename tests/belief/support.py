"""Belief tests: kitchens in a drawn-up state, and a filter that watches player 1 of one."""

from itertools import pairwise

import numpy as np

from bba.belief import BeliefFilter, FilterSettings, Tempo
from bba.kitchen import Kitchen, codes
from bba.kitchen.state import FACING, HELD, POS, Row


def kitchen(layout: str = "open", *, ego: tuple[int, int], partner: tuple[int, int], held: int = 0) -> Kitchen:
    """A kitchen with both cooks placed; the partner faces north and holds `held`."""
    made = Kitchen(layout)
    width = made.layout.width
    made.row[POS], made.row[POS + 1] = ego[1] * width + ego[0], partner[1] * width + partner[0]
    made.row[FACING : FACING + 2] = codes.NORTH
    made.row[HELD + 1] = held
    return made


def watcher(made: Kitchen, *, tempo: Tempo = Tempo.HELD_BACK, **settings: float | int | str) -> BeliefFilter:
    return BeliefFilter(made.grid, 1, FilterSettings(**settings), tempo=tempo)  # type: ignore[arg-type]


def act(made: Kitchen, *actions: int) -> list[Row]:
    """The rows from before the first to after the last of the partner's actions; the ego stays."""
    rows = [made.row.copy()]
    for action in actions:
        made.step((codes.WAIT, action))
        rows.append(made.row.copy())
    return rows


def watch(belief: BeliefFilter, rows: list[Row]):
    """The reading after each of consecutive rows."""
    return [belief.update(before, after) for before, after in pairwise(rows)]


def uniform(size: int = 6) -> np.ndarray:
    return np.full(size, 1 / size)
