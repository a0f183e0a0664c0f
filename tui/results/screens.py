"""The screens of stored results: the folders, and the tables of each sweep."""

import os
import re
import shlex
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process, create_subprocess_exec
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from textual import on, work
from textual.markup import escape
from textual.widgets import DataTable, OptionList
from textual.widgets.option_list import Option

from bba.bench import COMMAND_FILE, RESULTS_FILE, load_sweep, sweep_names
from bba.bench.formatting import (
    fallback_note,
    margins_note,
    planner_notes,
    rough_duration,
    spread_note,
    without_planner,
)
from bba.bench.results_reader import Results, StoredSweep, load_results
from bba.bench.time_estimate import usual_seconds
from bba.errors import BBAError
from bba.report.page import write_report
from bba.tables import BEST_OF_ALL, BEST_OF_KIND
from bba.terminal_text import shell_words, visible_line
from human.keymap import BENCHMARK_KEYS, CELL_KEYS, FILTER_KEYS, RESULTS_KEYS
from tui.arguments import parse
from tui.glossary import explained
from tui.results.browser import BrowserScreen, FileKind, TableScreen, cells_of
from tui.results.episodes import EpisodesScreen, PairsScreen
from tui.results.rows import (
    EPISODE_HEADINGS,
    CellGames,
    ResultsTable,
    episode_entries,
    games_behind,
    pairs_of,
    result_folders,
    results_table,
)
from tui.screens.dialogs import ConfirmDialog, PathDialog
from tui.style import BaseApp, bindings, key_of
from tui.widgets import titled
from tui.widgets.sorted_table import SortableCell

USUAL = Path("results")  # where sweeps are stored by default


class ResultsScreen(TableScreen):
    """Shows one sweep at a time; opening a cell shows its episodes, and two cells are compared.

    Args:
        results: the contents of the folder.
    """

    BINDINGS = bindings((*FILTER_KEYS, *RESULTS_KEYS, *CELL_KEYS), priority=False)

    def __init__(self, results: Results) -> None:
        self._results = results
        stored = results.sweeps
        self._runs = [replace(run, entries=without_planner(run.entries)) for run in stored]
        self._planners = [planner_notes(run.entries) for run in stored]
        super().__init__(f"results in {results.folder}", by_row=False, beside=_sweep_list(self._runs))
        self._run = self._runs[-1]
        self._table = ResultsTable([], [], has_paper=False)
        self._table_note = ""

    def on_mount(self) -> None:
        sweeps = self.query_one("#sweeps", OptionList)
        sweeps.highlighted = 0
        sweeps.display = len(self._runs) > 1

    @on(OptionList.OptionHighlighted)
    def show(self, event: OptionList.OptionHighlighted) -> None:
        number = int(event.option_id or 0)
        self._run = self._runs[number]
        table = results_table(self._run)
        self._table = table
        self._table_note = _notes(
            self._run, table, planned=self._planners[number], key=key_of(self.app, "compare_cells")
        )
        self.table.fixed_columns = len(self._run.sweep.table.blocks) + len(self._run.sweep.table.rows)
        self.table.show(table.headings, table.shown_rows)
        self.explain([*table.headings, *(cell.text for row in table.shown_rows for cell in row)])
        self.explain_here()

    @on(DataTable.CellHighlighted)
    def explain_here(self) -> None:
        """Says how to read the table, which cell is marked, and, where there is no room for a footnote about all, what
        the measure under the cursor is.
        """
        cursor = self.table.cursor_cell
        marked = cast("BaseApp", self.app).marked
        lines = [self._table_note]
        if cursor is not None and not self.query_one("#terms").display:
            row, column = cursor
            names = [self._table.headings[column], *(cell.shown.text for cell in self._table.rows[row])]
            lines.append(explained("\n".join(names)))
        if isinstance(marked, CellGames):
            key = key_of(self.app, "compare_cells")
            lines.append(f"{key} on another cell, here or in another folder, compares it with: {marked.name({})}")
        self._note("\n".join(line for line in lines if line))

    @on(OptionList.OptionSelected)
    def enter_table(self) -> None:
        self.table.focus()

    def behind(self) -> CellGames | None:
        """Returns the games behind the cell under the cursor; None where there are none, which it says."""
        cursor = self.table.cursor_cell
        games = None
        if cursor is not None:
            row, column = cursor
            games = games_behind(self._results, self._run, self._table.rows[row][column])
        if games is None:
            self.hint("no games stand behind this cell")
        return games

    @on(DataTable.CellSelected)
    def open_cell(self) -> None:
        cell = self.behind()
        if cell is None:
            return
        title = cell.name({"folder": str(self._results.folder)})
        rows = [episode_entries(*game) for game in cell.games]
        games = [(game,) for game in cell.games]
        self.app.push_screen(EpisodesScreen(title, EPISODE_HEADINGS, rows, games))

    def action_compare(self) -> None:
        """Marks the cell under the cursor, or no longer; where another one is marked, shows the difference of both.

        A cell that is itself a difference needs no other one.
        """
        app = cast("BaseApp", self.app)
        cell = self.behind()
        if cell is None:
            return
        first: object = app.marked
        second = cell
        if cell.pair is not None:
            first = cell.of(cell.pair[0])
            second = cell.of(cell.pair[1])
        if not isinstance(first, CellGames):
            if self.attempt(lambda: pairs_of(cell, cell)):  # else it is said at once that it cannot be compared
                app.marked = cell
        elif first.names == second.names or self.attempt(lambda: app.push_screen(PairsScreen(first, second))):
            app.marked = None
        self.explain_here()


