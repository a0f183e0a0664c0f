"""Base class of the screens with a table of results: a title line, a filter, the table, keys."""

from collections.abc import Iterable

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from bba import palette
from human.keymap import FILTER_KEYS, RESULTS_KEYS
from tui.glossary import explained
from tui.style.base_app import bindings
from tui.style.base_screen import BaseScreen
from tui.widgets.panel import line
from tui.widgets.sorted_table import SortedTable


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
