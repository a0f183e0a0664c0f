"""A table that people sort by a column and filter by words."""

from collections.abc import Sequence
from typing import NamedTuple

from textual import on
from textual.coordinate import Coordinate
from textual.widgets import DataTable

from human.keymap import TABLE_KEYS
from tui.style.key_bindings import bindings

UP, DOWN = "▲", "▼"


class SortableCell(NamedTuple):
    """What stands in a cell, and what it is sorted by; None always comes last."""

    text: str
    value: float | str | None


class SortedTable(DataTable[str]):
    """Shows rows of entries, sorted and filtered; rows are known by their number as they were given."""

    BINDINGS = bindings(TABLE_KEYS, priority=False)

    def __init__(self, *, by_row: bool) -> None:
        super().__init__(cursor_type="row" if by_row else "cell", zebra_stripes=True)
        self._headings: Sequence[str] = ()
        self._rows: Sequence[Sequence[SortableCell]] = ()
        self._words: tuple[str, ...] = ()
        self._column: int | None = None
        self._falling = False

    def show(self, headings: Sequence[str], rows: Sequence[Sequence[SortableCell]]) -> None:
        """Show another table, in the order in which it is given."""
        self._headings, self._rows = headings, rows
        self._column, self._falling = None, False
        self._fill()

    def filter(self, text: str) -> None:
        """Show only the rows in which all these words stand."""
        self._words = tuple(text.casefold().split())
        self._fill()

    def sort_by(self, column: int) -> None:
        """Sort by a column, figures from the highest down; the second time the other way round."""
        numbers = any(isinstance(row[column].value, int | float) for row in self._rows)
        self._falling = not self._falling if column == self._column else numbers
        self._column = column
        self._fill()

    @on(DataTable.HeaderSelected)
    def sort_by_header(self, event: DataTable.HeaderSelected) -> None:
        """Sort by the column whose heading was clicked."""
        self.sort_by(event.column_index)

    @property
    def here(self) -> tuple[int, int] | None:
        """The row, by its number, and the column of the cursor; None where there is no row."""
        if not self.row_count:
            return None
        key = self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value
        return int(key or 0), self.cursor_column

    def _fill(self) -> None:
        column = self.cursor_column
        self.clear(columns=True)
        for number, heading in enumerate(self._headings):
            mark = f" {DOWN if self._falling else UP}" if number == self._column else ""
            self.add_column(heading + mark)
        for number in self._order():
            self.add_row(*(entry.text for entry in self._rows[number]), key=str(number))
        self.cursor_coordinate = Coordinate(0, min(column, max(len(self._headings) - 1, 0)))

    def _order(self) -> list[int]:
        """The numbers of the rows that are shown."""
        numbers = [number for number, row in enumerate(self._rows) if self._fits(row)]
        if self._column is None:
            return numbers
        column = self._column
        known = [number for number in numbers if self._rows[number][column].value is not None]
        unknown = [number for number in numbers if self._rows[number][column].value is None]
        return sorted(known, key=lambda number: _rank(self._rows[number][column]), reverse=self._falling) + unknown

    def _fits(self, row: Sequence[SortableCell]) -> bool:
        text = " ".join(entry.text for entry in row).casefold()
        return all(word in text for word in self._words)


def _rank(entry: SortableCell) -> tuple[float, str]:
    return (entry.value, "") if isinstance(entry.value, int | float) else (0.0, str(entry.value))
