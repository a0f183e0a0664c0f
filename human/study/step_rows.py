"""The table `steps` of a study: what both cooks did in each step, and when it was played.

It is a selection of the columns of an exported game (docs/reference/columns.csv), under names that say who is meant.

The rows of a study's table `events`: those of the participant's log, and those of the kitchen.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from bba.analysis.trace_columns import TraceStep, skill_name
from bba.analysis.trace_table import TRACE_COLUMNS, trace_steps
from bba.kitchen import constants
from bba.kitchen.state import DELIVERED_IN_ORDER, EXPIRED, FIRES, StateVector
from bba.play import Tick, Trace
from bba.play.trace import EGO, PARTNER
from bba.tabular import Column, Row, read_row
from human.study.activity_log import LogLine

COOK_COLUMNS = ("x", "y", "facing", "held", "action", "skill", "role")


def _named(whom: str, prefix: str, names: tuple[str, ...]) -> dict[str, Column[TraceStep]]:
    """Returns columns whose names and descriptions say whom they are about; `prefix` is that of a trace table."""
    columns = {f"{whom}_{name}": TRACE_COLUMNS[f"{prefix}_{name}"] for name in names}
    return {name: replace(column, description=f"{whom}: {column.description}") for name, column in columns.items()}


_BELIEFS = {  # about the person in the partner's seat
    **_named("agent", f"p{EGO}", ("map", "confidence")),
    **_named("observer", "obs", ("map", "confidence")),
}


def _columns(person: int) -> dict[str, Column[TraceStep]]:
    """Returns the columns for a participant in this seat."""
    return {
        **{name: TRACE_COLUMNS[name] for name in ("step", "score", "reward", "deliveries", "expired", "fires")},
        **_named("participant", f"p{person}", COOK_COLUMNS),
        **_named("agent", f"p{EGO + PARTNER - person}", (*COOK_COLUMNS, "chosen", "replanned")),
        **_BELIEFS,
        "complementary": replace(
            TRACE_COLUMNS["complementary"],
            description="whether the agent's role complements the participant's; missing without a role",
        ),
    }


_READERS = {person: _columns(person) for person in (EGO, PARTNER)}  # by the participant's seat
_OTHER_WORDS = {
    "participant_skill": "participant: the skill that it ran, or is inferred to have pursued",
    "participant_role": "participant: the role of that skill",
}
STEP_COLUMNS: dict[str, Column] = {
    "at": Column("str", "when it was played (UTC, ISO 8601); missing where no log was kept"),
    **{
        name: replace(column, description=_OTHER_WORDS.get(name, column.description))
        for name, column in _READERS[PARTNER].items()
    },
}


def step_rows(trace: Trace, times: Mapping[int, datetime], person: int = PARTNER) -> Iterator[Row]:
    """Yields a row a step.

    Args:
        trace: the game, with the participant's inferred skills.
        times: when each step was played, as far as it is known.
        person: the participant's seat; no belief is about the person in the ego's seat.
    """
    unseen = dict.fromkeys((*_BELIEFS, "complementary")) if person == EGO else {}
    for step in trace_steps(trace):
        at = times.get(step.tick.step)
        yield {"at": at.isoformat() if at else None, **read_row(_READERS[person], step), **unseen}


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
