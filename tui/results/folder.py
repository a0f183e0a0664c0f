"""The question which results to show."""

from pathlib import Path

from tui.results.rows import OpenResults, open_results, result_folders
from tui.screens.path_dialog import PathDialog

USUAL = Path("results")  # where sweeps go if nothing else is said


class ResultsDialog(PathDialog[OpenResults]):
    """Asks for a folder of results until one can be shown, or until it is closed."""

    TITLE = "show results"
    EXAMPLE = "path of a folder with results, such as results/quick"
    NAMELESS = "no folder is named yet"
    DOES = "Show"

    def offered(self) -> list[str]:
        """The folders under ``results``, newest first."""
        return result_folders(USUAL)

    def opened(self, path: Path) -> OpenResults:
        """The results in the folder at a path."""
        return open_results(path)
