"""The rows of a study's table `events`: those of the participant's log, and those of the kitchen."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from bba.analysis.trace_columns import skill_name
from bba.kitchen import constants
from bba.kitchen.state import DELIVERED_IN_ORDER, EXPIRED, FIRES, StateVector
from bba.play import Tick, Trace
from bba.play.trace import EGO, PARTNER
from bba.tabular import Row
from human.study.activity_log import LogLine

COOKS = ("agent", "participant")  # by seat; the other way round for a participant in the ego's seat


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
    for found in kitchen_events(trace, COOKS if person == PARTNER else COOKS[::-1]):
        at = times.get(found.step)
        yield {"step": found.step, "at": at.isoformat() if at else None, **found._asdict()}


def kitchen_events(trace: Trace, cooks: tuple[str, str] = COOKS) -> Iterator[GameEvent]:
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
