"""Base classes: the screens with a table of results (a title line, a filter, the table, keys), and lists of files."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Generic, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import DataTable, Input, Static

from bba import palette
from bba.errors import BBAError
from bba.terminal_text import visible_line
from human.keymap import BROWSER_KEYS, FILTER_KEYS, RESULTS_KEYS
from tui.glossary import explained
from tui.screens.dialogs import ConfirmDialog, PathDialog
from tui.style import BackgroundTask, BaseScreen, bindings, key_of
from tui.widgets import line
from tui.widgets.sorted_table import SortableCell, SortedTable


def cells_of(*values: float | str) -> list[SortableCell]:
    """Returns cells that show the values by which they are sorted."""
    return [SortableCell(visible_line(value), value) for value in values]


class TableScreen(BaseScreen[None]):
    """A table that can be sorted and filtered; subclasses fill it and say what opening an entry shows.

    Args:
        title: the title line.
        by_row: whether whole rows are selected, not cells.
        beside: a widget to the left of the table.
        right: a widget to the right of it.
        above: what is said above it.
    """

    SITUATION = "among results"
    ESCAPE_LEADS_OUT = True
    IS_RETURNED_TO = True

    BINDINGS = bindings((*FILTER_KEYS, *RESULTS_KEYS), priority=False)
    AUTO_FOCUS = "SortedTable"

    nothing_here = "nothing to open"  # what is said where there is no row

    def __init__(
        self, title: str, *, by_row: bool, beside: Widget | None = None, right: Widget | None = None, above: str = ""
    ) -> None:
        super().__init__()
        self._title = title
        self._beside = beside
        self._right = right
        self._above = above
        self.table = SortedTable(by_row=by_row)

    def compose(self) -> ComposeResult:
        masthead = line((" bba-tui ", f"bold {palette.GOOD}"), (f" {self._title}", f"bold {palette.TEXT}"))
        yield Static(masthead, id="masthead")
        if self._above:
            yield Static(self._above, id="above", markup=False)
        with Horizontal(id="body"):
            if self._beside is not None:
                yield self._beside
            with Vertical(id="rows"):
                yield Input(placeholder="only rows with these words", id="filter")
                yield self.table
                yield Static(id="notes", markup=False)
                yield Static(id="terms", markup=False)
            if self._right is not None:
                yield self._right
        yield from self.compose_bottom()

    def explain(self, names: Iterable[str]) -> None:
        """Explains the measures with these headings in a footnote, which the style sheet shows where there is room."""
        self.query_one("#terms", Static).update(explained("\n".join(names)))

    def _note(self, text: str) -> None:
        """Says something below the table."""
        self.query_one("#notes", Static).update(text)

    def _complain(self, problem: object) -> None:
        self.notify(str(problem), severity="error", markup=False)

    @on(Input.Changed, "#filter")
    def filter_rows(self, event: Input.Changed) -> None:
        count = self.table.filter(event.value)
        self.query_one("#rows").border_title = f"{count}; esc clears" if event.value else ""

    @on(Input.Submitted, "#filter")
    def keep_filter(self) -> None:
        self.table.focus()

    def action_leave_filter(self) -> None:
        self.query_one("#filter", Input).clear()
        self.table.focus()

    @on(SortedTable.NothingHere)
    def say_nothing_here(self) -> None:
        self.hint("no row has these words" if self.query_one("#filter", Input).value else self.nothing_here)

    def action_filter(self) -> None:
        self.query_one("#filter", Input).focus()

    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """The row under the cursor: its cells, with tabs between them."""
        cells = self.table.get_row_at(self.table.cursor_row) if self.table.row_count else []
        return (("row", "\t".join(cell.plain for cell in cells)),)

    def action_sort(self) -> None:
        if self.table.cursor_cell is not None:
            self.table.sort_by(self.table.cursor_cell[1])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # There is nothing to leave before something is typed; what else counts while it is, the field decides.
        if action == "leave_filter":
            return isinstance(self.focused, Input) or any(field.value for field in self.query(Input))
        return super().check_action(action, parameters)


MARKED = "● "  # before the time of an entry that is marked
SLICE = 0.2  # seconds of reading between two updates of the list

Content = TypeVar("Content")  # what a row shows
Opened = TypeVar("Opened")  # what opening it shows
Export = TypeVar("Export")  # what exporting it makes


@dataclass(frozen=True, slots=True)
class ListedFile(Generic[Content]):
    """A file or folder in a list.

    Attributes:
        path: where it is.
        modified: when it was written, in seconds since 1970.
        content: what it holds; None where that cannot be read.
    """

    path: Path
    modified: float
    content: Content | None = None


def modified(path: Path) -> float:
    """Returns when a file was written, in seconds since 1970; 0 where that is not known."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def day_text(seconds: float, now: datetime) -> str:
    """Returns a time as people say it: "today 20:41", "yesterday", "1 Mar"; in other years "2025-03-01"."""
    then = datetime.fromtimestamp(seconds)
    if then.date() == now.date():
        return f"today {then.hour}:{then:%M}"
    if then.date() == (now - timedelta(days=1)).date():
        return "yesterday"
    return f"{then.day} {then:%b}" if then.year == now.year else f"{then.date()}"


