"""The tables of a report as files: Markdown for people, CSV for programs."""

from collections.abc import Iterator, Sequence

from bba.bench.results_reader import StoredSweep
from bba.bench.tables import Heading, TableCell, table_blocks
from bba.report.content import ReportSection
from bba.report.formatting import measure_under
from bba.tabular import Row, Value, to_csv, to_markdown

AXES = ("measure", "agent", "layout", "group", "variant")
MEASURE_COLUMNS = (
    *("sweep", *AXES, "n", "mean", "sd", "low", "high", "missing"),
    *("preprint_model", "preprint_mean", "preprint_sd", "preprint_low", "preprint_high"),
)


def table_files(sections: Sequence[ReportSection]) -> dict[str, str]:
    """Returns two files of each sweep by name; the same results give the same texts."""
    texts = {f"{part.name}.md": _markdown(part) for part in sections}
    return texts | {f"{part.name}.csv": to_csv(_rows(part.run), MEASURE_COLUMNS) for part in sections}


def _markdown(section: ReportSection) -> str:
    """Returns the tables as people read them, with the notes below."""
    parts = [f"# {_escaped(section.title)}"]
    for table in section.tables:
        if table.title:
            parts.append(f"## {_escaped(table.title)}")
        rows = ([*headings, *(cell.in_a_line for cell in cells)] for headings, cells in table.rows)
        rule = ["---"] * len(table.heads) + ["---:"] * len(table.columns)
        head = [_escaped(text) for text in (*table.heads, *table.columns)]
        parts.append(to_markdown(head, (map(_escaped, row) for row in rows), rule))
    parts.append("\n".join(f"- {_escaped(note)}" for note in section.notes))
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    """Returns text that stays in its cell of a Markdown table."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _rows(run: StoredSweep) -> Iterator[Row]:
    """Yields one row a cell: its place, our summary, unrounded, and the preprint's value."""
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
