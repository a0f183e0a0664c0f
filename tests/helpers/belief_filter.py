"""Belief tests: kitchens in a drawn-up state, and a filter that watches player 1 of one."""

from itertools import pairwise

import numpy as np

from bba.belief import BeliefFilter, FilterConfig, StayModel
from bba.kitchen import Kitchen, constants
from bba.kitchen.state import FACING, HELD, POSITION, StateVector


def kitchen(layout: str = "open", *, ego: tuple[int, int], partner: tuple[int, int], held: int = 0) -> Kitchen:
    """A kitchen with both cooks placed; the partner faces north and holds `held`."""
    made = Kitchen(layout)
    width = made.layout.width
    made.state[POSITION], made.state[POSITION + 1] = ego[1] * width + ego[0], partner[1] * width + partner[0]
    made.state[FACING : FACING + 2] = constants.NORTH
    made.state[HELD + 1] = held
    return made


def watcher(made: Kitchen, *, stay_model: StayModel = StayModel.NOISY, **settings: float | int | str) -> BeliefFilter:
    return BeliefFilter(made.grid, 1, FilterConfig(**settings), stay_model=stay_model)  # type: ignore[arg-type]


def act(made: Kitchen, *actions: int) -> list[StateVector]:
    """The rows from before the first to after the last of the partner's actions; the ego stays."""
    rows = [made.state.copy()]
    for action in actions:
        made.step((constants.ACTION_STAY, action))
        rows.append(made.state.copy())
    return rows


def watch(belief: BeliefFilter, rows: list[StateVector]):
    """The reading after each of consecutive rows."""
    return [belief.update(before, after) for before, after in pairwise(rows)]


def uniform(size: int = 6) -> np.ndarray:
    return np.full(size, 1 / size)