def aside(file: Path) -> Path:
    """Returns where a deleted file lies until its list is left."""
    return file.with_name(f"{file.name}.deleted")


def move(files: Iterable[tuple[Path, Path]]) -> None:
    """Renames files, from and to these paths, as far as they exist; raises OSError where one cannot be."""
    for source, target in files:
        if source.exists():
            source.rename(target)


@dataclass(frozen=True, slots=True)
class FileKind(Generic[Content, Opened, Export]):
    """A kind of files or folders, and what a list does with them; functions that take a path may raise BBAError.

    Attributes:
        headings: of the columns, the first of which is the time.
        empty: the note where there is nothing to list.
        dated: the file in a listed folder by whose time it is listed; "" for the path itself.
        content: returns what a row shows; called from another thread.
        cells: returns a row but for its time; takes None where the content cannot be read.
        opened: returns what opening an entry shows.
        dialog: returns the dialog that asks for a path and opens what is there.
        question: the question before what this names is deleted.
        files: returns the files that are deleted with an entry, as far as they exist.
        exporting: the notice when an export begins.
        export: makes what is exported; called from another thread.
    """

    headings: tuple[str, ...]
    empty: str
    dated: str
    content: Callable[[Path], Content]
    cells: Callable[[Path, Content | None], list[SortableCell]]
    opened: Callable[[Path], Opened]
    dialog: Callable[[], PathDialog[Opened]]
    question: Callable[[str], str]
    files: Callable[[Path], Sequence[Path]]
    exporting: Callable[[Path], str]
    export: Callable[[Path], Export]


