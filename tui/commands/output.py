"""The output of games and sweeps: tables for people, or one JSON object for machines."""

import io
import json
import statistics
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bba.analysis.measures import EPISODE_MEASURES, MeasureValue, MeasureValues
from bba.bench.episode import EpisodeResult
from bba.bench.plan import SweepPlan
from bba.bench.statistics import over_seeds
from bba.bench.tables import TableBlock, TableCell, recovery_curves, table_blocks
from bba.play import GameConfig
from bba.report.formatting import (
    NONE,
    agents_note,
    ask_note,
    axis_text,
    cell_text,
    column_text,
    heading_text,
    measure_label,
    measure_under,
    paper_note,
    spread_note,
    summary_text,
    value_text,
)

WIDE = 400  # columns of the output if it is not a terminal's


@contextmanager
def output() -> Iterator[Console]:
    """Gives a console whose text is written to standard output at the end, without spaces at the ends of lines."""
    text, terminal = io.StringIO(), sys.stdout.isatty()
    yield Console(
        file=text,
        highlight=False,
        markup=False,
        force_terminal=terminal,
        width=None if terminal else WIDE,
        soft_wrap=not terminal,
    )
    sys.stdout.write("\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n")


Episodes = dict[int, MeasureValues]  # by seed


def describe(config: GameConfig) -> dict[str, Any]:
    """Returns the settings of a game as plain JSON types, and what sets it apart if anything does."""
    return {
        "layout": config.layout.name,
        "agent": config.agents[0],
        "partner": config.agents[1],
        "planner": config.seats[0].planner,
        "ask": config.seats[0].asked,
        **({} if config.repeatable else {"repeatable": False}),
        **({"oracle": True} if config.seats[0].oracle else {}),
        "horizon": config.horizon,
        "mobility": list(config.mobility),
        "skill_timeout": config.skill_timeout,
    }


def print_games_json(config: GameConfig, episodes: Episodes) -> None:
    """Prints one JSON object: the game's settings and measures; for several seeds their means, then each episode."""
    data = describe(config)
    if len(episodes) == 1:
        seed, values = next(iter(episodes.items()))
        data |= {"seed": seed} | values
    else:
        data |= {"seeds": list(episodes)} | means(episodes)
        data["episodes"] = [{"seed": seed} | values for seed, values in episodes.items()]
    sys.stdout.write(json.dumps(data) + "\n")


def means(episodes: Episodes) -> MeasureValues:
    """Returns the mean of each measure over the episodes that have it; None if none has."""
    return {name: _mean([values[name] for values in episodes.values()]) for name in EPISODE_MEASURES}


def _mean(values: list[MeasureValue]) -> MeasureValue:
    present = [value for value in values if value is not None]
    return round(statistics.fmean(present), 6) if present else None


def print_games_table(config: GameConfig, episodes: Episodes) -> None:
    """Prints a table of the measures of one game, or of their means and standard deviations over several."""
    table = Table(box=None, pad_edge=False)
    table.add_column("measure")
    table.add_column("value" if len(episodes) == 1 else "mean ± sd", justify="right")
    table.add_column("unit")
    for name, measure in EPISODE_MEASURES.items():
        table.add_row(measure_label(name), _text(name, episodes), measure.unit)
    with output() as console:
        console.print(_title(config, list(episodes)), style="bold", soft_wrap=True)
        console.print(table)


def _title(config: GameConfig, seeds: list[int]) -> str:
    games = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    games += "" if config.repeatable else f" (not repeatable: a decision takes {_budgets(config)} ms)"
    ego, partner = config.labels
    planner, asked = config.seats[0].planner, config.seats[0].asked
    planned = f" ({planner} planner, ask {asked})" if planner else ""
    return f"{config.layout.name}: {ego}{planned} with {partner}, {games}, {config.horizon} steps"


def _budgets(config: GameConfig) -> str:
    budgets = {seat.rollout.budget_ms: None for seat in config.seats if seat.rollout and seat.rollout.budget_ms}
    return " or ".join(f"{budget:g}" for budget in budgets)


