"""What a sweep says on standard output: its tables for people, or one JSON object for machines."""

import io
import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bba.bench.plan import SweepPlan
from bba.bench.results_store import StoredResult
from bba.bench.tables import TableBlock, TableCell, recovery_curves, table_blocks
from bba.report.formatting import figure, measure_under, preprint, word, words

WIDE = 400  # cells of a line where nobody looks at it in a terminal


def print_json(made: SweepPlan, results: Mapping[str, StoredResult]) -> None:
    """One JSON object: the sweep, how many episodes there are, what is left out, the tables and the recovery curves."""
    data = {
        "sweep": made.sweep.name,
        "title": made.sweep.title,
        "agents": list(dict.fromkeys(case.label for case in made.cases)),
        "definition": made.sweep.model_dump(mode="json", exclude_none=True),
        "episodes": _counts(made, results),
        "left_out": made.left_out,
        "tables": [_block_data(block) for block in table_blocks(made.sweep, made.cases, results)],
        "recovery": recovery_curves(made.cases, results),
    }
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def _counts(made: SweepPlan, results: Mapping[str, StoredResult]) -> dict[str, int]:
    failed = sum(result.failure is not None for result in results.values())
    return {"asked": len(made.episodes), "done": len(results) - failed, "failed": failed}


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


def print_tables(made: SweepPlan, results: Mapping[str, StoredResult]) -> None:
    """The tables of the sweep, the preprint's figures below ours."""
    text = io.StringIO()
    tty = sys.stdout.isatty()
    console = Console(
        file=text, highlight=False, markup=False, force_terminal=tty, width=None if tty else WIDE, soft_wrap=not tty
    )
    tables = table_blocks(made.sweep, made.cases, results)
    console.print(made.sweep.title, style="bold", soft_wrap=True)
    for block in tables:
        console.print()
        if block.title:
            console.print(words(block.title, ", "), style="bold", soft_wrap=True)
        console.print(_table(block, made))
    for line in _notes(made, results, tables):
        console.print(line, style="dim", soft_wrap=True)
    sys.stdout.write("\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n")


def _table(block: TableBlock, made: SweepPlan) -> Table:
    table = Table(box=None, pad_edge=False)
    for axis in block.rows[0] if block.rows else ():
        table.add_column(axis)
    for column in block.columns:
        table.add_column(words(column, "\n") or words({"measure": made.sweep.table.measures[0]}), justify="right")
    for row, cells in zip(block.rows, block.cells, strict=True):
        measures = (measure_under(made.sweep.table, block.title, row, column) for column in block.columns)
        shown = [_cell(cell, measure) for cell, measure in zip(cells, measures, strict=True)]
        table.add_row(*(word(axis, value) for axis, value in row.items()), *shown)
    return table


def _cell(cell: TableCell, measure: str) -> Text:
    """Our figure; how many episodes it lacks; and below it the preprint's."""
    text = Text("–" if cell.ours is None else figure(cell.ours, measure))
    if cell.missing:
        text.append(f"\n[{cell.missing} missing]")
    if cell.paper is not None:
        text.append(f"\npreprint {preprint(cell.paper, measure)}", style="dim")
    return text


def _notes(made: SweepPlan, results: Mapping[str, StoredResult], tables: list[TableBlock]) -> list[str]:
    """What is needed to read the tables."""
    sweep, counts = made.sweep, _counts(made, results)
    spread = "difference with its 95 % bootstrap interval" if sweep.table.paired else "mean ± standard deviation"
    last = sweep.first_seed + sweep.seeds - 1
    notes = [
        f"{spread}, seeds {sweep.first_seed} to {last}; {sweep.horizon} steps; "
        f"{counts['done']} of {counts['asked']} episodes" + (f", {counts['failed']} failed" * (counts["failed"] > 0))
    ]
    if "agent" not in sweep.table.axes:
        notes.append(" − ".join(dict.fromkeys(case.label for case in made.cases)))
    models = {cell.paper.model for block in tables for row in block.cells for cell in row if cell.paper is not None}
    if models - {None}:
        notes.append(f"preprint: figures of another planner ({', '.join(sorted(filter(None, models)))})")
    return notes
