"""The output of sweeps: tables for people, or one JSON object for machines."""

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from bba.bench.episode import EpisodeResult, other_code_note
from bba.bench.plan import SweepPlan, TableEntry
from bba.bench.tables import TableBlock, TableCell, recovery_curves, repeat_spreads, table_blocks
from bba.report.formatting import (
    agents_note,
    ask_note,
    axis_text,
    cell_text,
    column_text,
    heading_text,
    measure_under,
    paper_note,
    planner_notes,
    spread_note,
    without_planner,
)
from tui.commands.output import Printed, plain_table, print_all


def print_sweep_json(plan: SweepPlan, results: Mapping[str, EpisodeResult], fallbacks: list[str]) -> None:
    """Prints one JSON object: the sweep, counts of episodes, what is left out, tables and recovery curves."""
    blocks = table_blocks(plan.sweep, plan.entries, results)
    other_code = other_code_note(kind.code for _, (kind, _) in plan.episodes.places())
    data = {
        "sweep": plan.sweep.name,
        "title": plan.sweep.title,
        "agents": list(dict.fromkeys(entry.label for entry in plan.entries)),
        "definition": plan.sweep.model_dump(mode="json", exclude_none=True),
        "episodes": _counts(plan, results),
        "notes": [*ask_note(plan.episodes.kinds()), *fallbacks, *other_code],
        "left_out": plan.left_out,
        "tables": [
            {
                "title": block.title,
                "rows": block.rows,
                "columns": block.columns,
                "cells": [[_cell_data(cell) for cell in row] for row in block.cells],
            }
            for block in blocks
        ],
        "recovery": recovery_curves(plan.entries, results),
        "repeats": repeat_spreads(plan.entries, results),
    }
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def _counts(plan: SweepPlan, results: Mapping[str, EpisodeResult]) -> dict[str, int]:
    failed = sum(result.failure is not None for result in results.values())
    return {"asked": len(plan.episodes), "done": len(results) - failed, "failed": failed}


def _cell_data(cell: TableCell) -> dict[str, Any]:
    data: dict[str, Any] = {"n": 0, "missing": cell.missing}
    if cell.ours is not None:
        data |= {name: value for name, value in cell.ours._asdict().items() if value is not None}
    if cell.paper is not None:
        data["preprint"] = cell.paper.model_dump(include={"model", "mean", "sd", "low", "high"}, exclude_none=True)
    return data


def print_sweep_tables(
    plan: SweepPlan, results: Mapping[str, EpisodeResult], folder: Path, fallbacks: list[str]
) -> None:
    """Prints the tables of the sweep, the preprint's values below ours, and how to look at what the folder holds."""
    entries = without_planner(plan.entries)
    blocks = table_blocks(plan.sweep, entries, results)
    parts: list[Printed] = [(plan.sweep.title, "bold")]
    for block in blocks:
        title = [(heading_text(block.title, ", "), "bold")] if block.title else []
        parts += [("", ""), *title, _sweep_table(block, plan)]
    notes = [*fallbacks, *_notes(plan, entries, results, blocks), kept_line(folder)]
    print_all([*parts, *((line, "dim") for line in notes)])


def _sweep_table(block: TableBlock, plan: SweepPlan) -> Table:
    spec, axes = plan.sweep.table, block.rows[0] if block.rows else ()
    table = plain_table(axes, [column_text(column, spec, "\n") for column in block.columns])
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


def kept_line(folder: Path) -> str:
    """Returns where the results are, and how to look at them."""
    here = shlex.quote(str(folder))
    return f"results in {here}; browse them: bba-tui results {here}; a page with figures: bba-tui report {here}"


def _notes(
    plan: SweepPlan, entries: list[TableEntry], results: Mapping[str, EpisodeResult], blocks: list[TableBlock]
) -> list[str]:
    """Returns what is needed to read the tables; `entries` have the labels of the tables."""
    sweep, counts = plan.sweep, _counts(plan, results)
    last = sweep.first_seed + sweep.seeds - 1
    counted = (
        f"{spread_note(sweep)}, seeds {sweep.first_seed} to {last}; {sweep.horizon} steps; "
        f"{counts['done']} of {counts['asked']} episodes" + (f", {counts['failed']} failed" * (counts["failed"] > 0))
    )
    agents = agents_note(sweep, entries)
    played = [*planner_notes(plan.entries), *ask_note(plan.episodes.kinds())]
    other_code = other_code_note(kind.code for _, (kind, _) in plan.episodes.places())
    repeats = [
        f"{one['agent']}, {one['layout']}, {one['group']}: {one['repeats']} repeats; standard deviation of the reward "
        f"{one['between_repeats']:,.0f} between repeats, {one['between_seeds']:,.0f} between seeds"
        for one in repeat_spreads(plan.entries, results)
    ]
    return [*other_code, counted, *repeats, *agents, *played, *paper_note(blocks)]