class BrowserScreen(TableScreen, Generic[Content, Opened, Export]):
    """Lists files or folders: read in the background, opened, deleted, exported, or named by their path.

    Args:
        title: the title line.
        kind: what they are.
        paths: what to read, in the order of the list.
        beside: a widget to the right of the table; None for none.
    """

    SITUATION = "in a list of files"

    BINDINGS = bindings((*FILTER_KEYS, *RESULTS_KEYS, *BROWSER_KEYS), priority=False)

    under_way = ""  # what a subclass does besides

    def __init__(
        self,
        title: str,
        kind: FileKind[Content, Opened, Export],
        paths: Sequence[Path],
        beside: Widget | None = None,
    ) -> None:
        super().__init__(title, by_row=True, right=beside)
        self._kind = kind
        self._paths = list(paths)
        self.entries: list[ListedFile[Content]] = []
        self._marked = set[Path]()
        self._deleted = list[ListedFile[Content]]()
        self._reading: BackgroundTask[list[ListedFile[Content]]] = BackgroundTask(self.call_later)
        self._exporting: BackgroundTask[Export] = BackgroundTask(self.call_later)

    @abstractmethod
    def show(self, opened: Opened | None) -> None:
        """Shows what was opened, if anything was."""

    @abstractmethod
    def exported(self, export: Export) -> None:
        """Says or shows what was exported."""

    def on_mount(self) -> None:
        self.table.show(self._kind.headings, [])
        self._read_on()

    def on_unmount(self) -> None:
        """Ends the reading, and deletes for good what was deleted here, with its folder if nothing else is in that."""
        self._reading.cancel()
        for entry in self._deleted:
            with suppress(OSError):
                for file in self._kind.files(entry.path):
                    aside(file).unlink(missing_ok=True)
                entry.path.rmdir()

    @property
    def chosen(self) -> ListedFile[Content] | None:
        """The entry under the cursor."""
        cursor = self.table.cursor_cell
        return None if cursor is None else self.entries[cursor[0]]

    @on(DataTable.RowSelected)
    def open_chosen(self) -> None:
        chosen = self.chosen
        if chosen is not None:
            self.attempt(lambda: self.show(self._kind.opened(chosen.path)))

    def action_open_path(self) -> None:
        self.app.push_screen(self._kind.dialog(), self.show)

    @property
    def targets(self) -> list[ListedFile[Content]]:
        """The marked entries; where there are none, the one under the cursor."""
        under_cursor = [self.chosen.path] if self.chosen is not None else []
        return [entry for entry in self.entries if entry.path in (self._marked or under_cursor)]

    def action_mark(self) -> None:
        if self.chosen is not None:
            self._marked ^= {self.chosen.path}
            self._show()
            self.table.action_cursor_down()

    @work
    async def action_delete(self) -> None:
        """Puts files aside, after a question: until the list is left they can be had back."""
        gone = self.targets
        if not gone:
            self.hint("nothing to delete")
            return
        name = visible_line(gone[0].path) if len(gone) == 1 else f"{len(gone)} marked ones"
        if await self.app.push_screen_wait(ConfirmDialog(self._kind.question(name), yes="Delete", no="Keep")):
            self._marked.clear()
            self._transfer(gone, self.entries, self._deleted, lambda file: (file, aside(file)), "deleted")
            if any(entry in self._deleted for entry in gone):
                self.hint(f"deleted; {key_of(self.app, 'undelete')} brings it back")

    def action_undelete(self) -> None:
        gone = tuple(self._deleted)
        self._transfer(gone, self._deleted, self.entries, lambda file: (aside(file), file), "brought back")

    def _transfer(
        self,
        chosen: Sequence[ListedFile[Content]],
        source: list[ListedFile[Content]],
        target: list[ListedFile[Content]],
        ends: Callable[[Path], tuple[Path, Path]],
        done: str,
    ) -> None:
        """Moves entries from one list to another, and renames each of their files from one of its `ends` to the other.

        An entry whose files cannot be renamed stays; the notice says that it cannot be `done`.
        """
        for entry in chosen:
            try:
                move(map(ends, self._kind.files(entry.path)))
            except OSError as error:
                self._complain(f"cannot be {done}: {error.strerror or error}")
            else:
                source.remove(entry)
                target.append(entry)
        self.entries.sort(key=lambda entry: -entry.modified)
        self._show()

    def action_export(self) -> None:
        chosen = self.chosen
        if chosen is not None and not self._exporting.busy:
            self.notify(self._kind.exporting(chosen.path), markup=False)
            self._exporting.begin(lambda: self._kind.export(chosen.path), self.exported, self._complain)

    def _read_on(self) -> None:
        """Reads the next files in another thread, for as long as one update of the list may take."""
        self._show()
        if self._paths:
            self._reading.begin(lambda: self._slice(self._paths), self._arrived)

    def _slice(self, paths: Sequence[Path]) -> list[ListedFile[Content]]:
        """Reads the first of these paths, and as many more as there is time for."""
        end = time.monotonic() + SLICE
        entries: list[ListedFile[Content]] = []
        for path in paths:
            if entries and time.monotonic() >= end:
                break
            entries.append(self._listed(path))
        return entries

    def _listed(self, path: Path) -> ListedFile[Content]:
        written = modified(path / self._kind.dated)
        try:
            return ListedFile(path, written, self._kind.content(path))
        except BBAError:
            return ListedFile(path, written)

    def _arrived(self, entries: list[ListedFile[Content]]) -> None:
        self.entries += entries
        self._paths = self._paths[len(entries) :]
        self._read_on()

    def _show(self) -> None:
        today = datetime.now()
        self.table.update_rows([self._row(entry, today) for entry in self.entries])
        self._tell(self.under_way)

    def _row(self, entry: ListedFile[Content], today: datetime) -> list[SortableCell]:
        day = day_text(entry.modified, today)
        if entry.path in self._marked:
            day = MARKED + day
        return [SortableCell(day, entry.modified), *self._kind.cells(entry.path, entry.content)]

    def _tell(self, under_way: str) -> None:
        """Says what else is under way, and how many entries there are."""
        self.under_way = under_way
        notes: list[str] = []
        if under_way:
            notes.append(under_way)
        if self._paths:
            notes.append(f"reading, {len(self._paths)} left")
        if self.entries:
            notes.append(f"{len(self.entries)} here")
        self._note("; ".join(notes) or self._kind.empty)
