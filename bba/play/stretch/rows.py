"""The arrays of a stretch: what the kernel reads and writes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.agents.compiled.policy import N_CHOICE, CompiledPolicy
from bba.belief.partner_model import ModelState
from bba.kitchen.state import StateVector

OBSERVER = 2  # the watcher that is no player
NOBODY = -1  # watched by a watcher that has no model
CONTINUES, CHOOSES, REPLANS, IS_ASKED = range(4)  # what a player does next
RUNNING_BEFORE, AGE_BEFORE, ENDED_BEFORE = range(3)  # columns of `Rows.before`


class Rows(NamedTuple):
    """One row a step; N rows, states of S numbers, readings of W."""

    states: StateVector  # (2 + N, S) two states first: before the last step, and now; then those after each step
    actions: NDArray[np.int32]  # (N, 2)
    skills: NDArray[np.int32]  # (N, 2)
    ages: NDArray[np.int32]  # (N, 2)
    before: NDArray[np.int32]  # (N, 2, 3) the running skill, its age and how the last one ended, before the choice
    choices: NDArray[np.int32]  # (N, 2, 5) (`bba.agents.compiled.policy`)
    readings: NDArray[np.float64]  # (N, 3, W) of player 0, player 1 and the observer, before the step is played


class Players(NamedTuple):
    """Who watches whom, how the players choose, and when they have to be asked."""

    models: tuple[ModelState, ModelState, ModelState]  # of player 0, player 1 and the observer
    policies: tuple[CompiledPolicy, CompiledPolicy]
    watched: NDArray[np.int64]  # (3,) the player that each models, NOBODY for a watcher without a model
    interrupted_by: NDArray[np.int64]  # (2,) the gates that interrupt each player's skill, as bits
    learns: NDArray[np.int64]  # (2,) after what work of its partner a player is asked (`bba.agents.continuing`)
    until: NDArray[np.int64]  # (2,) the number of played steps at which it is asked
    does: NDArray[np.int64]  # (2,) what it does in the next step
    given: NDArray[np.int64]  # (2, 2) what was chosen by a player that was asked, as bits, and its skill


def new_rows(count: int, state_size: int, reading_size: int) -> Rows:
    """Returns rows for so many steps."""
    actions, skills, ages = (np.empty((count, 2), np.int32) for _ in range(3))
    before, choices = np.empty((count, 2, 3), np.int32), np.empty((count, 2, N_CHOICE), np.int32)
    states, readings = np.empty((2 + count, state_size), np.int32), np.zeros((count, 3, reading_size))
    return Rows(states, actions, skills, ages, before, choices, readings)
