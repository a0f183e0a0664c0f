"""The steps and events of a study's games: what both cooks did in each step, and when it was played.

The table `steps` has a selection of the columns of an exported game (docs/reference/columns.csv), under names that say
who is meant.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Annotated

from bba.analysis.events import events_of
from bba.analysis.trace_columns import TraceStep, skill_name
from bba.analysis.trace_table import TRACE_COLUMNS, trace_steps
from bba.kitchen.constants import ACTION_STAY, NO_SKILL
from bba.play.trace import EGO, PARTNER, Trace
from bba.tabular import Column, Row, read_row
from human.study.annotated_rows import AnnotatedRow

GAME_COLUMNS = ("step", "score", "reward", "deliveries", "expired", "fires")
COOK_COLUMNS = ("x", "y", "facing", "held", "action", "skill", "role")
AGENT_COLUMNS = (*COOK_COLUMNS, "chosen", "replanned")


def _columns_about(subject: str, prefix: str, names: tuple[str, ...]) -> dict[str, Column[TraceStep]]:
    """Returns columns whose names and descriptions begin with their subject; `prefix` is that of a trace table."""
    columns = {}
    for name in names:
        column = TRACE_COLUMNS[f"{prefix}_{name}"]
        columns[f"{subject}_{name}"] = replace(column, description=f"{subject}: {column.description}")
    return columns


_BELIEF_COLUMNS = ("map", "confidence")
_AGENT_BELIEF = _columns_about("agent", f"p{EGO}", _BELIEF_COLUMNS)
_OBSERVER_BELIEF = _columns_about("observer", "obs", _BELIEF_COLUMNS)
# About the person in the partner's seat.
_BELIEFS = _AGENT_BELIEF | _OBSERVER_BELIEF


def _moved_by(step: TraceStep, person: int) -> str | None:
    """Returns what moved a person in a step; None if nothing did."""
    decision = step.tick.decisions[person]
    if decision.skill != NO_SKILL:
        return "skill"
    if decision.action in (None, ACTION_STAY):
        return None
    return "key"


def _step_columns(person: int) -> dict[str, Column[TraceStep]]:
    agent = EGO + PARTNER - person
    moved_by = Column(
        "str",
        "what moved the participant: key, or a skill that it chose and the program carries out; else missing",
        partial(_moved_by, person=person),
    )
    complementary = replace(
        TRACE_COLUMNS["complementary"],
        description="whether the agent's role complements the participant's; missing without a role",
    )
    return {
        **{name: TRACE_COLUMNS[name] for name in GAME_COLUMNS},
        **_columns_about("participant", f"p{person}", COOK_COLUMNS),
        "participant_moved_by": moved_by,
        **_columns_about("agent", f"p{agent}", AGENT_COLUMNS),
        **_BELIEFS,
        "complementary": complementary,
    }


_COLUMNS_BY_SEAT = {seat: _step_columns(seat) for seat in (EGO, PARTNER)}  # by the participant's seat
_PERSON_DESCRIPTIONS = {
    "participant_skill": "participant: the skill that it ran, or is inferred to have pursued",
    "participant_role": "participant: the role of that skill",
}
STEP_COLUMNS: dict[str, Column] = {
    "at": Column("str", "when it was played (UTC, ISO 8601); missing where no log was kept"),
    **_COLUMNS_BY_SEAT[PARTNER],
}
for _name, _description in _PERSON_DESCRIPTIONS.items():
    STEP_COLUMNS[_name] = replace(STEP_COLUMNS[_name], description=_description)


def step_rows(trace: Trace, times: Mapping[int, datetime], person: int = PARTNER) -> Iterator[Row]:
    """Yields a row a step.

    Args:
        trace: the game, with the participant's inferred skills.
        times: when each step was played, as far as it is known.
        person: the participant's seat; no belief is about the person in the ego's seat.
    """
    columns = _COLUMNS_BY_SEAT[person]
    unseen: dict[str, None] = {}
    if person == EGO:
        unseen = dict.fromkeys([*_BELIEFS, "complementary"])
    for step in trace_steps(trace):
        time = times.get(step.tick.step)
        at = time.isoformat() if time else None
        yield {"at": at, **read_row(columns, step), **unseen}


SEAT_NAMES = ("agent", "participant")  # by seat; the other way round for a participant in the ego's seat
STUDIED_EVENTS = ("fire", "order lost", "completed", "delivery", "replan", "fallback")


@dataclass(frozen=True)
class EventRow(AnnotatedRow):
    """A row of `events`."""

    step: Annotated[int | None, "the step, or the steps before it; missing outside of games"]
    at: Annotated[datetime | None, "when it was (UTC, ISO 8601); missing for steps without a log"]
    event: Annotated[
        str,
        "the participant joined, was readmitted or left; page: one of the study's own was shown; a game began or "
        "went on (game), ended or was left (over), paused or resumed; the window lost the keyboard (blur), had it "
        "(focus), got a size; completed: a skill; delivery, order lost, fire; replan: the agent's trigger "
        "interrupted its skill; fallback: its planner had no usable answer",
    ]
    who: Annotated[str | None, "participant or agent; missing if nobody did it"] = None
    detail: Annotated[
        str | None,
        "the skill, the reason of a pause, the page, the size in columns and rows (plain: lines of text), "
        "the ending; else missing",
    ] = None


def kitchen_events(trace: Trace, times: Mapping[int, datetime], person: int = PARTNER) -> Iterator[EventRow]:
    """Yields completed skills, deliveries, orders without a burrito, fires, replans and fallbacks of the planner.

    Args:
        trace, times, person: as in `step_rows`.
    """
    cooks = SEAT_NAMES if person == PARTNER else SEAT_NAMES[::-1]
    for step in range(1, len(trace.ticks) + 1):
        for event in events_of(trace, step):
            if event.kind not in STUDIED_EVENTS:
                continue
            cook = None if event.cook is None else cooks[event.cook]
            detail = None
            if event.kind == "completed":
                detail = skill_name(event.number)
            elif event.kind == "delivery":
                detail = event.detail
            yield EventRow(step, times.get(step), event.kind, cook, detail)
