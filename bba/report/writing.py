"""Writes the report of a folder of results: one self-contained page, and its tables as files."""

from pathlib import Path

from bba.bench.results_reader import Results, read_recording, read_results
from bba.errors import BBAError
from bba.files import write_together, write_whole
from bba.report.appendix import RECORDINGS
from bba.report.drawing import check_drawing
from bba.report.page import page
from bba.report.table_files import files_of, sections_of

REPORT, TABLES = "report.html", "tables"


def write_report(folder: Path | str, out: Path | str | None = None) -> Path:
    """Writes ``report.html``, ``tables/NAME.md`` and ``.csv``, and the stored recordings into the folder.

    The same results give the same bytes. Returns the path of the page.

    Args:
        folder: where the results are; it is only read if `out` is given.
        out: another .html file for the page, with tables and recordings beside it.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    folder, path = Path(folder), Path(folder) / REPORT if out is None else Path(out)
    if path.suffix != ".html":
        raise BBAError(f"{path}: a report is a .html file; the name must end so")
    stored = read_results(folder)
    check_drawing()
    sections = sections_of(stored)
    files = {path.parent / TABLES / name: text for name, text in files_of(stored.sweeps, sections).items()}
    files[path] = page(stored, sections)
    _make_folder(path.parent / TABLES)
    _write_recordings(folder, path.parent, stored)
    write_together(files)
    return path


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BBAError(f"{folder}: cannot be made: {error.strerror or error}") from None


def _write_recordings(folder: Path, to: Path, stored: Results) -> None:
    """Writes the stored recordings of a folder of results that are not in the other folder yet."""
    shown = {entry.key for run in stored.sweeps for entry in run.entries}
    kept = [key for key, episode in stored.episodes.items() if key in shown and episode.result.recorded]
    if kept:
        _make_folder(to / RECORDINGS)
    for key in kept:
        path = to / RECORDINGS / f"{key}.bba"
        recording = None if path.exists() else read_recording(folder, key)
        if recording is not None:
            write_whole(path, recording)
