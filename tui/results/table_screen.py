"""What the screens with a table of results have in common: a line at the top, a filter, the table, keys."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Resize
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Input, Static

from human.keymap import FILTER_KEYS, RESULTS_KEYS
from bba import palette
from tui.style.key_bindings import bindings
from tui.style.breakpoints import SMALLEST
from tui.widgets.panel import line
from tui.widgets.sorted_table import SortedTable


class TableScreen(Screen[None]):
    """A table that can be sorted and filtered; its heirs fill it and say where it leads.

    Args:
        title: what is shown.
        by_row: whether whole rows are chosen, not cells.
    """

    BINDINGS = bindings((*FILTER_KEYS, *RESULTS_KEYS), priority=False)
    AUTO_FOCUS = "SortedTable"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (SMALLEST[0], "-fits-across")]  # noqa: RUF012 - typed so by Textual
    VERTICAL_BREAKPOINTS = [(0, "-low"), (SMALLEST[1], "-fits-down")]  # noqa: RUF012

    def __init__(self, title: str, *, by_row: bool) -> None:
        super().__init__()
        self._title, self.table = title, SortedTable(by_row=by_row)

    def compose(self) -> ComposeResult:
        """The line at the top, what stands beside the table, the filter over it, keys."""
        yield Static(_masthead(self._title), id="masthead")
        with Horizontal(id="room"):
            yield from self.beside()
            with Vertical(id="rows"):
                yield Input(placeholder="only rows with these words", id="filter")
                yield self.table
                yield Static(id="notes", markup=False)
        yield Static(id="too-small")
        yield Footer(show_command_palette=False)

    def beside(self) -> list[Widget]:
        """What stands to the left of the table."""
        return []

    def on_resize(self, event: Resize) -> None:
        """Have the words ready that stand there where all this does not fit."""
        has = f"{event.size.width}x{event.size.height}"
        self.query_one("#too-small", Static).update(f"needs {SMALLEST[0]}x{SMALLEST[1]}, has {has}")

    @on(Input.Changed, "#filter")
    def filter_rows(self, event: Input.Changed) -> None:
        """Show the rows with what has been typed so far."""
        self.table.filter(event.value)

    @on(Input.Submitted, "#filter")
    def action_leave_filter(self) -> None:
        """Go back to the table; what was typed stays."""
        self.table.focus()

    def action_filter(self) -> None:
        """Let words be typed."""
        self.query_one("#filter", Input).focus()

    def action_sort(self) -> None:
        """Sort by the column of the cursor."""
        if self.table.here is not None:
            self.table.sort_by(self.table.here[1])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The way out of the filter counts while letters are typed there, the other keys while they are not."""
        typing = isinstance(self.focused, Input)
        match action:
            case "leave_filter":
                return typing
            case "filter" | "sort":
                return not typing
        return super().check_action(action, parameters)


def _masthead(title: str) -> Content:
    return line((" bba-tui ", f"bold {palette.GOOD}"), (f" {title}", f"bold {palette.TEXT}"))
