"""The skills of people, inferred from public events after the game.

Each step that a person played by hand gets the next skill that the person completes; steps after the last completion
get no skill. A skill that the person picked by number, and that the controller ran, is known and is not inferred.
"""

from dataclasses import replace

from bba.agents import HUMAN
from bba.kitchen import constants
from bba.kitchen.state import COMPLETED, EVENT
from bba.play.trace import Tick, Trace


def with_inferred_skills(trace: Trace) -> Trace:
    """Returns the trace with the inferred skills of people; the trace itself if no person plays."""
    if HUMAN not in trace.config.agents:
        return trace
    columns = [inferred_skills(trace.ticks, player) for player in (0, 1)]
    ticks = [tick._replace(skills=skills) for tick, skills in zip(trace.ticks, zip(*columns, strict=True), strict=True)]
    return replace(trace, ticks=ticks)


def inferred_skills(ticks: list[Tick], player: int) -> list[int]:
    """Returns a player's skill in each step: the one it ran, else the next one it completes, else NO_SKILL."""
    skills, following = [constants.NO_SKILL] * len(ticks), constants.NO_SKILL
    for i in range(len(ticks) - 1, -1, -1):
        tick = ticks[i]
        if tick.state[COMPLETED + player]:
            following = int(tick.state[EVENT + player])
        by_hand = tick.skills[player] == constants.NO_SKILL
        skills[i] = following if by_hand else tick.skills[player]
    return skills
