"""Belief tests: kitchens in a drawn-up state, and a filter that watches player 1 of one."""

from itertools import pairwise

import numpy as np

from bba.belief import BeliefUpdate, PartnerModel, StayModel
from bba.config import BeliefConfig
from bba.kitchen import Kitchen, constants
from bba.kitchen.constants import FACING, HELD, POSITION, StateVector


def kitchen(layout: str = "open", *, ego: tuple[int, int], partner: tuple[int, int], held: int = 0) -> Kitchen:
    """A kitchen with both cooks placed; the partner faces north and holds `held`."""
    made = Kitchen(layout)
    width = made.layout.width
    made.state[POSITION], made.state[POSITION + 1] = ego[1] * width + ego[0], partner[1] * width + partner[0]
    made.state[FACING : FACING + 2] = constants.NORTH
    made.state[HELD + 1] = held
    return made


def watcher(made: Kitchen, *, stay_model: StayModel = StayModel.NOISY, **settings: float | int | str) -> PartnerModel:
    return PartnerModel(made.grid, 1, BeliefConfig.of(settings), stay_model=stay_model)


def act(made: Kitchen, *actions: int) -> list[StateVector]:
    """The rows from before the first to after the last of the partner's actions; the ego stays."""
    rows = [made.state.copy()]
    for action in actions:
        made.step((constants.ACTION_STAY, action))
        rows.append(made.state.copy())
    return rows


def updated(model: PartnerModel, before: StateVector, after: StateVector) -> BeliefUpdate:
    """The belief after the action between two states."""
    return model.observe(before, after, mid_skill=False).belief


def watch(model: PartnerModel, rows: list[StateVector]) -> list[BeliefUpdate]:
    """The belief after each of consecutive rows."""
    return [updated(model, before, after) for before, after in pairwise(rows)]


def uniform(size: int = 6) -> np.ndarray:
    return np.full(size, 1 / size)
