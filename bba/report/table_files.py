"""The tables of a sweep as files: Markdown for people, CSV for programs."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from bba.bench.results_reader import StoredSweep
from bba.bench.results_store import StoredResult
from bba.bench.tables import Heading, TableBlock, TableCell, table_blocks
from bba.report.content import CellView, ReportSection, TableView
from bba.report.formatting import measure_under

AXES = ("measure", "agent", "layout", "group", "variant")
COLUMNS = (
    *("sweep", *AXES, "n", "mean", "sd", "low", "high", "missing"),
    *("preprint_model", "preprint_mean", "preprint_sd", "preprint_low", "preprint_high"),
)


def to_markdown(section: ReportSection) -> str:
    """The tables as people read them, with the notes below."""
    parts = [f"# {_plain(section.title)}"]
    parts += [part for table in section.tables for part in _table(table)]
    parts += ["\n".join(f"- {_plain(note)}" for note in section.notes)]
    return "\n\n".join(parts) + "\n"


def _table(table: TableView) -> list[str]:
    head = [*table.heads, *table.columns]
    rule = ["---"] * len(table.heads) + ["---:"] * len(table.columns)
    rows = [[*headings, *map(_cell, cells)] for headings, cells in table.rows]
    lines = "\n".join(f"| {' | '.join(map(_plain, row))} |" for row in (head, rule, *rows))
    return [f"## {_plain(table.title)}", lines] if table.title else [lines]


def _cell(cell: CellView) -> str:
    """Ours, of how many where that is unusual, what is missing, and the preprint's."""
    n = f" [n = {cell.n}]" if cell.n else ""
    missing = f" [{cell.missing} missing]" if cell.missing else ""
    return cell.ours + n + missing + (f" (preprint {cell.paper})" if cell.paper else "")


def _plain(text: str) -> str:
    """Text that stays in its cell."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


def to_csv(run: StoredSweep, results: Mapping[str, StoredResult]) -> str:
    """One row a cell: where it stands, what was measured, unrounded, and the preprint's figure."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for block in table_blocks(run.sweep, run.cases, results):
        writer.writerows(_rows(run, block))
    return text.getvalue()


def _rows(run: StoredSweep, block: TableBlock) -> list[dict[str, Any]]:
    return [
        _row(run, cell, (block.title, row, column))
        for row, cells in zip(block.rows, block.cells, strict=True)
        for column, cell in zip(block.columns, cells, strict=True)
    ]


def _row(run: StoredSweep, cell: TableCell, headings: tuple[Heading, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {axis: value for heading in headings for axis, value in heading.items()}
    found |= {"sweep": run.sweep.name, "measure": measure_under(run.sweep.table, *headings), "missing": cell.missing}
    if cell.ours is not None:
        found |= cell.ours._asdict()
    if cell.paper is not None:
        shown = cell.paper.model_dump(include={"model", "mean", "sd", "low", "high"})
        found |= {f"preprint_{name}": value for name, value in shown.items()}
    return found
