"""The command `results`."""

from pathlib import Path

from bba.settings import PlanningOptions, PluginOptions
from tui.arguments.options import ScreenOptions


class ResultsOptions(PluginOptions, PlanningOptions, ScreenOptions):
    """Options of `results`."""

    folder: Path = Path("results")


def results(options: ResultsOptions) -> None:
    """Browse the tables and games of benchmarks: of a folder, or of those in it.

    Raises:
        BBAError: results that cannot be read, or no terminal that the screen fits into.
    """
    from bba.bench.results_reader import load_results
    from bba.bench.results_store import RESULTS_FILE
    from tui.commands.bundles import opened
    from tui.commands.game_screen import open_app
    from tui.results.rows import result_folders
    from tui.results.screens import USUAL, ResultFoldersScreen, ResultsScreen

    folder = opened(options.folder, "results")
    has_results = (folder / RESULTS_FILE).is_file()
    if not has_results and (folder == USUAL or result_folders(folder)):
        open_app(options, first=ResultFoldersScreen(folder))
    else:
        open_app(options, first=ResultsScreen(load_results(folder)))
