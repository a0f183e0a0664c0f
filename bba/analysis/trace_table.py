"""A trace as a table: one row a step, flat columns with fixed names and types, and its files for data frames.

`TRACE_COLUMNS` describes every column; `rows` reads them from a trace. Names begin with ``p0_`` or ``p1_`` for the two
players and with ``obs_`` for the passive observer of player 1. A Parquet file also holds the game's configuration
(JSON, under ``bba.setup``) and its changes (``bba.changes``).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import TypeAdapter

from bba import tabular
from bba.agents.base import Belief, Decision
from bba.analysis import trace_columns
from bba.analysis.captions import replan_caption
from bba.analysis.coordination import complements, has_true_role, map_correct, same_role
from bba.analysis.human_choices import role_changes, with_inferred_skills
from bba.analysis.trace_columns import Believer, CookStep, TraceStep, role_name
from bba.belief import NO_ROLE
from bba.play import PARTNER, GameConfig, StepArrays, Trace, Truths, step_arrays
from bba.tabular import Column, Library, Value, part_columns, read_row


def _believer_columns(prefix: str, believer: Callable[[TraceStep], Believer]) -> dict[str, Column[TraceStep]]:
    return {
        **part_columns(prefix, trace_columns.BELIEF_COLUMNS, lambda step: believer(step).belief),
        **part_columns(prefix, trace_columns.GATE_COLUMNS, lambda step: believer(step).gate),
        **part_columns(prefix, trace_columns.COMMITMENT_GATE_COLUMNS, lambda step: believer(step).commitment_gate),
        **part_columns(prefix, trace_columns.MEMORY_COLUMNS, believer),
    }


def _cook_columns(player: int) -> dict[str, Column[TraceStep]]:
    def decision(step: TraceStep) -> Decision:
        return step.tick.decisions[player]

    prefix = f"p{player}_"
    return {
        **part_columns(prefix, trace_columns.SEAT_COLUMNS, lambda step: step.config.seats[player]),
        **part_columns(prefix, trace_columns.PARAMETER_COLUMNS, lambda step: step.config.seats[player].belief_config),
        **part_columns(prefix, trace_columns.PLAYER_COLUMNS, lambda step: step.cooks[player]),
        **part_columns(prefix, trace_columns.ENDED_COLUMNS, lambda step: step.tick.ended[player]),
        **part_columns(prefix, trace_columns.DECISION_COLUMNS, decision),
        **part_columns(prefix, trace_columns.ANSWER_COLUMNS, lambda step: decision(step).plan),
        **part_columns(prefix, trace_columns.CHANCE_COLUMNS, lambda step: step.cooks[player]),
        **part_columns(prefix, trace_columns.CLUSTER_COLUMNS, lambda step: decision(step).policy),
        **part_columns(prefix, trace_columns.COMPARISON_COLUMNS, lambda step: decision(step).comparison),
        **_believer_columns(prefix, decision),
    }


def _coordination(holds: Callable[[StepArrays], Truths], description: str) -> Column[TraceStep]:
    """Returns a column about belief, ego and partner; None for steps without a role of player 1."""

    def read(step: TraceStep) -> bool | None:
        if not has_true_role(step.arrays)[0]:
            return None
        return bool(holds(step.arrays)[0])

    return Column("bool", description, read)


def _observer(step: TraceStep) -> Belief:
    tick = step.tick
    return Belief(tick.observer, tick.observer_gate, tick.observer_commitment_gate)


def _switched(step: TraceStep) -> bool | None:
    if step.tick.role(PARTNER) == NO_ROLE:
        return None
    return step.switched_to != NO_ROLE


TRACE_COLUMNS: dict[str, Column[TraceStep]] = {
    **trace_columns.GAME_COLUMNS,
    **_cook_columns(0),
    **_cook_columns(1),
    **_believer_columns("obs_", _observer),
    "obs_match": _coordination(map_correct, "whether the observer's MAP is player 1's role"),
    "duplicate": _coordination(same_role, "whether both players work in the same role"),
    "complementary": _coordination(complements, "whether player 0's role complements player 1's"),
    "switched": Column(
        "bool",
        "whether player 1 turns to a role that it then pursues; missing for steps without a role",
        _switched,
    ),
    "switched_to": Column(
        "str",
        "the role that player 1 turns to in this step, whatever it puts down before; missing for other steps",
        lambda step: role_name(step.switched_to),
    ),
    "replan": Column(
        "str",
        "what led to a replan of player 0 and what came of it, in words; missing for other steps",
        lambda step: replan_caption(step.trace, step.tick.step),
    ),
    "note": Column(
        "str",
        "the text of the bookmark after this step; missing for steps without a bookmark",
        lambda step: step.trace.bookmarks.get(step.tick.step),
    ),
}


def trace_steps(trace: Trace, steps: Iterable[int] | None = None) -> Iterator[TraceStep]:
    """Yields the steps that the rows of a trace table describe, with the skills that people are inferred to pursue.

    Args:
        trace: the game.
        steps: the steps, 1 for the first; None for all.
    """
    trace = with_inferred_skills(trace)
    arrays = step_arrays(trace.ticks)
    switched_to = {change.start + 1: change.role for change in role_changes(arrays)}
    if steps is None:
        steps = range(1, len(trace.ticks) + 1)
    for step in steps:
        tick = trace.ticks[step - 1]
        config = trace.config_at(step)
        cooks = (CookStep(0, config, tick), CookStep(1, config, tick))
        yield TraceStep(trace, tick, config, arrays[step - 1 : step], cooks, switched_to.get(step, NO_ROLE))


def rows(trace: Trace, steps: Iterable[int] | None = None) -> Iterator[dict[str, Value]]:
    """Yields one dictionary a step with the keys of `TRACE_COLUMNS` in order; the arguments are `trace_steps`'."""
    return (read_row(TRACE_COLUMNS, step) for step in trace_steps(trace, steps))


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
