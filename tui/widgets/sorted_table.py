"""A table that can be sorted by a column and filtered by words."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from rich.text import Text
from textual import events, on
from textual.coordinate import Coordinate
from textual.message import Message
from textual.widgets import DataTable

from bba.tables import Best, marked
from human.keymap import TABLE_KEYS
from tui.style import bindings
from tui.widgets.panel import Explaining, blocks

UP = "▲"
DOWN = "▼"
MARK_STYLES: Mapping[Best, str] = {"all": "bold underline", "kind": "bold", "": ""}
NUMBER_BAR_CELLS = 5  # cells of the bar beside a number
Justify = Literal["left", "right"]


class SortableCell(NamedTuple):
    """The content of a cell.

    Attributes:
        text: what stands there.
        value: what it is sorted by; None always comes last.
        share: how long the bar beside it is, 0 to 1; None for no bar.
        best: whether it is marked as the best of all, or of its kind.
    """

    text: str
    value: float | str | None
    share: float | None = None
    best: Best = ""


class SortedTable(DataTable[Text], Explaining):
    """Shows rows of cells, sorted and filtered; a row is identified by its number in the given order.

    Columns with numbers are aligned to the right.
    """

    class NothingHere(Message):
        """Somebody wants to open a row where there is none."""

    BINDINGS = bindings(TABLE_KEYS, priority=False)

    def __init__(self, *, by_row: bool) -> None:
        super().__init__(cursor_type="row" if by_row else "cell", zebra_stripes=True)
        self._headings: Sequence[str] = ()
        self._rows: Sequence[Sequence[SortableCell]] = ()
        self._words: tuple[str, ...] = ()
        self._column: int | None = None
        self._descending = False

    def show(self, headings: Sequence[str], rows: Sequence[Sequence[SortableCell]]) -> None:
        """Shows another table, in the given order; cells beyond the headings are only there for the filter."""
        self._headings = headings
        self._rows = rows
        self._column = None
        self._descending = False
        self._fill()

    def update_rows(self, rows: Sequence[Sequence[SortableCell]]) -> None:
        """Shows these rows in the place of the others, sorted and filtered as before, the cursor where it was."""
        row = self.cursor_row
        self._rows = rows
        self._fill()
        self.move_cursor(row=min(row, max(self.row_count - 1, 0)))

    def filter(self, text: str) -> str:
        """Shows only the rows that contain all these words; returns how many of how many they are."""
        self._words = tuple(text.casefold().split())
        self._fill()
        return f"{self.row_count} of {len(self._rows)}"

    def sort_by(self, column: int) -> None:
        """Sorts by a column, numbers from the highest down; the second time in reverse."""
        if column == self._column:
            self._descending = not self._descending
        else:
            self._descending = any(_is_number(row[column]) for row in self._rows)
        self._column = column
        self._fill()

    @on(DataTable.HeaderSelected)
    def sort_by_header(self, event: DataTable.HeaderSelected) -> None:
        self.sort_by(event.column_index)

    @property
    def cursor_cell(self) -> tuple[int, int] | None:
        """The number of the cursor's row, and its column; None where there is no row."""
        if not self.row_count:
            return None
        key = self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value
        return int(key or 0), self.cursor_column

    def action_select_cursor(self) -> None:
        if self.row_count:
            super().action_select_cursor()
        else:
            self.post_message(self.NothingHere())

    def words_under(self, event: events.MouseMove) -> str:
        """Returns the heading of the column under the mouse, and the cells of the row."""
        meta = event.style.meta
        column = meta.get("column")
        row = meta.get("row", -1)
        texts = [self._headings[column] if column is not None and column < len(self._headings) else ""]
        if 0 <= row < self.row_count:
            texts += [cell.plain for cell in self.get_row_at(row)]
        return "\n".join(texts)

    def _fill(self) -> None:
        cursor_column = self.cursor_column
        self.clear(columns=True)
        columns = [self._texts(column) for column in range(len(self._headings))]
        for texts in columns:
            # Measured here: the table itself measures only after it has been drawn once.
            self.add_column(texts[0], width=max(text.cell_len for text in texts))
        for number in self._order():
            self.add_row(*(texts[number + 1] for texts in columns), key=str(number))
        last_column = max(len(self._headings) - 1, 0)
        self.cursor_coordinate = Coordinate(0, min(cursor_column, last_column))

    def _texts(self, column: int) -> list[Text]:
        """Returns the texts of a column, its heading first."""
        cells = [row[column] for row in self._rows]
        justify: Justify = "right" if any(_is_number(cell) for cell in cells) else "left"
        has_bars = any(cell.share is not None for cell in cells)
        heading = self._headings[column]
        if column == self._column:
            heading += f" {DOWN}" if self._descending else f" {UP}"
        return [Text(heading, justify=justify), *(_text(cell, justify, has_bars) for cell in cells)]

    def _order(self) -> list[int]:
        numbers = [number for number, row in enumerate(self._rows) if self._matches(row)]
        if self._column is None:
            return numbers
        cells = {number: self._rows[number][self._column] for number in numbers}
        numbers.sort(key=lambda number: _sort_key(cells[number]), reverse=self._descending)
        return sorted(numbers, key=lambda number: cells[number].value is None)

    def _matches(self, row: Sequence[SortableCell]) -> bool:
        text = " ".join(cell.text for cell in row).casefold()
        return all(word in text for word in self._words)


def _is_number(cell: SortableCell) -> bool:
    return isinstance(cell.value, int | float)


def _text(cell: SortableCell, justify: Justify, has_bars: bool) -> Text:
    """Returns a cell as text: the mark of the best, the cell's own text, and in a column with bars the bar."""
    text = Text(justify=justify)
    text.append(marked(cell.text, cell.best), MARK_STYLES[cell.best])
    if has_bars:
        bar = blocks(cell.share or 0.0, NUMBER_BAR_CELLS)
        text.append(f" {bar:{NUMBER_BAR_CELLS}}", "dim")
    return text


def _sort_key(cell: SortableCell) -> tuple[float, str]:
    if isinstance(cell.value, int | float):
        return cell.value, ""
    return 0.0, str(cell.value)
