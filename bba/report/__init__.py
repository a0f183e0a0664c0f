"""A folder of results as a report: one page to send to a colleague, and its tables as files."""

import re
import sys
from pathlib import Path

from bba.bench.results_reader import Results, read_recording, read_results
from bba.errors import BBAError
from bba.files import write_together, write_whole
from bba.report.appendix import RECORDINGS
from bba.report.content import section
from bba.report.drawing import check_drawing
from bba.report.page import page
from bba.report.table_files import to_csv, to_markdown

REPORT, TABLES = "report.html", "tables"


def report(folder: Path) -> None:
    """Write the report of a folder of results, and say where.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    sys.stdout.write(f"written to {write_report(folder)}\n")


def write_report(folder: Path) -> Path:
    """Write ``report.html``, ``tables/NAME.md`` and ``.csv``, and the recordings that were kept, into the folder.

    The same results give the same bytes.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    stored = read_results(folder)
    check_drawing()
    sections = [section(stored, run, name) for run, name in zip(stored.sweeps, _names(stored), strict=True)]
    files = {}
    for run, said in zip(stored.sweeps, sections, strict=True):
        files[folder / TABLES / f"{said.name}.md"] = to_markdown(said)
        files[folder / TABLES / f"{said.name}.csv"] = to_csv(run, stored.results(run))
    files[folder / REPORT] = page(stored, sections)
    _make_folder(folder / TABLES)
    _write_recordings(folder, stored)
    write_together(files)
    return folder / REPORT


def _names(stored: Results) -> list[str]:
    """A name for each sweep that no other has, and that may be a file's."""
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
    """Write those that were kept and do not lie there yet."""
    shown = {case.key for run in stored.sweeps for case in run.cases}
    kept = [key for key, episode in stored.episodes.items() if key in shown and episode.result.recorded]
    if kept:
        _make_folder(folder / RECORDINGS)
    for key in kept:
        path = folder / RECORDINGS / f"{key}.bba"
        recording = None if path.exists() else read_recording(folder, key)
        if recording is not None:
            write_whole(path, recording)
