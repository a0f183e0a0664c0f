"""The steps and events of a study's games: what both cooks did in each step, and when it was played.

The table `steps` has a selection of the columns of an exported game (docs/reference/columns.csv), under names that say
who is meant.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from bba.analysis.timeline import events_of
from bba.analysis.trace_columns import TraceStep, skill_name
from bba.analysis.trace_table import TRACE_COLUMNS, trace_steps
from bba.kitchen.constants import ACTION_STAY, NO_SKILL
from bba.play.trace import EGO, PARTNER, Trace
from bba.tabular import Column, Row, read_row

COOK_COLUMNS = ("x", "y", "facing", "held", "action", "skill", "role")


def _named(whom: str, prefix: str, names: tuple[str, ...]) -> dict[str, Column[TraceStep]]:
    """Returns columns whose names and descriptions say whom they are about; `prefix` is that of a trace table."""
    columns = {f"{whom}_{name}": TRACE_COLUMNS[f"{prefix}_{name}"] for name in names}
    return {name: replace(column, description=f"{whom}: {column.description}") for name, column in columns.items()}


_BELIEFS = {  # about the person in the partner's seat
    **_named("agent", f"p{EGO}", ("map", "confidence")),
    **_named("observer", "obs", ("map", "confidence")),
}


def _moved_by(step: TraceStep, person: int) -> str | None:
    """Returns what moved a person in a step; None if nothing did."""
    decision = step.tick.decisions[person]
    if decision.skill != NO_SKILL:
        return "skill"
    return None if decision.action in (None, ACTION_STAY) else "key"


def _columns(person: int) -> dict[str, Column[TraceStep]]:
    return {
        **{name: TRACE_COLUMNS[name] for name in ("step", "score", "reward", "deliveries", "expired", "fires")},
        **_named("participant", f"p{person}", COOK_COLUMNS),
        "participant_moved_by": Column(
            "str",
            "what moved the participant: key, or a skill that it chose and the program carries out; else missing",
            partial(_moved_by, person=person),
        ),
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
STUDIED_EVENTS = ("fire", "order lost", "completed", "delivery", "replan", "fallback")


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
    for step in range(1, len(trace.ticks) + 1):
        for event in events_of(trace, step):
            if event.kind in STUDIED_EVENTS:
                who = None if event.cook is None else cooks[event.cook]
                details = {"completed": skill_name(event.number), "delivery": event.detail}
                yield StudyEvent(step, times.get(step), event.kind, who, details.get(event.kind))
