"""A trace as a table: one row a step, flat columns with fixed names and types, for data frames and statistics.

`COLUMNS` describes every column; `rows` reads them from a trace. Names begin with ``p0_`` or ``p1_`` for the two
players and with ``obs_`` for the passive observer of player 1.
"""

from collections.abc import Iterable, Iterator

from bba.analysis.belief_columns import (
    belief_columns,
    coordination_columns,
    gate_columns,
    policy_columns,
    response_columns,
)
from bba.analysis.trace_columns import TraceColumn, body_columns, game_columns, seat_columns, work_columns
from bba.play.trace import Trace
from bba.tabular import Value, data_dictionary


def _prefixed(prefix: str, columns: dict[str, TraceColumn]) -> dict[str, TraceColumn]:
    return {prefix + name: column for name, column in columns.items()}


def _player_columns(player: int) -> dict[str, TraceColumn]:
    return (
        seat_columns(player)
        | body_columns(player)
        | work_columns(player)
        | response_columns(player)
        | policy_columns(player)
        | belief_columns(lambda tick: tick.decisions[player].belief)
        | gate_columns(lambda tick: tick.decisions[player].gate)
    )


COLUMNS: dict[str, TraceColumn] = (
    game_columns()
    | _prefixed("p0_", _player_columns(0))
    | _prefixed("p1_", _player_columns(1))
    | _prefixed("obs_", belief_columns(lambda tick: tick.observer) | gate_columns(lambda tick: tick.observer_gate))
    | coordination_columns()
)


def rows(trace: Trace, steps: Iterable[int] | None = None) -> Iterator[dict[str, Value]]:
    """Yields one dictionary a step with the keys of `COLUMNS` in order.

    Args:
        trace: the game.
        steps: the steps, 1 for the first; None for all.
    """
    for step in range(1, len(trace.ticks) + 1) if steps is None else steps:
        tick, config = trace.ticks[step - 1], trace.config_at(step)
        yield {name: column.read(tick, config) for name, column in COLUMNS.items()}


def dictionary() -> str:
    """Returns the data dictionary as a Markdown table, as docs/export.md holds it."""
    return data_dictionary(COLUMNS) + "\n"
