"""The list of folders with stored results."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bba.bench.results_store import RESULTS_FILE
from bba.errors import BBAError
from bba.report.page import write_report
from tui.results.browser import BrowserScreen
from tui.results.recordings_screen import day_text
from tui.results.rows import OpenResults, open_results, result_folders
from tui.results.screens import ResultsScreen, results_dialog
from tui.style.background_task import BackgroundTask
from tui.widgets.sorted_table import SortableCell

RESULTS_PARTS = (RESULTS_FILE, f"{RESULTS_FILE}-wal", f"{RESULTS_FILE}-shm")  # the database and what it keeps beside it


@dataclass(frozen=True, slots=True)
class ResultFolder:
    """A folder with results in a list.

    Attributes:
        path: the folder.
        modified: when results were last stored, in seconds since 1970.
        results: what it holds; None where that cannot be read.
        problem: why not; "" where it can be read.
    """

    path: Path
    modified: float
    results: OpenResults | None = None
    problem: str = ""


class ResultFoldersScreen(BrowserScreen[ResultFolder]):
    """Shows the folders with results in a folder, newest first.

    Args:
        folder: where to look.
    """

    HEADINGS = ("when", "folder", "benchmarks", "episodes", "failed")
    EMPTY = "No results here yet: bba-tui bench quick makes some. o opens a folder that lies elsewhere."

    def __init__(self, folder: Path) -> None:
        super().__init__(f"results in {folder}", [Path(found) for found in result_folders(folder)])
        self._reporting: BackgroundTask[Path] = BackgroundTask(self.call_later)

    def read(self, path: Path) -> ResultFolder:
        """Returns a folder with what it holds, or why that cannot be read."""
        try:
            modified = (path / RESULTS_FILE).stat().st_mtime
            return ResultFolder(path, modified, open_results(path))
        except OSError as error:
            return ResultFolder(path, 0.0, problem=f"{path}: cannot be read: {error.strerror or error}")
        except BBAError as error:
            return ResultFolder(path, modified, problem=str(error))

    def cells(self, entry: ResultFolder) -> list[SortableCell]:
        """Returns the row of a folder."""
        place = [
            SortableCell(day_text(entry.modified, datetime.now()), entry.modified),
            SortableCell(str(entry.path), str(entry.path)),
        ]
        if entry.results is None:
            return [*place, SortableCell("cannot be read", None), *([SortableCell("", None)] * 2)]
        stored = entry.results.stored
        names = ", ".join(dict.fromkeys(run.sweep.name for run in stored.sweeps))
        failed = sum(episode.result.failure is not None for episode in stored.episodes.values())
        counts = (len(stored.episodes), failed)
        return [*place, SortableCell(names, names), *(SortableCell(str(count), count) for count in counts)]

    def open(self, entry: ResultFolder) -> None:
        """Shows the tables of a folder.

        Raises:
            BBAError: it cannot be read.
        """
        self.app.push_screen(ResultsScreen(open_results(entry.path)))

    def question(self, entry: ResultFolder) -> str:
        """Returns the question before results are deleted."""
        return f"Delete the results in {entry.path}? Their games would have to be played again. Other files there stay."

    def delete(self, entry: ResultFolder) -> None:
        """Deletes the results in a folder, and the folder if nothing else is in it.

        Raises:
            OSError: they cannot be deleted.
        """
        for name in RESULTS_PARTS:
            (entry.path / name).unlink(missing_ok=True)
        if not any(entry.path.iterdir()):
            entry.path.rmdir()

    def action_open_path(self) -> None:
        self.app.push_screen(results_dialog(), self._show_results)

    def action_export(self) -> None:
        chosen = self.chosen
        if chosen is not None and not self._reporting.busy:
            self.notify(f"writing a page about {chosen.path} …", markup=False)
            self._reporting.begin(lambda: write_report(chosen.path), self._written)

    def _show_results(self, results: OpenResults | None) -> None:
        if results is not None:
            self.app.push_screen(ResultsScreen(results))

    def _written(self, page: Path | BBAError) -> None:
        if isinstance(page, BBAError):
            self.notify(str(page), severity="error", markup=False)
        else:
            self.notify(f"written to {page}", markup=False)
