"""The rows of a study's table `events`: those of the participant's log, and those of the kitchen."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from bba.analysis.trace_columns import skill_name
from bba.kitchen import constants
from bba.kitchen.state import DELIVERED_IN_ORDER, EXPIRED, FIRES, StateVector
from bba.play import Tick, Trace
from bba.play.trace import EGO
from bba.tabular import Row
from human.study.activity_log import LogLine

COOKS = ("agent", "participant")  # by seat


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


def kitchen_rows(trace: Trace, times: Mapping[int, datetime]) -> Iterator[Row]:
    """Yields the events of the kitchen, in order, with the times of their steps."""
    for found in kitchen_events(trace):
        at = times.get(found.step)
        yield {"step": found.step, "at": at.isoformat() if at else None, **found._asdict()}


def kitchen_events(trace: Trace) -> Iterator[GameEvent]:
    """Yields completed skills, deliveries, orders without a burrito, fires, replans and fallbacks of the planner."""
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    for tick, (before, after) in zip(trace.ticks, pairwise(states), strict=True):
        yield from _counted(tick.step, before, after)
        yield from _done(tick, before)
        decision = tick.decisions[EGO]
        if decision.replanned:
            yield GameEvent(tick.step, "replan", COOKS[EGO])
        if decision.plan is not None and decision.plan.fallback:
            yield GameEvent(tick.step, "fallback", COOKS[EGO])


def _counted(step: int, before: StateVector, after: StateVector) -> Iterator[GameEvent]:
    for place, event in ((FIRES, "fire"), (EXPIRED, "order lost")):
        if after[place] > before[place]:
            yield GameEvent(step, event)


def _done(tick: Tick, before: StateVector) -> Iterator[GameEvent]:
    for done in tick.events:
        if done.complete:
            yield GameEvent(tick.step, "completed", COOKS[done.player], skill_name(done.skill))
            if done.skill == constants.SERVE:
                in_order = tick.state[DELIVERED_IN_ORDER] > before[DELIVERED_IN_ORDER]
                yield GameEvent(tick.step, "delivery", COOKS[done.player], "in order" if in_order else "out of order")


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
