"""Advice to a person: one useful next thing, chosen by the scripted planner for the person's seat.

The planner is asked in the state, as a trace gives it, without a belief about the partner. Its choice is kept until the
person has completed a skill, the skill can no longer be done, or it has been advised for as long as a skill may run.
"""

from typing import NamedTuple

import numpy as np

from bba.agents.base import EpisodeContext, Observation
from bba.agents.scripted_planner import ScriptedPlanner
from bba.belief import StayModel
from bba.config import PLANNER_DEFAULTS, SKILL_TIMEOUT
from bba.kitchen import Layout, Position, StateVector, constants, grid_of
from bba.kitchen.controller import TARGET, new_skill_runs, next_actions, start_skill
from bba.planner import Prompts
from bba.play.trace import Trace


def observation_before(trace: Trace, step: int, player: int) -> Observation:
    """Returns what a player saw before a step (1 is the first), as one that has to choose a skill."""
    before, state = trace.state(step - 2) if step > 1 else None, trace.state(step - 1)
    return Observation(
        player, trace.config.layout, before, state, constants.NO_SKILL, age=0, ended=constants.DONE, fast=False
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
    """Returns how a player would do a skill from here, as the controller would; `WAIT` where it cannot be done."""
    grid, controlled = grid_of(layout), (player == 0, player == 1)
    runs, actions = new_skill_runs(controlled), np.full(2, constants.ACTION_STAY, np.int32)
    if skill == constants.SKILL_STAY or not start_skill(grid, state, runs, player, skill):
        return WAIT_ADVICE
    next_actions(grid, state, runs, actions)
    target = int(runs[player, TARGET])
    distance = int(grid.distance_to_adjacent[target, state[constants.POSITION + player]])
    return Advice(skill, (target % layout.width, target // layout.width), distance, int(actions[player]))


class Adviser:
    """Advises one player of a game that goes on.

    Args:
        trace: the game.
        player: the seat of the person, 0 or 1.
    """

    def __init__(self, trace: Trace, player: int) -> None:
        self._trace, self._player = trace, player
        self._planner = ScriptedPlanner(Prompts.load(), "base", PLANNER_DEFAULTS.history_turns)
        self._planner.reset(EpisodeContext(player, trace.config.layout, trace.config.seed, StayModel.NOISY, fast=False))
        self._skill, self._since, self._seen = constants.SKILL_STAY, 0, -1

    def advise(self) -> Advice:
        """Returns the advice for the newest state; it asks the planner only where it has to."""
        step = len(self._trace.ticks)
        state = self._trace.state(step)
        way = way_to(self._trace.config.layout, state, self._player, self._skill)
        if step != self._seen and (way == WAIT_ADVICE or self._outdated(step)):
            self._skill, self._since = self._ask(step), step
            way = way_to(self._trace.config.layout, state, self._player, self._skill)
        self._seen = step
        return way

    def _outdated(self, step: int) -> bool:
        """Whether the person has completed a skill since the advice, or has not followed it for long."""
        done = any(tick.state[constants.COMPLETED + self._player] for tick in self._trace.ticks[self._since :])
        return done or step - self._since >= SKILL_TIMEOUT

    def _ask(self, step: int) -> int:
        observation = observation_before(self._trace, step + 1, self._player)
        decision = self._planner.plan(observation, None)
        self._planner.commit(observation, decision)
        return decision.skill
