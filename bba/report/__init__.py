"""The report of a folder of results: one self-contained page, and its tables as files."""

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
    """Writes the report of a folder of results and prints its path.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    sys.stdout.write(f"written to {write_report(folder)}\n")


def write_report(folder: Path) -> Path:
    """Writes ``report.html``, ``tables/NAME.md`` and ``.csv``, and the stored recordings into the folder.

    The same results give the same bytes.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    stored = read_results(folder)
    check_drawing()
    sections = [section(stored, run, name) for run, name in zip(stored.sweeps, _names(stored), strict=True)]
    files = {}
    for run, part in zip(stored.sweeps, sections, strict=True):
        files[folder / TABLES / f"{part.name}.md"] = to_markdown(part)
        files[folder / TABLES / f"{part.name}.csv"] = to_csv(run, stored.results(run))
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
