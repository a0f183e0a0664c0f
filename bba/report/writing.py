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


def write_report(folder: Path | str) -> Path:
    """Writes ``report.html``, ``tables/NAME.md`` and ``.csv``, and the stored recordings into the folder.

    The same results give the same bytes. Returns the path of the page.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    folder = Path(folder)
    stored = read_results(folder)
    check_drawing()
    sections = sections_of(stored)
    files = {folder / TABLES / name: text for name, text in files_of(stored.sweeps, sections).items()}
    files[folder / REPORT] = page(stored, sections)
    _make_folder(folder / TABLES)
    _write_recordings(folder, stored)
    write_together(files)
    return folder / REPORT


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
