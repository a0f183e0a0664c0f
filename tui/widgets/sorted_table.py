"""A table that can be sorted by a column and filtered by words."""

from collections.abc import Sequence
from typing import NamedTuple

from textual import on
from textual.coordinate import Coordinate
from textual.widgets import DataTable

from human.keymap import TABLE_KEYS
from tui.style.base_app import bindings

UP, DOWN = "▲", "▼"


class SortableCell(NamedTuple):
    """The text of a cell, and the value that it is sorted by; None always comes last."""

    text: str
    value: float | str | None


class SortedTable(DataTable[str]):
    """Shows rows of cells, sorted and filtered; a row is identified by its number in the given order."""

    BINDINGS = bindings(TABLE_KEYS, priority=False)

    def __init__(self, *, by_row: bool) -> None:
        super().__init__(cursor_type="row" if by_row else "cell", zebra_stripes=True)
        self._headings: Sequence[str] = ()
        self._rows: Sequence[Sequence[SortableCell]] = ()
        self._words: tuple[str, ...] = ()
        self._column: int | None = None
        self._descending = False

    def show(self, headings: Sequence[str], rows: Sequence[Sequence[SortableCell]]) -> None:
        """Shows another table, in the given order."""
        self._headings, self._rows = headings, rows
        self._column, self._descending = None, False
        self._fill()

    def filter(self, text: str) -> None:
        """Shows only the rows that contain all these words."""
        self._words = tuple(text.casefold().split())
        self._fill()

    def sort_by(self, column: int) -> None:
        """Sorts by a column, numbers from the highest down; the second time in reverse."""
        numbers = any(isinstance(row[column].value, int | float) for row in self._rows)
        self._descending = not self._descending if column == self._column else numbers
        self._column = column
        self._fill()

    @on(DataTable.HeaderSelected)
    def sort_by_header(self, event: DataTable.HeaderSelected) -> None:
        self.sort_by(event.column_index)

    @property
    def here(self) -> tuple[int, int] | None:
        """The number of the cursor's row, and its column; None where there is no row."""
        if not self.row_count:
            return None
        key = self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value
        return int(key or 0), self.cursor_column

    def _fill(self) -> None:
        column = self.cursor_column
        self.clear(columns=True)
        for number, heading in enumerate(self._headings):
            mark = f" {DOWN if self._descending else UP}" if number == self._column else ""
            self.add_column(heading + mark)
        for number in self._order():
            self.add_row(*(entry.text for entry in self._rows[number]), key=str(number))
        self.cursor_coordinate = Coordinate(0, min(column, max(len(self._headings) - 1, 0)))

    def _order(self) -> list[int]:
        """Returns the numbers of the rows to show, in order."""
        numbers = [number for number, row in enumerate(self._rows) if self._matches(row)]
        if self._column is None:
            return numbers
        column = self._column
        known = [number for number in numbers if self._rows[number][column].value is not None]
        unknown = [number for number in numbers if self._rows[number][column].value is None]
        return (
            sorted(known, key=lambda number: _sort_key(self._rows[number][column]), reverse=self._descending) + unknown
        )

    def _matches(self, row: Sequence[SortableCell]) -> bool:
        text = " ".join(entry.text for entry in row).casefold()
        return all(word in text for word in self._words)


def _sort_key(entry: SortableCell) -> tuple[float, str]:
    return (entry.value, "") if isinstance(entry.value, int | float) else (0.0, str(entry.value))
