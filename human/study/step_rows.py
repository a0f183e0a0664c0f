"""The table `steps` of a study: what both cooks did in each step, and when it was played.

It is a selection of the columns of an exported game (docs/reference/columns.csv), under names that say who is meant.

The rows of a study's table `events`: those of the participant's log, and those of the kitchen.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from bba.analysis.belief_columns import COORDINATION_COLUMNS, belief_columns
from bba.analysis.trace_columns import TraceColumn, body_columns, game_columns, skill_name, work_columns
from bba.kitchen import constants
from bba.kitchen.state import DELIVERED_IN_ORDER, EXPIRED, FIRES, StateVector
from bba.play import Tick, Trace
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER
from bba.tabular import Column, Row
from human.study.activity_log import LogLine

COOK_COLUMNS = ("x", "y", "facing", "held", "action", "skill", "role")
BELIEVED = ("map", "confidence")


def _named(prefix: str, columns: Mapping[str, TraceColumn], names: tuple[str, ...]) -> dict[str, TraceColumn]:
    """Returns columns whose names and descriptions say whom they are about."""
    chosen = {name: columns[name] for name in names}
    return {
        f"{prefix}_{name}": replace(column, description=f"{prefix}: {column.description}")
        for name, column in chosen.items()
    }


_BELIEFS: dict[str, TraceColumn] = {  # about the person in the partner's seat
    **_named("agent", belief_columns(lambda tick: tick.decisions[EGO].belief), BELIEVED),
    **_named("observer", belief_columns(lambda tick: tick.observer), BELIEVED),
}
_COMPLEMENTARY = COORDINATION_COLUMNS["complementary"]


def _columns(person: int) -> dict[str, TraceColumn]:
    """Returns the columns for a participant in this seat."""
    other = EGO + PARTNER - person
    return (
        {name: game_columns()[name] for name in ("step", "score", "reward", "deliveries", "expired", "fires")}
        | _named("participant", body_columns(person) | work_columns(person), COOK_COLUMNS)
        | _named("agent", body_columns(other) | work_columns(other), (*COOK_COLUMNS, "chosen", "replanned"))
        | _BELIEFS
    )


_READERS = {person: _columns(person) for person in (EGO, PARTNER)}  # by the participant's seat
_OTHER_WORDS = {
    "participant_skill": "participant: the skill that it ran, or is inferred to have pursued",
    "participant_role": "participant: the role of that skill",
}
AT = Column("str", "when it was played (UTC, ISO 8601); missing where no log was kept")
STEP_COLUMNS: dict[str, Column] = {
    "at": AT,
    **{
        name: Column(column.type, _OTHER_WORDS.get(name, column.description))
        for name, column in _READERS[PARTNER].items()
    },
    "complementary": Column(
        _COMPLEMENTARY.type, "whether the agent's role complements the participant's; missing without a role"
    ),
}


def step_rows(trace: Trace, times: Mapping[int, datetime], person: int = PARTNER) -> Iterator[Row]:
    """Yields a row a step.

    Args:
        trace: the game, with the participant's inferred skills.
        times: when each step was played, as far as it is known.
        person: the participant's seat; no belief is about the person in the ego's seat.
    """
    unseen = dict.fromkeys((*_BELIEFS, "complementary")) if person == EGO else {}
    complementary = _COMPLEMENTARY.read(step_arrays(trace.ticks))
    for tick, complements in zip(trace.ticks, complementary, strict=True):
        at = times.get(tick.step)
        config = trace.config_at(tick.step)
        read = {name: column.read(tick, config) for name, column in _READERS[person].items()}
        yield {"at": at.isoformat() if at else None, **read, "complementary": complements, **unseen}


SEAT_NAMES = ("agent", "participant")  # by seat; the other way round for a participant in the ego's seat


class GameEvent(NamedTuple):
    """An event of a game.

    Attributes:
        step: its step.
        event: what happened, in a word.
        who: "agent" or "participant"; None if nobody did it.
        detail: what about it, in a word.
    """

    step: int
    event: str
    who: str | None = None
    detail: str | None = None


def kitchen_rows(trace: Trace, times: Mapping[int, datetime], person: int = PARTNER) -> Iterator[Row]:
    """Yields the events of the kitchen, in order, with the times of their steps; `person` is the participant's seat."""
    for found in kitchen_events(trace, SEAT_NAMES if person == PARTNER else SEAT_NAMES[::-1]):
        at = times.get(found.step)
        yield {"step": found.step, "at": at.isoformat() if at else None, **found._asdict()}


def kitchen_events(trace: Trace, cooks: tuple[str, str] = SEAT_NAMES) -> Iterator[GameEvent]:
    """Yields completed skills, deliveries, orders without a burrito, fires, replans and fallbacks of the planner."""
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    for tick, (before, after) in zip(trace.ticks, pairwise(states), strict=True):
        yield from _counted(tick.step, before, after)
        yield from _done(tick, before, cooks)
        decision = tick.decisions[EGO]
        if decision.replanned:
            yield GameEvent(tick.step, "replan", cooks[EGO])
        if decision.plan is not None and decision.plan.fallback:
            yield GameEvent(tick.step, "fallback", cooks[EGO])


def _counted(step: int, before: StateVector, after: StateVector) -> Iterator[GameEvent]:
    for place, event in ((FIRES, "fire"), (EXPIRED, "order lost")):
        if after[place] > before[place]:
            yield GameEvent(step, event)


def _done(tick: Tick, before: StateVector, cooks: tuple[str, str]) -> Iterator[GameEvent]:
    for done in tick.events:
        if done.complete:
            yield GameEvent(tick.step, "completed", cooks[done.player], skill_name(done.skill))
            if done.skill == constants.SERVE:
                in_order = tick.state[DELIVERED_IN_ORDER] > before[DELIVERED_IN_ORDER]
                yield GameEvent(tick.step, "delivery", cooks[done.player], "in order" if in_order else "out of order")


def log_rows(lines: Iterable[LogLine]) -> Iterator[Row]:
    """Yields the events of a participant's log."""
    for line in lines:
        yield {
            "step": line.step,
            "at": line.at.isoformat(),
            "event": line.what,
            "who": "participant",
            "detail": line.detail,
        }
