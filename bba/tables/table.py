"""A table for people: its title, its columns and the texts of its cells."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Alignment = Literal["left", "right", "point"]
Best = Literal["", "kind", "all"]  # not the best, the best of its kind, or the best of all
BEST_OF_ALL = "★"
BEST_OF_KIND = "☆"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table.

    Attributes:
        heading: its heading.
        align: "left" for words, "right" for numbers, "point" for numbers whose decimal points stand below one another
            on a terminal.
    """

    heading: str
    align: Alignment = "left"

    @property
    def is_number(self) -> bool:
        """Whether the column stands at the right."""
        return self.align == "right"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: the text; where a table compares with the preprint, our summary.
        missing: how many episodes are missing; "" for none.
        paper: the preprint's value; "" for none.
        n: the number of seeds, pairs or participants if it is not the usual one of the table; else 0. Terminals do not
            show it.
        anchor: the id of the cell's episodes on a page; "" for none.
        style: of the text on a terminal, as Rich names it; "" for none.
        best: whether it is the best of those that it is compared with.
    """

    text: str
    missing: str = ""
    paper: str = ""
    n: int = 0
    anchor: str = ""
    style: str = ""
    best: Best = ""

    @property
    def marked(self) -> str:
        """The text behind the sign of the best, if it is that."""
        return marked(self.text, self.best)

    @property
    def details(self) -> str:
        """An unusual n, the missing episodes, and the preprint's value."""
        texts = []
        if self.n:
            texts.append(f"[n = {self.n}]")
        if self.missing:
            texts.append(f"[{self.missing}]")
        if self.paper:
            texts.append(f"(preprint {self.paper})")
        return " ".join(texts)

    @property
    def in_a_line(self) -> str:
        """The text with its sign, and the details."""
        return " ".join(text for text in (self.marked, self.details) if text)


def marked(text: str, best: Best) -> str:
    """Returns a text behind the sign of the best of all or of its kind; without a sign if it is neither."""
    signs = {"all": f"{BEST_OF_ALL} ", "kind": f"{BEST_OF_KIND} "}
    return signs.get(best, "") + text


TableRow = Sequence[str | Cell]  # the cells of a row, some of them as their text alone


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        columns: the columns.
        rows: the rows, each with a cell for each column.
        title: what stands above; "" for nothing.
    """

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""

    @property
    def headings(self) -> list[str]:
        """The headings of the columns."""
        return [column.heading for column in self.columns]

    def cells_below(self, column: int) -> list[Cell]:
        """Returns the cells of a column, by its number."""
        return [row[column] for row in self.rows]

    def with_columns(self, numbers: Iterable[int]) -> "Table":
        """Returns the table with these of its columns alone."""
        kept = list(numbers)
        columns = tuple(self.columns[number] for number in kept)
        rows = tuple(tuple(row[number] for number in kept) for row in self.rows)
        return Table(columns, rows, self.title)


def table_of(
    words: Iterable[str],
    numbers: Iterable[str] = (),
    remarks: Iterable[str] = (),
    *,
    rows: Iterable[Iterable[str | Cell]] = (),
    title: str = "",
) -> Table:
    """Returns a table whose columns of numbers stand at the right.

    Args:
        words: the headings of the columns before the numbers, which name a row.
        numbers: the headings of the columns of numbers.
        remarks: the headings of the columns of words after the numbers.
        rows: the cells of each row, in the order of these columns.
        title: what stands above; "" for nothing.
    """
    columns = [TableColumn(heading) for heading in words]
    columns += [TableColumn(heading, "right") for heading in numbers]
    columns += [TableColumn(heading) for heading in remarks]
    return Table(tuple(columns), tuple(_cells(row) for row in rows), title)


def _cells(row: Iterable[str | Cell]) -> tuple[Cell, ...]:
    return tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row)
