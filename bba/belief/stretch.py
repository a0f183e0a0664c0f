"""A stretch of a game: steps in which both skills simply go on, played and taken in by one compiled call.

It is the same step that `bba.play.game` plays one by one: every model of a partner takes in the last actions, the
controller turns the running skills into actions, the rules play them, and skills that have ended are cleared. The
stretch ends where somebody has to choose or may want to: a player runs no skill, a gate opens that interrupts one, or a
player's partner has completed something that it learns from. The models have then taken in that step's actions already.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.belief.likelihood import Vector
from bba.belief.partner_model import ModelState, observe_action
from bba.kernels import kernel
from bba.kitchen.constants import NO_SKILL
from bba.kitchen.controller import AGE, SKILL, SkillRuns, check_completion, next_actions
from bba.kitchen.grid import Grid
from bba.kitchen.rules import step
from bba.kitchen.state import COMPLETED, StateVector

OBSERVER = 2  # the watcher that is no player
NOBODY = -1  # watched by a watcher that has no model


class Rows(NamedTuple):
    """What a stretch writes, one row a step; N rows, states of S numbers, readings of W."""

    states: StateVector  # (2 + N, S) two states first: before the last step, and now; then those after each step
    actions: NDArray[np.int32]  # (N, 2)
    skills: NDArray[np.int32]  # (N, 2)
    ages: NDArray[np.int32]  # (N, 2)
    readings: NDArray[np.float64]  # (N, 3, W) of player 0, player 1 and the observer, before the step is played

    def between(self, first: int, last: int) -> "Rows":
        """Returns the rows from `first` up to but without `last`."""
        return Rows(
            self.states[first : last + 2],
            self.actions[first:last],
            self.skills[first:last],
            self.ages[first:last],
            self.readings[first:last],
        )


class Watchers(NamedTuple):
    """Who watches whom, and when the players want to be asked."""

    models: tuple[ModelState, ModelState, ModelState]  # of player 0, player 1 and the observer
    watched: NDArray[np.int64]  # (3,) the player that each models, NOBODY for a watcher without a model
    interrupted_by: NDArray[np.int64]  # (2,) the gates that interrupt each player's skill, as bits
    learns: NDArray[np.bool_]  # (2,) whether a player learns from its partner's completions otherwise


def new_rows(count: int, state_size: int, reading_size: int) -> Rows:
    """Returns empty rows for so many steps."""
    actions, skills, ages = (np.empty((count, 2), np.int32) for _ in range(3))
    states, readings = np.empty((2 + count, state_size), np.int32), np.empty((count, 3, reading_size))
    return Rows(states, actions, skills, ages, readings)


@kernel
def play_stretch(
    grid: Grid, rows: Rows, runs: SkillRuns, watchers: Watchers, expected: Vector, until: int, timeout: int
) -> tuple[int, bool]:
    """Plays at most `until` steps. Returns how many, and whether the models have taken in the actions before the next.

    The first two rows of `states` are given; `expected` is empty (`bba.belief.filter`).
    """
    for i in range(until):
        if take_in(grid, rows.states[i], rows.states[i + 1], runs, watchers, expected, rows.readings[i]):
            return i, True
        rows.skills[i, 0], rows.skills[i, 1] = runs[0, SKILL], runs[1, SKILL]
        rows.ages[i, 0], rows.ages[i, 1] = runs[0, AGE], runs[1, AGE]
        next_actions(grid, rows.states[i + 1], runs, rows.actions[i])
        after = rows.states[i + 2]
        for number in range(len(after)):
            after[number] = rows.states[i + 1, number]
        step(grid, after, rows.actions[i, 0], rows.actions[i, 1])
        for player in range(2):
            check_completion(grid, after, runs, player, timeout)
    return until, False


@kernel
def take_in(
    grid: Grid,
    before: StateVector,
    now: StateVector,
    runs: SkillRuns,
    watchers: Watchers,
    expected: Vector,
    readings: NDArray[np.float64],
) -> bool:
    """Lets every model take in the last actions; returns whether a player has to be asked before the next step."""
    asked = False
    for watcher in range(3):
        watched = watchers.watched[watcher]
        mid_skill = watcher == OBSERVER or runs[watcher, SKILL] != NO_SKILL
        asked = asked or not mid_skill
        if watched != NOBODY:
            model, reading = watchers.models[watcher], readings[watcher]
            opened = observe_action(grid, before, now, watched, expected, mid_skill, model, reading)
            if watcher != OBSERVER and opened & watchers.interrupted_by[watcher]:
                asked = True
        if watcher != OBSERVER and watchers.learns[watcher] and now[COMPLETED + 1 - watcher]:
            asked = True
    return asked
