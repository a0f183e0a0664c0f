"""Observations of players, made again from a trace."""

from bba.agents.base import Observation
from bba.kitchen import constants
from bba.play.trace import Trace


def observation_before(trace: Trace, step: int, player: int) -> Observation:
    """Returns what a player saw before a step (1 is the first), as one that has to choose a skill."""
    before, state = (trace.ticks[n - 1].state if n else trace.start for n in (max(step - 2, 0), step - 1))
    skill, age, ended = constants.NO_SKILL, 0, constants.DONE
    return Observation(player, trace.config.layout, before if step > 1 else None, state, skill, age, ended, fast=False)
