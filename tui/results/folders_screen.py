"""The list of folders with stored results."""

from pathlib import Path

from bba.bench.results_reader import Results, load_results
from bba.bench.results_store import RESULTS_FILE
from bba.report.page import write_report
from tui.results.browser import BrowserScreen, FileKind, cells_of
from tui.results.rows import result_folders
from tui.results.screens import ResultsScreen, results_dialog
from tui.widgets.sorted_table import SortableCell

RESULTS_PARTS = (RESULTS_FILE, f"{RESULTS_FILE}-wal", f"{RESULTS_FILE}-shm")  # the database and what it keeps beside it


def folder_cells(path: Path, stored: Results | None) -> list[SortableCell]:
    """Returns a folder as a row: how many episodes of which sweeps it holds, and how many of them failed."""
    place = cells_of(str(path))
    if stored is None:
        return [*place, SortableCell("cannot be read", None), *([SortableCell("", None)] * 2)]
    names = ", ".join(dict.fromkeys(run.sweep.name for run in stored.sweeps))
    failed = sum(episode.result.failure is not None for episode in stored.episodes.values())
    return [*place, *cells_of(names, len(stored.episodes), failed)]


def delete_results(folder: Path) -> None:
    """Deletes the results in a folder, and the folder if nothing else is in it.

    Raises:
        OSError: they cannot be deleted.
    """
    for name in RESULTS_PARTS:
        (folder / name).unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


RESULT_FOLDERS = FileKind(
    headings=("when", "folder", "benchmarks", "episodes", "failed"),
    empty="No results here yet: bba-tui bench quick makes some. o opens a folder that lies elsewhere.",
    dated=RESULTS_FILE,
    content=load_results,
    cells=folder_cells,
    opened=load_results,
    dialog=results_dialog,
    question="Delete the results in {}? Their games would have to be played again. Other files there stay.".format,
    delete=delete_results,
    exporting="writing a page about {} …".format,
    export=write_report,
)


class ResultFoldersScreen(BrowserScreen[Results, Results, Path]):
    """Shows the folders with results in a folder, newest first.

    Args:
        folder: where to look.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(f"results in {folder}", RESULT_FOLDERS, [Path(found) for found in result_folders(folder)])

    def show(self, found: Results | None) -> None:
        """Shows the tables of a folder."""
        if found is not None:
            self.app.push_screen(ResultsScreen(found))

    def exported(self, made: Path) -> None:
        """Says where the page about results is."""
        self.notify(f"written to {made}", markup=False)