def _sweep_list(runs: list[StoredSweep]) -> OptionList:
    options = []
    for number, run in enumerate(runs):
        episodes = len({entry.key for entry in run.entries})
        options.append(Option(f"{run.sweep.name}\n  {episodes} episodes", id=str(number)))
    options.reverse()  # the newest first
    return titled(OptionList(*options, id="sweeps", markup=False), "benchmarks")


def _notes(run: StoredSweep, table: ResultsTable, *, planned: list[str], key: str) -> str:
    """Returns how to read the table: what planned, if not a language model, whose values are next to ours, and what
    the marks in it mean, where there are any.
    """
    counts = f"{run.sweep.seeds} seeds, {run.sweep.horizon} steps"
    note = ", ".join([spread_note(run.sweep), counts, *planned])
    cells = [cell for row in table.shown_rows for cell in row]
    if table.has_paper:
        note += "; in brackets the preprint's, another planner's"
    if any(cell.best == "all" for cell in cells):
        of_kind = f", {BEST_OF_KIND} best of its kind" if any(cell.best == "kind" for cell in cells) else ""
        note += f"; {BEST_OF_ALL} best mean{of_kind}, perhaps by chance: {key} compares two"
    if any(cell.share is not None for cell in cells):
        note += "; bars: share of the largest"
    fallbacks = fallback_note(result.measures for result in run.results.values())
    lines = [run.sweep.title, note, *margins_note(run.sweep), *run.caveats, *fallbacks]
    if run.left_out:
        lines.append(f"left out: {', '.join(run.left_out)}")
    return "\n".join(lines)


RESULTS_PARTS = (RESULTS_FILE, f"{RESULTS_FILE}-wal", f"{RESULTS_FILE}-shm", COMMAND_FILE)  # and what lies beside it


def goes_on_with(folder: Path) -> str:
    """Returns the command that goes on with the benchmark that was stopped in a folder; "" where none was."""
    command = folder / COMMAND_FILE
    return command.read_text(errors="replace").strip() if command.is_file() else ""


