"""The report of a folder of results: one self-contained page, and its tables as files."""

import re
from collections.abc import Iterator
from pathlib import Path

from bba.bench.results_reader import Results, StoredSweep, read_recording, read_results
from bba.bench.tables import Heading, TableCell, table_blocks
from bba.errors import BBAError
from bba.files import write_together, write_whole
from bba.report.appendix import RECORDINGS
from bba.report.content import ReportSection, TableText, section
from bba.report.drawing import check_drawing
from bba.report.formatting import CellText, measure_under
from bba.report.page import page
from bba.tabular import Row, Value, to_csv

REPORT, TABLES = "report.html", "tables"
AXES = ("measure", "agent", "layout", "group", "variant")
COLUMNS = (
    *("sweep", *AXES, "n", "mean", "sd", "low", "high", "missing"),
    *("preprint_model", "preprint_mean", "preprint_sd", "preprint_low", "preprint_high"),
)


def write_report(folder: Path | str) -> Path:
    """Writes ``report.html``, ``tables/NAME.md`` and ``.csv``, and the stored recordings into the folder.

    The same results give the same bytes. Returns the path of the page.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    folder = Path(folder)
    stored = read_results(folder)
    check_drawing()
    sections = [section(stored, run, name) for run, name in zip(stored.sweeps, _names(stored), strict=True)]
    files = {}
    for run, part in zip(stored.sweeps, sections, strict=True):
        files[folder / TABLES / f"{part.name}.md"] = _markdown(part)
        files[folder / TABLES / f"{part.name}.csv"] = _csv(run)
    files[folder / REPORT] = page(stored, sections)
    _make_folder(folder / TABLES)
    _write_recordings(folder, stored)
    write_together(files)
    return folder / REPORT


def _names(stored: Results) -> list[str]:
    """Returns a unique name for each sweep that can be part of a file name."""
    names: list[str] = []
    for run in stored.sweeps:
        plain = re.sub(r"[^\w-]+", "-", run.sweep.name).strip("-") or "sweep"
        names.append(next(name for name in (plain, *(f"{plain}-{i}" for i in range(2, 10_000))) if name not in names))
    return names


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BBAError(f"{folder}: cannot be made: {error.strerror or error}") from None


def _write_recordings(folder: Path, stored: Results) -> None:
    """Writes the stored recordings that are not in the folder yet."""
    shown = {entry.key for run in stored.sweeps for entry in run.entries}
    kept = [key for key, episode in stored.episodes.items() if key in shown and episode.result.recorded]
    if kept:
        _make_folder(folder / RECORDINGS)
    for key in kept:
        path = folder / RECORDINGS / f"{key}.bba"
        recording = None if path.exists() else read_recording(folder, key)
        if recording is not None:
            write_whole(path, recording)


# --- tables as files: Markdown for people, CSV for programs ----------------------------------------------------
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
    return to_csv(_rows(run), COLUMNS)


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
