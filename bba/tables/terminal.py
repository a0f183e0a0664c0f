"""A table on a terminal, by Rich: without lines or in a box. One that is too wide is shown in pieces, and not cut."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Column
from rich.table import Table as RichTable
from rich.text import Text

from bba.tables.table import Cell, Table, TableColumn

GAP = 2  # cells between the columns of a table


def to_rich(table: Table) -> RichTable:
    """Returns a table as Rich prints it, without lines and without its title."""
    shown = with_points_aligned(table)
    return _rich_table(shown, [_rich_column(column) for column in shown.columns])


def in_a_box(table: Table) -> RichTable:
    """Returns a table in a box below its title."""
    shown = with_points_aligned(table)
    columns = [_rich_column(column) for column in shown.columns]
    box = RichTable(*columns, title=shown.title, title_justify="left")
    _add_rows(box, shown)
    return box


def pieces(table: Table, console: Console) -> Iterator[RichTable]:
    """Yields a table; one that is too wide as several, with the words in each, so that no name or number is cut."""
    whole = with_points_aligned(table)
    widths = [_width(whole, number, console) for number in range(len(whole.columns))]
    words = [number for number, column in enumerate(whole.columns) if not column.is_number]
    numbers = [number for number, column in enumerate(whole.columns) if column.is_number]
    room = console.width + GAP - sum(widths[number] for number in words)
    for part in _parts(numbers, widths, room):
        shown = sorted([*words, *part])
        columns: list[Column] = []
        for number in shown:
            column = _rich_column(whole.columns[number])
            column.min_width = widths[number] - GAP
            column.no_wrap = number in part
            columns.append(column)
        yield _rich_table(whole.with_columns(shown), columns)


def _parts(numbers: Iterable[int], widths: Sequence[int], room: int) -> list[list[int]]:
    """Returns columns in groups, each as wide as there is room, or one column that is wider."""
    parts: list[list[int]] = [[]]
    for number in numbers:
        taken_width = sum(widths[earlier] for earlier in parts[-1])
        if parts[-1] and taken_width + widths[number] > room:
            parts.append([])
        parts[-1].append(number)
    return parts


def _width(table: Table, number: int, console: Console) -> int:
    """Returns the width of a column with the gap beside it: words can be broken between lines, numbers cannot."""
    column = table.columns[number]
    texts = [Text(column.heading), *(_cell_text(cell) for cell in table.cells_below(number))]
    sizes = [console.measure(text) for text in texts]
    if column.is_number:
        return GAP + max(size.maximum for size in sizes)
    return GAP + max(size.minimum for size in sizes)


def _rich_column(column: TableColumn) -> Column:
    return Column(Text(column.heading), justify="right" if column.is_number else "left")


def _rich_table(table: Table, columns: Iterable[Column]) -> RichTable:
    grid = RichTable(*columns, box=None, pad_edge=False)
    _add_rows(grid, table)
    return grid


def _add_rows(grid: RichTable, table: Table) -> None:
    for row in table.rows:
        grid.add_row(*[_cell_text(cell) for cell in row])


def _cell_text(cell: Cell) -> Text:
    """Returns the text, how many episodes are missing, and the preprint's value, each on a line."""
    text = Text(cell.marked, cell.style)
    if cell.missing:
        text.append(f"\n[{cell.missing}]")
    if cell.paper:
        text.append(f"\npreprint {cell.paper}", style="dim")
    return text


def with_points_aligned(table: Table) -> Table:
    """Returns a table whose decimal points stand below one another in the columns that are to have it so."""
    columns = list(table.columns)
    cells_by_column = [table.cells_below(number) for number in range(len(columns))]
    for number, column in enumerate(table.columns):
        if column.align == "point":
            texts = aligned([cell.text for cell in cells_by_column[number]], len(column.heading))
            width = max(map(len, texts), default=0)
            columns[number] = TableColumn(column.heading.rjust(width))
            pairs = zip(cells_by_column[number], texts, strict=True)
            cells_by_column[number] = [replace(cell, text=text) for cell, text in pairs]
    rows = tuple(zip(*cells_by_column, strict=True))
    return Table(tuple(columns), rows, table.title)


def aligned(numbers: Iterable[str], width: int = 0) -> list[str]:
    """Returns the numbers of a column, `width` or more cells wide, with their decimal points below one another."""
    parts: list[tuple[str, str]] = []
    for number in numbers:
        whole, point, fraction = number.partition(".")
        parts.append((whole, point + fraction))
    places = max((len(decimals) for _, decimals in parts), default=0)
    texts = [whole + decimals.ljust(places) for whole, decimals in parts]
    widest = max(map(len, texts), default=0)
    return [text.rjust(max(width, widest)) for text in texts]
