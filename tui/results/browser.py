"""Base class of the lists of files: read in the background, opened, deleted, exported, or named by their path.

Base class of the screens with a table of results: a title line, a filter, the table, keys.
"""

import time
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import DataTable, Input, Static

from bba import palette
from bba.errors import BBAError
from human.keymap import BROWSER_KEYS, FILTER_KEYS, RESULTS_KEYS
from tui.glossary import explained
from tui.screens.dialogs import ConfirmDialog
from tui.style.background_task import BackgroundTask
from tui.style.base_app import bindings
from tui.style.base_screen import BaseScreen
from tui.widgets.panel import line
from tui.widgets.sorted_table import SortableCell, SortedTable


class TableScreen(BaseScreen[None]):
    """A table that can be sorted and filtered; subclasses fill it and say what opening an entry shows.

    Args:
        title: the title line.
        by_row: whether whole rows are selected, not cells.
        beside: a widget to the left of the table.
        right: a widget to the right of it.
    """

    BINDINGS = bindings((*FILTER_KEYS, *RESULTS_KEYS), priority=False)
    AUTO_FOCUS = "SortedTable"

    nothing_here = "nothing to open"  # what is said where there is no row

    def __init__(self, title: str, *, by_row: bool, beside: Widget | None = None, right: Widget | None = None) -> None:
        super().__init__()
        self._title, self._beside, self._right, self.table = title, beside, right, SortedTable(by_row=by_row)

    def compose(self) -> ComposeResult:
        masthead = line((" bba-tui ", f"bold {palette.GOOD}"), (f" {self._title}", f"bold {palette.TEXT}"))
        yield Static(masthead, id="masthead")
        with Horizontal(id="body"):
            if self._beside is not None:
                yield self._beside
            words = Input(placeholder="only rows with these words", id="filter")
            notes = Static(id="notes", markup=False), Static(id="terms", markup=False)
            yield Vertical(words, self.table, *notes, id="rows")
            if self._right is not None:
                yield self._right
        yield from self.compose_bottom()

    def explain(self, names: Iterable[str]) -> None:
        """Explains the measures with these headings in a footnote, which the style sheet shows where there is room."""
        self.query_one("#terms", Static).update(explained("\n".join(names)))

    @on(Input.Changed, "#filter")
    def filter_rows(self, event: Input.Changed) -> None:
        self.table.filter(event.value)

    @on(Input.Submitted, "#filter")
    def action_leave_filter(self) -> None:
        """Goes back to the table; the filter stays."""
        self.table.focus()

    @on(SortedTable.NothingHere)
    def say_nothing_here(self) -> None:
        self.hint("no row has these words" if self.query_one("#filter", Input).value else self.nothing_here)

    def action_filter(self) -> None:
        self.query_one("#filter", Input).focus()

    def action_sort(self) -> None:
        if self.table.here is not None:
            self.table.sort_by(self.table.here[1])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # While the filter has the focus its letters are typed, and only the key that leaves it counts.
        typing = isinstance(self.focused, Input)
        match action:
            case "leave_filter":
                return typing
            case "filter" | "sort" | "open_path" | "delete" | "export":
                return not typing
        return super().check_action(action, parameters)


SLICE = 0.2  # seconds of reading between two updates of the list

Entry = TypeVar("Entry")


class BrowserScreen(TableScreen, Generic[Entry]):
    """Lists files or folders.

    Args:
        title: the title line.
        paths: what to read, in the order of the list.
        beside: a widget to the right of the table; None for none.
    """

    BINDINGS = bindings((*FILTER_KEYS, *RESULTS_KEYS, *BROWSER_KEYS), priority=False)

    HEADINGS: tuple[str, ...]
    EMPTY: str  # the note where there is nothing to list

    def __init__(self, title: str, paths: Sequence[Path], beside: Widget | None = None) -> None:
        super().__init__(title, by_row=True, right=beside)
        self._paths = list(paths)
        self.entries: list[Entry] = []
        self._reading: BackgroundTask[list[Entry]] = BackgroundTask(self.call_later)

    @abstractmethod
    def read(self, path: Path) -> Entry:
        """Returns what a row shows; called from another thread, and raises nothing."""

    @abstractmethod
    def cells(self, entry: Entry) -> list[SortableCell]:
        """Returns the row of an entry."""

    @abstractmethod
    def open(self, entry: Entry) -> None:
        """Opens an entry.

        Raises:
            BBAError: it cannot be opened.
        """

    @abstractmethod
    def action_export(self) -> None:
        """Exports the entry under the cursor."""

    @abstractmethod
    def action_open_path(self) -> None:
        """Asks for a path and opens what is there."""

    @abstractmethod
    def question(self, entry: Entry) -> str:
        """Returns the question before an entry is deleted."""

    @abstractmethod
    def delete(self, entry: Entry) -> None:
        """Deletes an entry's files.

        Raises:
            OSError: they cannot be deleted.
        """

    def on_mount(self) -> None:
        self.table.show(self.HEADINGS, [])
        self._read_on()

    def on_unmount(self) -> None:
        self._reading.cancel()

    @property
    def chosen(self) -> Entry | None:
        """The entry under the cursor."""
        here = self.table.here
        return None if here is None else self.entries[here[0]]

    @on(DataTable.RowSelected)
    def open_chosen(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        try:
            self.open(chosen)
        except BBAError as error:
            self.notify(str(error), severity="error", markup=False)

    def action_delete(self) -> None:
        chosen = self.chosen
        if chosen is None:
            self.hint("nothing to delete")
        else:
            dialog = ConfirmDialog(self.question(chosen), yes="Delete", no="Keep")
            self.app.push_screen(dialog, lambda sure: self._delete(chosen) if sure else None)

    def _delete(self, entry: Entry) -> None:
        try:
            self.delete(entry)
        except OSError as error:
            self.notify(f"cannot be deleted: {error.strerror or error}", severity="error", markup=False)
            return
        self.entries.remove(entry)
        self._show()

    def _read_on(self) -> None:
        """Reads the next files in another thread, for as long as one update of the list may take."""
        self._show()
        if self._paths:
            self._reading.begin(lambda: self._slice(self._paths), self._arrived)

    def _slice(self, paths: Sequence[Path]) -> list[Entry]:
        end = time.monotonic() + SLICE
        first, rest = paths[0], paths[1:]
        return [self.read(first), *(self.read(path) for path in takewhile(lambda _: time.monotonic() < end, rest))]

    def _arrived(self, found: list[Entry] | BBAError) -> None:
        if isinstance(found, list):
            self.entries += found
            self._paths = self._paths[len(found) :]
            self._read_on()

    def _show(self) -> None:
        self.table.update_rows([self.cells(entry) for entry in self.entries])
        left = f"reading, {len(self._paths)} left" if self._paths else ""
        count = f"{len(self.entries)} here" if self.entries else "" if self._paths else self.EMPTY
        self.query_one("#notes", Static).update("; ".join(filter(None, (left, count))))
