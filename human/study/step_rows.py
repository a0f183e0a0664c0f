"""The table `steps` of a study: what both cooks did in each step, and when it was played.

It is a selection of the columns that a recording is exported with (docs/export.md), under names that say who is meant.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from bba.analysis.belief_columns import COORDINATION_COLUMNS, belief_columns
from bba.analysis.trace_columns import TraceColumn, body_columns, game_columns, work_columns
from bba.play import Trace
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER
from bba.tabular import Column, Row

DONE = ("x", "y", "facing", "held", "action", "skill", "role")
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
        | _named("participant", body_columns(person) | work_columns(person), DONE)
        | _named("agent", body_columns(other) | work_columns(other), (*DONE, "chosen", "replanned"))
        | _BELIEFS
    )


_READ = {person: _columns(person) for person in (EGO, PARTNER)}  # by the participant's seat
_OTHER_WORDS = {
    "participant_skill": "participant: the skill that it ran, or is inferred to have pursued",
    "participant_role": "participant: the role of that skill",
}
AT = Column("str", "when it was played (UTC, ISO 8601); missing where no log was kept")
STEP_COLUMNS: dict[str, Column] = {
    "at": AT,
    **{
        name: Column(column.type, _OTHER_WORDS.get(name, column.description)) for name, column in _READ[PARTNER].items()
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
        read = {name: column.read(tick, config) for name, column in _READ[person].items()}
        yield {"at": at.isoformat() if at else None, **read, "complementary": complements, **unseen}
