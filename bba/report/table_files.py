"""The tables of a report as files: Markdown for people, CSV for programs."""

import re
from collections.abc import Iterator, Sequence

from bba.bench.results_reader import Results, StoredSweep
from bba.bench.tables import Heading, TableCell, table_blocks
from bba.report.content import ReportSection, TableText, section
from bba.report.formatting import CellText, measure_under
from bba.tabular import Row, Value, to_csv

AXES = ("measure", "agent", "layout", "group", "variant")
MEASURE_COLUMNS = (
    *("sweep", *AXES, "n", "mean", "sd", "low", "high", "missing"),
    *("preprint_model", "preprint_mean", "preprint_sd", "preprint_low", "preprint_high"),
)


def table_files(stored: Results) -> dict[str, str]:
    """Returns the files by name; the same results give the same texts."""
    return files_of(stored.sweeps, sections_of(stored))


def sections_of(stored: Results) -> list[ReportSection]:
    """Returns what a report says of each sweep."""
    return [section(stored, run, name) for run, name in zip(stored.sweeps, _names(stored), strict=True)]


def files_of(sweeps: Sequence[StoredSweep], sections: Sequence[ReportSection]) -> dict[str, str]:
    """Returns two files of each sweep by name."""
    pairs = list(zip(sweeps, sections, strict=True))
    return {f"{part.name}.md": _markdown(part) for _, part in pairs} | {
        f"{part.name}.csv": _csv(run) for run, part in pairs
    }


def _names(stored: Results) -> list[str]:
    """Returns a unique name for each sweep that can be part of a file name."""
    names: list[str] = []
    for run in stored.sweeps:
        plain = re.sub(r"[^\w-]+", "-", run.sweep.name).strip("-") or "sweep"
        names.append(next(name for name in (plain, *(f"{plain}-{i}" for i in range(2, 10_000))) if name not in names))
    return names


def _markdown(section: ReportSection) -> str:
    """Returns the tables as people read them, with the notes below."""
    parts = [f"# {_escaped(section.title)}"]
    parts += [part for table in section.tables for part in _table(table)]
    parts += ["\n".join(f"- {_escaped(note)}" for note in section.notes)]
    return "\n\n".join(parts) + "\n"


def _table(table: TableText) -> list[str]:
    head = [*table.heads, *table.columns]
    rule = ["---"] * len(table.heads) + ["---:"] * len(table.columns)
    rows = [[*headings, *map(_cell_text, cells)] for headings, cells in table.rows]
    lines = "\n".join(f"| {' | '.join(map(_escaped, row))} |" for row in (head, rule, *rows))
    return [f"## {_escaped(table.title)}", lines] if table.title else [lines]


def _cell_text(cell: CellText) -> str:
    """Returns our value, an unusual n, what is missing, and the preprint's value."""
    n = f"[n = {cell.n}]" if cell.n else ""
    missing = f"[{cell.missing}]" if cell.missing else ""
    paper = f"(preprint {cell.paper})" if cell.paper else ""
    return " ".join(filter(None, (cell.ours, n, missing, paper)))


def _escaped(text: str) -> str:
    """Returns text that stays in its cell of a Markdown table."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _csv(run: StoredSweep) -> str:
    """Returns one row a cell: its place, our summary, unrounded, and the preprint's value."""
    return to_csv(_rows(run), MEASURE_COLUMNS)


def _rows(run: StoredSweep) -> Iterator[Row]:
    for block in table_blocks(run.sweep, run.entries, run.results):
        for row, cells in zip(block.rows, block.cells, strict=True):
            for column, cell in zip(block.columns, cells, strict=True):
                yield _row(run, cell, (block.title, row, column))


def _row(run: StoredSweep, cell: TableCell, headings: tuple[Heading, ...]) -> Row:
    row: dict[str, Value] = {axis: value for heading in headings for axis, value in heading.items()}
    row |= {"sweep": run.sweep.name, "measure": measure_under(run.sweep.table, *headings), "missing": cell.missing}
    if cell.ours is not None:
        row |= cell.ours._asdict()
    if cell.paper is not None:
        values = cell.paper.model_dump(include={"model", "mean", "sd", "low", "high"})
        row |= {f"preprint_{name}": value for name, value in values.items()}
    return row
