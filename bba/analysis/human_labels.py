"""The skills of people, inferred from public events after the game.

Each step that a person played by hand gets the next skill that the person completes. Steps after the last completion
get no skill, and neither does a wait of `WAIT` steps or more before the first move towards a skill: who waits pursues
nothing yet, and a switch begins with the work, not with the wait before it. A skill that the person picked by number,
and that the controller ran, is known and is not inferred.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bba.agents import HUMAN
from bba.kitchen import constants
from bba.kitchen.state import COMPLETED, EVENT
from bba.play.trace import Tick, Trace

WAIT = 10  # steps without an action, after a completed skill, from which they are a wait and not a hesitation


def with_inferred_skills(trace: Trace) -> Trace:
    """Returns the trace with the inferred skills of people; the trace itself if no person plays."""
    if HUMAN not in trace.config.agents:
        return trace
    columns = [inferred_skills(trace.ticks, player) for player in (0, 1)]
    ticks = [tick._replace(skills=skills) for tick, skills in zip(trace.ticks, zip(*columns, strict=True), strict=True)]
    return replace(trace, ticks=ticks)


def inferred_skills(ticks: Sequence[Tick], player: int) -> list[int]:
    """Returns a player's skill in each step: the one it ran, else the next one it completes, else NO_SKILL."""
    skills = _completed_next(ticks, player)
    for start, end in _waits(ticks, player):
        skills[start:end] = [constants.NO_SKILL] * (end - start)
    return skills


def _waits(ticks: Sequence[Tick], player: int) -> Iterator[tuple[int, int]]:
    """Yields the waits, each by its first index and the one after its last; they follow the start or a completion."""
    begins = [0, *(i + 1 for i, tick in enumerate(ticks) if tick.state[COMPLETED + player])]
    for start in begins:
        end = next((i for i in range(start, len(ticks)) if not _idle(ticks[i], player)), len(ticks))
        if end - start >= WAIT:
            yield start, end


def _idle(tick: Tick, player: int) -> bool:
    """Whether a player does nothing in a step: it stays, and no skill runs."""
    return tick.skills[player] == constants.NO_SKILL and tick.actions[player] == constants.ACTION_STAY


def _completed_next(ticks: Sequence[Tick], player: int) -> list[int]:
    """Returns for each step the skill that the player ran, else the next one that it completes, else NO_SKILL."""
    skills, following = [constants.NO_SKILL] * len(ticks), constants.NO_SKILL
    for i in range(len(ticks) - 1, -1, -1):
        tick = ticks[i]
        if tick.state[COMPLETED + player]:
            following = int(tick.state[EVENT + player])
        by_hand = tick.skills[player] == constants.NO_SKILL
        skills[i] = following if by_hand else tick.skills[player]
    return skills
