"""The tables of a sweep as files: Markdown for people, CSV for programs."""

from collections.abc import Iterator, Mapping

from bba import tabular
from bba.bench.results_reader import StoredSweep
from bba.bench.results_store import StoredResult
from bba.bench.tables import Heading, TableCell, table_blocks
from bba.report.content import CellView, ReportSection, TableView
from bba.report.formatting import measure_under
from bba.tabular import Row, Value

AXES = ("measure", "agent", "layout", "group", "variant")
COLUMNS = (
    *("sweep", *AXES, "n", "mean", "sd", "low", "high", "missing"),
    *("preprint_model", "preprint_mean", "preprint_sd", "preprint_low", "preprint_high"),
)


def to_markdown(section: ReportSection) -> str:
    """Returns the tables as people read them, with the notes below."""
    parts = [f"# {_escaped(section.title)}"]
    parts += [part for table in section.tables for part in _table(table)]
    parts += ["\n".join(f"- {_escaped(note)}" for note in section.notes)]
    return "\n\n".join(parts) + "\n"


def _table(table: TableView) -> list[str]:
    head = [*table.heads, *table.columns]
    rule = ["---"] * len(table.heads) + ["---:"] * len(table.columns)
    rows = [[*headings, *map(_cell, cells)] for headings, cells in table.rows]
    lines = "\n".join(f"| {' | '.join(map(_escaped, row))} |" for row in (head, rule, *rows))
    return [f"## {_escaped(table.title)}", lines] if table.title else [lines]


def _cell(cell: CellView) -> str:
    """Returns our value, an unusual n, what is missing, and the preprint's value."""
    n = f"[n = {cell.n}]" if cell.n else ""
    missing = f"[{cell.text.missing}]" if cell.text.missing else ""
    paper = f"(preprint {cell.text.paper})" if cell.text.paper else ""
    return " ".join(filter(None, (cell.text.ours, n, missing, paper)))


def _escaped(text: str) -> str:
    """Returns text that stays in its cell of a Markdown table."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


def to_csv(run: StoredSweep, results: Mapping[str, StoredResult]) -> str:
    """Returns one row a cell: its place, our summary, unrounded, and the preprint's value."""
    return tabular.to_csv(_rows(run, results), COLUMNS)


def _rows(run: StoredSweep, results: Mapping[str, StoredResult]) -> Iterator[Row]:
    for block in table_blocks(run.sweep, run.entries, results):
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
