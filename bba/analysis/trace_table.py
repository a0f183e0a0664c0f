"""A trace as a table: one row a step, flat columns with fixed names and types, and its files for data frames.

`COLUMNS` describes every column; `rows` reads them from a trace. Names begin with ``p0_`` or ``p1_`` for the two
players and with ``obs_`` for the passive observer of player 1. A Parquet file also holds the game's configuration
(JSON, under ``bba.setup``) and its changes (``bba.changes``).
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import TypeAdapter

from bba import tabular
from bba.analysis.belief_columns import (
    COORDINATION_COLUMNS,
    belief_columns,
    commitment_columns,
    comparison_columns,
    gate_columns,
    policy_columns,
    response_columns,
)
from bba.analysis.captions import replan_caption
from bba.analysis.role_changes import role_changes
from bba.analysis.trace_columns import (
    TraceColumn,
    body_columns,
    game_columns,
    role_name,
    seat_columns,
    work_columns,
)
from bba.belief import NO_ROLE
from bba.play.ticks import step_arrays
from bba.play.trace import PARTNER, GameConfig, Trace
from bba.tabular import Column, Library, Value


def _prefixed(prefix: str, columns: dict[str, TraceColumn]) -> dict[str, TraceColumn]:
    return {prefix + name: column for name, column in columns.items()}


def _player_columns(player: int) -> dict[str, TraceColumn]:
    return (
        seat_columns(player)
        | body_columns(player)
        | work_columns(player)
        | response_columns(player)
        | policy_columns(player)
        | comparison_columns(player)
        | belief_columns(lambda tick: tick.decisions[player].belief)
        | gate_columns(lambda tick: tick.decisions[player].gate)
        | commitment_columns(lambda tick: tick.decisions[player].commitment, lambda tick: tick.decisions[player].belief)
    )


def _observer_columns() -> dict[str, TraceColumn]:
    return (
        belief_columns(lambda tick: tick.observer)
        | gate_columns(lambda tick: tick.observer_gate)
        | commitment_columns(lambda tick: tick.observer_commitment, lambda tick: tick.observer)
    )


_TICK_COLUMNS: dict[str, TraceColumn] = (
    game_columns()
    | _prefixed("p0_", _player_columns(0))
    | _prefixed("p1_", _player_columns(1))
    | _prefixed("obs_", _observer_columns())
)
SWITCHED = Column("bool", "whether player 1 turns to a role that it then pursues; missing for steps without a role")
SWITCHED_TO = Column(
    "str", "the role that player 1 turns to in this step, whatever it puts down before; missing for other steps"
)
CAPTION_COLUMN = Column(
    "str", "what led to a replan of player 0 and what came of it, in words; missing for other steps"
)
NOTE = Column("str", "the text of the bookmark after this step; missing for steps without a bookmark")
TRACE_COLUMNS: dict[str, Column] = {
    **_TICK_COLUMNS,
    **COORDINATION_COLUMNS,
    "switched": SWITCHED,
    "switched_to": SWITCHED_TO,
    "replan": CAPTION_COLUMN,
    "note": NOTE,
}


def rows(trace: Trace, steps: Iterable[int] | None = None) -> Iterator[dict[str, Value]]:
    """Yields one dictionary a step with the keys of `COLUMNS` in order.

    Args:
        trace: the game.
        steps: the steps, 1 for the first; None for all.
    """
    arrays = step_arrays(trace.ticks)
    coordination = {name: column.read(arrays) for name, column in COORDINATION_COLUMNS.items()}
    switched_to = {change.start + 1: role_name(change.role) for change in role_changes(arrays)}
    for step in range(1, len(trace.ticks) + 1) if steps is None else steps:
        tick, config = trace.ticks[step - 1], trace.config_at(step)
        switched = None if tick.role(PARTNER) == NO_ROLE else step in switched_to
        row = {name: column.read(tick, config) for name, column in _TICK_COLUMNS.items()}
        row |= {name: values[step - 1] for name, values in coordination.items()}
        row |= {"switched": switched, "switched_to": switched_to.get(step)}
        yield {**row, "replan": replan_caption(trace, step), "note": trace.notes.get(step)}


def to_jsonl(trace: Trace, steps: range) -> bytes:
    """Returns one JSON object a line, in UTF-8."""
    return tabular.to_jsonl(rows(trace, steps)).encode()


def to_parquet(trace: Trace, steps: range) -> bytes:
    """Returns a Parquet file; its metadata hold the game's configuration and changes."""
    changes = TypeAdapter(list[tuple[int, GameConfig]]).dump_json(trace.changes)
    metadata = {"bba.setup": TypeAdapter(GameConfig).dump_json(trace.config), "bba.changes": changes}
    return tabular.to_parquet(rows(trace, steps), TRACE_COLUMNS, metadata)


def to_frame(trace: Trace, library: Library | None = None) -> Any:
    """Returns a data frame, one row a step; the arguments and errors are those of `tabular.to_frame`."""
    return tabular.to_frame(rows(trace), TRACE_COLUMNS, library)