def _text(name: str, episodes: Episodes) -> str:
    """Returns the value of one game, or mean and standard deviation of several."""
    if len(episodes) == 1:
        return value_text(next(iter(episodes.values()))[name], name)
    known = ((seed, values[name]) for seed, values in episodes.items())
    summary = over_seeds([(seed, value) for seed, value in known if value is not None])
    return NONE if summary is None else summary_text(summary, name)


def print_sweep_json(plan: SweepPlan, results: Mapping[str, EpisodeResult]) -> None:
    """Prints one JSON object: the sweep, counts of episodes, what is left out, tables and recovery curves."""
    data = {
        "sweep": plan.sweep.name,
        "title": plan.sweep.title,
        "agents": list(dict.fromkeys(entry.label for entry in plan.entries)),
        "definition": plan.sweep.model_dump(mode="json", exclude_none=True),
        "episodes": _counts(plan, results),
        "notes": ask_note(plan.episodes.values()),
        "left_out": plan.left_out,
        "tables": [_block_data(block) for block in table_blocks(plan.sweep, plan.entries, results)],
        "recovery": recovery_curves(plan.entries, results),
    }
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def _counts(plan: SweepPlan, results: Mapping[str, EpisodeResult]) -> dict[str, int]:
    failed = sum(result.failure is not None for result in results.values())
    return {"asked": len(plan.episodes), "done": len(results) - failed, "failed": failed}


def _block_data(block: TableBlock) -> dict[str, Any]:
    return {
        "title": block.title,
        "rows": block.rows,
        "columns": block.columns,
        "cells": [[_cell_data(cell) for cell in row] for row in block.cells],
    }


def _cell_data(cell: TableCell) -> dict[str, Any]:
    data: dict[str, Any] = {"n": 0, "missing": cell.missing}
    if cell.ours is not None:
        data |= {name: value for name, value in cell.ours._asdict().items() if value is not None}
    if cell.paper is not None:
        data["preprint"] = cell.paper.model_dump(include={"model", "mean", "sd", "low", "high"}, exclude_none=True)
    return data


def print_sweep_tables(plan: SweepPlan, results: Mapping[str, EpisodeResult]) -> None:
    """Prints the tables of the sweep, the preprint's values below ours."""
    blocks = table_blocks(plan.sweep, plan.entries, results)
    with output() as console:
        console.print(plan.sweep.title, style="bold", soft_wrap=True)
        for block in blocks:
            console.print()
            if block.title:
                console.print(heading_text(block.title, ", "), style="bold", soft_wrap=True)
            console.print(_sweep_table(block, plan))
        for line in _notes(plan, results, blocks):
            console.print(line, style="dim", soft_wrap=True)


def _sweep_table(block: TableBlock, plan: SweepPlan) -> Table:
    spec, table = plan.sweep.table, Table(box=None, pad_edge=False)
    for axis in block.rows[0] if block.rows else ():
        table.add_column(axis)
    for column in block.columns:
        table.add_column(column_text(column, spec, "\n"), justify="right")
    for row, cells in zip(block.rows, block.cells, strict=True):
        measures = (measure_under(spec, block.title, row, column) for column in block.columns)
        shown = [_cell(cell, measure) for cell, measure in zip(cells, measures, strict=True)]
        table.add_row(*(axis_text(axis, value) for axis, value in row.items()), *shown)
    return table


def _cell(cell: TableCell, measure: str) -> Text:
    """Returns our value, how many episodes are missing, and the preprint's value, each on a line."""
    parts = cell_text(cell, measure)
    text = Text(parts.ours)
    if parts.missing:
        text.append(f"\n[{parts.missing}]")
    if parts.paper:
        text.append(f"\npreprint {parts.paper}", style="dim")
    return text


def _notes(plan: SweepPlan, results: Mapping[str, EpisodeResult], blocks: list[TableBlock]) -> list[str]:
    """Returns what is needed to read the tables."""
    sweep, counts = plan.sweep, _counts(plan, results)
    last = sweep.first_seed + sweep.seeds - 1
    counted = (
        f"{spread_note(sweep)}, seeds {sweep.first_seed} to {last}; {sweep.horizon} steps; "
        f"{counts['done']} of {counts['asked']} episodes" + (f", {counts['failed']} failed" * (counts["failed"] > 0))
    )
    played = ask_note(plan.episodes.values())
    return [counted, *agents_note(sweep, plan.entries), *played, *paper_note(blocks)]
