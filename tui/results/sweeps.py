"""The sweeps of a folder of results, as tables."""

from dataclasses import replace

from textual import on
from textual.widget import Widget
from textual.widgets import DataTable, OptionList, Static
from textual.widgets.option_list import Option

from bba.bench.results_reader import StoredSweep
from bba.report.formatting import spread_note, without_scripted
from tui.results.rows import ResultsRow, OpenResults, results_table
from tui.results.episodes import EpisodesScreen
from tui.results.table_screen import TableScreen


class ResultsScreen(TableScreen):
    """Shows one sweep at a time; a cell leads to its episodes.

    Args:
        results: the folder's.
    """

    def __init__(self, results: OpenResults) -> None:
        super().__init__(f"results in {results.folder}", by_row=False)
        self._results = results
        asked = results.stored.sweeps
        self._runs = [replace(run, entries=without_scripted(run.entries)) for run in asked]
        self._scripted = [run != short for run, short in zip(asked, self._runs, strict=True)]
        self._run = self._runs[-1]
        self._lines: list[ResultsRow] = []

    def beside(self) -> list[Widget]:
        """The sweeps by name, the last one first."""
        options = [Option(_name(run), id=str(number)) for number, run in enumerate(self._runs)]
        sweeps = OptionList(*reversed(options), id="sweeps", markup=False)
        sweeps.border_title = "sweeps"
        return [sweeps]

    def on_mount(self) -> None:
        """Begin with the sweep that was run last."""
        self.query_one("#sweeps", OptionList).highlighted = 0

    @on(OptionList.OptionHighlighted)
    def show(self, event: OptionList.OptionHighlighted) -> None:
        """Show the tables of this sweep."""
        number = int(event.option_id or 0)
        self._run = self._runs[number]
        sheet = results_table(self._results.stored, self._run)
        self._lines = sheet.lines
        self.table.show(sheet.headings, [line.entries for line in sheet.lines])
        notes = _notes(self._run, scripted=self._scripted[number], beside=sheet.beside)
        self.query_one("#notes", Static).update(notes)

    @on(OptionList.OptionSelected)
    def enter_table(self) -> None:
        """Go to the table."""
        self.table.focus()

    @on(DataTable.CellSelected)
    def open_cell(self) -> None:
        """Show the episodes of the chosen cell."""
        here = self.table.here
        if here is None:
            return
        row, column = here
        corners = self._run.entries_by_cell
        places = self._lines[row].corners[column]
        cases = [case for place, found in corners.items() if place in places for case in found]
        if cases:
            self.app.push_screen(EpisodesScreen(self._results, _title(self._run, self._lines[row]), cases))


def _name(run: StoredSweep) -> str:
    return f"{run.sweep.name}\n  {len({case.key for case in run.entries})} episodes"


def _title(run: StoredSweep, line: ResultsRow) -> str:
    return f"{run.sweep.name}: {', '.join(entry.text for entry in line.entries if isinstance(entry.value, str))}"


def _notes(run: StoredSweep, *, scripted: bool, beside: bool) -> str:
    """What is needed to read the table: `scripted` where the labels do not say so, `beside` where the preprint is."""
    planned = ", scripted planner (no language model)" if scripted else ""
    paper = "; in brackets the preprint's, another planner's" if beside else ""
    left = f"\nleft out: {', '.join(run.left_out)}" if run.left_out else ""
    return f"{run.sweep.title}\n{spread_note(run.sweep)}, {run.sweep.seeds} seeds, {run.sweep.horizon} steps{planned}{paper}{left}"
