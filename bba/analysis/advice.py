"""Advice to a person who plays: a useful next skill, and the way to it.

The scripted planner chooses the skill for the person's seat, without a belief about the partner. The advice stays until
the person has completed a skill, the skill can no longer be done, or it was advised for as long as a skill may run.
"""

from typing import NamedTuple

import numpy as np

from bba.agents.base import EpisodeContext, Observation
from bba.agents.scripted_planner import ScriptedPlanner
from bba.belief import (
    StayModel,
)
from bba.config import PLANNER_DEFAULTS, SKILL_TIMEOUT
from bba.kitchen import (
    TARGET,
    Layout,
    Position,
    StateVector,
    constants,
    grid_of,
    new_skill_runs,
    next_actions,
    start_skill,
)
from bba.planner import Prompts
from bba.play.trace import Trace


def observation_before(trace: Trace, step: int, player: int) -> Observation:
    """Returns a player's observation before a step (1 is the first), as one that has to choose a skill."""
    previous_state = trace.state(step - 2) if step > 1 else None
    state = trace.state(step - 1)
    return Observation(
        player, trace.config.layout, previous_state, state, constants.NO_SKILL, age=0, ended=constants.DONE, fast=False
    )


class Advice(NamedTuple):
    """A skill to do next, and the way to it.

    Attributes:
        skill: 0 to 26; STAY if there is nothing useful to do.
        target: the tile to go to; None for STAY.
        distance: the tiles to walk until the target is next to the player.
        action: the next primitive action on the way: a direction, interact, or stay where the other cook is in the way.
    """

    skill: int
    target: Position | None = None
    distance: int = 0
    action: int = constants.ACTION_STAY


WAIT_ADVICE = Advice(constants.SKILL_STAY)


def way_to(layout: Layout, state: StateVector, player: int, skill: int) -> Advice:
    """Returns the way in which the controller would do a skill from a state; `WAIT_ADVICE` where that is impossible."""
    if skill == constants.SKILL_STAY:
        return WAIT_ADVICE
    grid = grid_of(layout)
    controlled = (player == 0, player == 1)
    runs = new_skill_runs(controlled)
    if not start_skill(grid, state, runs, player, skill):
        return WAIT_ADVICE
    actions = np.full(2, constants.ACTION_STAY, np.int32)
    next_actions(grid, state, runs, actions)
    target = int(runs[player, TARGET])
    row, column = divmod(target, layout.width)
    tile = int(state[constants.POSITION + player])
    distance = int(grid.distance_to_adjacent[target, tile])
    return Advice(skill, (column, row), distance, int(actions[player]))


class Adviser:
    """Advises one player of a game that goes on.

    Args:
        trace: the game.
        player: the seat of the person, 0 or 1.
    """

    def __init__(self, trace: Trace, player: int) -> None:
        self._trace = trace
        self._player = player
        self._planner = ScriptedPlanner(Prompts.load(), "base", PLANNER_DEFAULTS.history_turns)
        self._planner.reset(EpisodeContext(player, trace.config.layout, trace.config.seed, StayModel.NOISY, fast=False))
        self._skill = constants.SKILL_STAY
        self._since = 0
        self._seen = -1

    def advise(self) -> Advice:
        """Returns the advice for the newest state; the planner is asked only where it must be."""
        step = len(self._trace.ticks)
        advice = self._advice(step)
        if step != self._seen and (advice == WAIT_ADVICE or self._outdated(step)):
            self._skill = self._ask_planner(step)
            self._since = step
            advice = self._advice(step)
        self._seen = step
        return advice

    def _advice(self, step: int) -> Advice:
        """Returns how the person would do the advised skill after so many steps."""
        return way_to(self._trace.config.layout, self._trace.state(step), self._player, self._skill)

    def _outdated(self, step: int) -> bool:
        """Whether the person has completed a skill since the advice, or has not followed it for long."""
        completed = any(tick.state[constants.COMPLETED + self._player] for tick in self._trace.ticks[self._since :])
        return completed or step - self._since >= SKILL_TIMEOUT

    def _ask_planner(self, step: int) -> int:
        observation = observation_before(self._trace, step + 1, self._player)
        decision = self._planner.plan(observation, None)
        self._planner.commit(observation, decision)
        return decision.skill
