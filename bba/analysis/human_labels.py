"""What a person was doing, read afterwards from the public events (kitchen.md, section 8).

Each step that a person played by hand is labelled with the next skill that it completes; the steps after its last
completion have no label. Where the controller ran a skill that the person had picked, the skill is known as it is.
"""

from dataclasses import replace

from bba.agents import HUMAN
from bba.kitchen import constants
from bba.kitchen.state import COMPLETED, EVENT
from bba.play.trace import Tick, Trace


def with_inferred_skills(trace: Trace) -> Trace:
    """The same game with the skills of people filled in; the trace itself where no person plays."""
    if HUMAN not in trace.config.agents:
        return trace
    columns = [inferred_skills(trace.ticks, player) for player in (0, 1)]
    ticks = [tick._replace(skills=skills) for tick, skills in zip(trace.ticks, zip(*columns, strict=True), strict=True)]
    return replace(trace, ticks=ticks)


def inferred_skills(ticks: list[Tick], player: int) -> list[int]:
    """The skill of a player in each step: the one it ran, else the next one that it completed; NO_SKILL after that."""
    skills, following = [constants.NO_SKILL] * len(ticks), constants.NO_SKILL
    for i in range(len(ticks) - 1, -1, -1):
        tick = ticks[i]
        if tick.state[COMPLETED + player]:
            following = int(tick.state[EVENT + player])
        by_hand = tick.skills[player] == constants.NO_SKILL
        skills[i] = following if by_hand else tick.skills[player]
    return skills
