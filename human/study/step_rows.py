"""The steps and events of a study's games: what both cooks did in each step, and when it was played.

The table `steps` has a selection of the columns of an exported game (docs/reference/columns.csv), under names that say
who is meant.
"""

from collections.abc import Iterator, Mapping
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
STEP_COLUMNS: dict[str, Column] = {
    "at": Column("str", "when it was played (UTC, ISO 8601); missing where no log was kept"),
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


class StudyEvent(NamedTuple):
    """What a row of `events` is about.

    Attributes:
        step: its step, or the steps before it.
        at: when it was, as far as that is known.
        event: what happened, in a word.
        who: "agent" or "participant"; None if nobody did it.
        detail: what about it, in a word.
    """

    step: int | None
    at: datetime | None
    event: str
    who: str | None = None
    detail: str | None = None


def kitchen_events(trace: Trace, times: Mapping[int, datetime], person: int = PARTNER) -> Iterator[StudyEvent]:
    """Yields completed skills, deliveries, orders without a burrito, fires, replans and fallbacks of the planner.

    Args:
        trace, times, person: as in `step_rows`.
    """
    cooks = SEAT_NAMES if person == PARTNER else SEAT_NAMES[::-1]
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    for tick, (before, after) in zip(trace.ticks, pairwise(states), strict=True):
        for event, seat, detail in _happened(tick, before, after):
            yield StudyEvent(tick.step, times.get(tick.step), event, None if seat is None else cooks[seat], detail)


def _happened(tick: Tick, before: StateVector, after: StateVector) -> Iterator[tuple[str, int | None, str | None]]:
    """Yields what happened in a step, in a word; the seat of who did it, if somebody did; and what about it."""
    for place, event in ((FIRES, "fire"), (EXPIRED, "order lost")):
        if after[place] > before[place]:
            yield event, None, None
    for done in tick.events:
        if done.complete:
            yield "completed", done.player, skill_name(done.skill)
            if done.skill == constants.SERVE:
                in_order = after[DELIVERED_IN_ORDER] > before[DELIVERED_IN_ORDER]
                yield "delivery", done.player, "in order" if in_order else "out of order"
    decision = tick.decisions[EGO]
    if decision.replanned:
        yield "replan", EGO, None
    if decision.plan is not None and decision.plan.fallback:
        yield "fallback", EGO, None