def folder_cells(path: Path, stored: Results | None) -> list[SortableCell]:
    """Returns a folder as a row: how many episodes of which sweeps it holds, and how many of them failed."""
    place = cells_of(str(path))
    if stored is None:
        why = "begun, nothing finished yet" if goes_on_with(path) else "cannot be read"
        return [*place, SortableCell(why, None), *([SortableCell("", None)] * 2)]
    names = ", ".join(dict.fromkeys(run.sweep.name for run in stored.sweeps))
    failed = sum(episode.result.failure is not None for episode in stored.episodes.values())
    played = len(stored.episodes)
    planned = {entry.key for run in stored.sweeps for entry in run.entries}
    missing = len(planned - stored.episodes.keys())
    episodes = SortableCell(f"{played} of {played + missing}" if missing else str(played), played)
    return [*place, *cells_of(names), episodes, *cells_of(failed)]


RESULT_FOLDERS = FileKind(
    headings=("when", "folder", "benchmarks", "episodes", "failed"),
    empty="No results here yet: b plays a benchmark. o opens a folder that lies elsewhere.",
    dated=RESULTS_FILE,
    content=load_results,
    cells=folder_cells,
    opened=load_results,
    dialog=lambda: PathDialog(
        load_results,
        result_folders(USUAL),
        title="show results",
        example="path of a folder with results, such as results/quick",
        unnamed="no folder is named yet",
        action="Show",
        suffix=None,
    ),
    question="Delete the results in {}? You can undo it until you leave this list. Other files stay.".format,
    files=lambda folder: [folder / name for name in RESULTS_PARTS],
    exporting="writing a page about {} …".format,
    export=write_report,
)


# Runs a command as from a shell, but for a line of progress every second; it ends with the screen that began it.
CHILD = (
    "import os, sys, bba.progress; from bba.processes import leave_with; from tui.cli import main; "
    "leave_with(os.getppid()); bba.progress.LINE_SECONDS = 1.0; sys.exit(main())"
)


COMMAND_START = "bba-tui bench "  # how the line of a benchmark begins


def benchmark_words(text: str) -> list[str]:
    """Returns the words after the command that plays a benchmark.

    Raises:
        BBAError, ValueError: an option is not valid, or a quotation has no end.
    """
    words = shlex.split(text.removeprefix(COMMAND_START))
    parse(["bench", *words])
    return words


TIME_CELLS = 7  # of a rough duration


def described_benchmark(name: str) -> str:
    """Returns how long a shipped benchmark takes on all cores without a language model, roughly, and what it is."""
    seconds = usual_seconds(name, os.cpu_count() or 1)
    time = "" if seconds is None else f"~{rough_duration(seconds)}"
    title = load_sweep(name).title
    heading, _, about = title.partition(": ")
    return f"{time:>{TIME_CELLS}}  {about if about and heading.lower() == name else title}"


def shown_command(text: str) -> str:
    """Returns a command that is kept in a file as it may be shown; "" for one that is damaged."""
    try:
        return shell_words(shlex.split(text))
    except ValueError:  # a quotation has no end
        return ""


def folder_of(words: Sequence[str]) -> Path | None:
    """Returns the folder in which a benchmark keeps its results, as an absolute path; None for no benchmark."""
    options: Any = parse(["bench", *words]).options
    try:
        return (options.out or USUAL / load_sweep(options.benchmark).name).absolute()
    except BBAError:
        return None


COUNTED = re.compile(r"(\d+) of (\d+) ")  # in a line of progress


