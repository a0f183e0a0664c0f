"""The sweeps in a folder of results, as tables, and the dialog that asks for the folder."""

from dataclasses import replace
from pathlib import Path

from textual import on
from textual.widgets import DataTable, OptionList, Static
from textual.widgets.option_list import Option

from bba.bench.results_reader import StoredSweep
from bba.report.formatting import spread_note, without_scripted
from tui.results.episodes import EpisodesScreen
from tui.results.rows import OpenResults, ResultsRow, open_results, result_folders, results_table
from tui.results.table_screen import TableScreen
from tui.screens.dialogs import PathDialog

USUAL = Path("results")  # where sweeps are stored by default


def results_dialog() -> PathDialog[OpenResults]:
    """Returns a dialog that asks for a folder of results; it offers those under ``results``."""
    return PathDialog(
        open_results,
        result_folders(USUAL),
        title="show results",
        example="path of a folder with results, such as results/quick",
        unnamed="no folder is named yet",
        action="Show",
    )


class ResultsScreen(TableScreen):
    """Shows one sweep at a time; opening a cell shows its episodes.

    Args:
        results: the contents of the folder.
    """

    def __init__(self, results: OpenResults) -> None:
        self._results = results
        stored = results.stored.sweeps
        self._runs = [replace(run, entries=without_scripted(run.entries)) for run in stored]
        self._scripted = [run != short for run, short in zip(stored, self._runs, strict=True)]
        super().__init__(f"results in {results.folder}", by_row=False, beside=_sweep_list(self._runs))
        self._run = self._runs[-1]
        self._rows: list[ResultsRow] = []

    def on_mount(self) -> None:
        self.query_one("#sweeps", OptionList).highlighted = 0

    @on(OptionList.OptionHighlighted)
    def show(self, event: OptionList.OptionHighlighted) -> None:
        number = int(event.option_id or 0)
        self._run = self._runs[number]
        table = results_table(self._run)
        self._rows = table.lines
        self.table.show(table.headings, [row.entries for row in table.lines])
        notes = _notes(self._run, scripted=self._scripted[number], beside=table.beside)
        self.query_one("#notes", Static).update(notes)

    @on(OptionList.OptionSelected)
    def enter_table(self) -> None:
        self.table.focus()

    @on(DataTable.CellSelected)
    def open_cell(self) -> None:
        here = self.table.here
        if here is None:
            return
        row, column = here
        keys = self._rows[row].corners[column]
        cases = [case for key, found in self._run.entries_by_cell.items() if key in keys for case in found]
        if cases:
            self.app.push_screen(EpisodesScreen(self._results, _title(self._run, self._rows[row]), cases))


def _sweep_list(runs: list[StoredSweep]) -> OptionList:
    """Returns a list of the sweeps by name, the last one first."""
    options = [Option(_name(run), id=str(number)) for number, run in enumerate(runs)]
    sweeps = OptionList(*reversed(options), id="sweeps", markup=False)
    sweeps.border_title = "sweeps"
    return sweeps


def _name(run: StoredSweep) -> str:
    return f"{run.sweep.name}\n  {len({case.key for case in run.entries})} episodes"


def _title(run: StoredSweep, row: ResultsRow) -> str:
    return f"{run.sweep.name}: {', '.join(entry.text for entry in row.entries if isinstance(entry.value, str))}"


def _notes(run: StoredSweep, *, scripted: bool, beside: bool) -> str:
    """Returns how to read the table: whether the planner is scripted, and whose values stand beside ours."""
    planned = ", scripted planner (no language model)" if scripted else ""
    paper = "; in brackets the preprint's, another planner's" if beside else ""
    left = f"\nleft out: {', '.join(run.left_out)}" if run.left_out else ""
    return f"{run.sweep.title}\n{spread_note(run.sweep)}, {run.sweep.seeds} seeds, {run.sweep.horizon} steps{planned}{paper}{left}"