class ResultFoldersScreen(BrowserScreen[Results, Results, Path]):
    """Shows the folders with results in a folder, newest first, and plays benchmarks in a process beside the screen.

    Args:
        folder: where to look.
    """

    BINDINGS = bindings(BENCHMARK_KEYS, priority=False)

    _child: Process | None = None  # plays a benchmark

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._playing: Path | None = None  # where the child writes its results
        kind = replace(RESULT_FOLDERS, cells=self._cells)
        super().__init__(f"results in {visible_line(folder)}", kind, [Path(name) for name in result_folders(folder)])

    def _cells(self, path: Path, stored: Results | None) -> list[SortableCell]:
        """Returns a folder as a row; where a benchmark is played just now, how far it is."""
        cells = folder_cells(path, stored)
        if self._playing is None or path.absolute() != self._playing:
            return cells
        counted = COUNTED.match(self.under_way)
        far = f"playing, {counted[1]} of {counted[2]}" if counted else "playing"
        name = cells[1] if stored is not None else SortableCell(path.name, path.name)
        return [cells[0], name, SortableCell(far, int(counted[1]) if counted else 0), SortableCell("", None)]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "stop":
            return self._child is not None
        return super().check_action(action, parameters)

    def show(self, opened: Results | None) -> None:
        """Shows the tables of a folder."""
        if opened is not None:
            self.app.push_screen(ResultsScreen(opened))

    def exported(self, export: Path) -> None:
        """Says where the page about results is."""
        self.notify(f"written to {visible_line(export)}", markup=False)

    @on(DataTable.RowHighlighted)
    def show_command(self) -> None:
        """Says of a benchmark that was stopped how it goes on."""
        command = goes_on_with(self.chosen.path) if self.chosen and not self._child else ""
        text = f"stopped; goes on with {shown_command(command)}" if command else ""
        self.query_one("#rows").border_subtitle = escape(text)

    @work
    async def action_begin(self) -> None:
        """Asks which benchmark, says what it costs, and plays what is missing of it; how far it is stands below."""
        if self._child is not None:
            self.hint(f"one is under way; {key_of(self.app, 'stop_benchmark')} stops it")
            return
        stopped = goes_on_with(self.chosen.path) if self.chosen else ""
        dialog = PathDialog(
            benchmark_words,
            {name: described_benchmark(name) for name in sweep_names()},
            title="run or resume a benchmark",
            example="its name, and options as those of bba-tui bench",
            unnamed="no benchmark is named yet",
            action="What it costs",
            suffix=None,
            value=stopped.removeprefix(COMMAND_START) or "quick",
            read=str,
        )
        words = await self.app.push_screen_wait(dialog)
        if words is None or await self._run([*words, "--dry-run"]):
            return
        question = ConfirmDialog(f"{shell_words(words)}: {self.under_way}", yes="Begin", no="Not now", careful=False)
        if not await self.app.push_screen_wait(question):
            self._tell("")
            return
        code = await self._run([*words, "--yes"])
        if code == 0:
            self._tell("finished")
        elif code != 2:  # whose last line says what is wrong
            self._tell("stopped; what is finished is kept")

    async def _run(self, words: Sequence[str]) -> int:
        """Runs the command `bench` with these words and shows its last line; returns its exit code."""
        self._playing = None if "--dry-run" in words else folder_of(words)
        self._tell("starting …")
        command = (sys.executable, "-c", CHILD, "bench", *words)
        child = await create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT)
        self._child = child
        assert child.stdout is not None
        self.refresh_bindings()
        async for line in child.stdout:
            self._tell(line.decode(errors="replace").rstrip())
            if not self._reading.busy:
                self._look()
        code = await child.wait()
        self._child = None
        self._playing = None
        self.refresh_bindings()
        self._reading.cancel()
        self.entries.clear()
        self._look()
        return code

    def _look(self) -> None:
        """Reads the folders that are not in the list yet."""
        listed = {entry.path for entry in self.entries}
        folders = [Path(name) for name in result_folders(self._folder)]
        self._paths = [folder for folder in folders if folder not in listed]
        self._read_on()

    def action_stop(self) -> None:
        if self._child is not None:
            self._child.terminate()

    def on_unmount(self) -> None:
        if self._child is not None:
            self._child.terminate()
            self.app.notify("the benchmark was stopped; the list of results says how it goes on", markup=False)
