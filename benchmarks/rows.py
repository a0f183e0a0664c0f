"""The table of what a person waits for: each figure beside that of a trivial Textual app, with what is aimed at."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rich.table import Table

TRIVIAL, OURS = "a trivial app", "ours"


@dataclass(frozen=True)
class Row:
    """One figure.

    Args:
        name: what is measured.
        form: how a value is written.
        aim: what it should be at most, in words; "" for no aim.
        values: by column: `TRIVIAL`, `OURS`, and what is measured beside them.
    """

    name: str
    form: str
    aim: str
    values: dict[str, float] = field(default_factory=dict)

    def with_value(self, column: str, value: float) -> "Row":
        """Returns the row with one more value."""
        return replace(self, values={**self.values, column: value})


def table_of(rows: Sequence[Row], title: str, beside: Iterable[str] = ()) -> Table:
    """Returns the rows; each value but the trivial app's is followed by how many times that it is."""
    table = Table("what", title=title, title_justify="left")
    columns = (OURS, *beside)
    for heading in (TRIVIAL, *(heading for column in columns for heading in (column, "×")), "at most"):
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [row.name, _text(row, TRIVIAL)]
        for column in columns:
            cells += [_text(row, column), _ratio(row, column)]
        table.add_row(*cells, row.aim)
    return table


def _text(row: Row, column: str) -> str:
    return row.form.format(row.values[column]) if column in row.values else ""


def _ratio(row: Row, column: str) -> str:
    return f"{row.values[column] / row.values[TRIVIAL]:.1f}" if {column, TRIVIAL} <= row.values.keys() else ""
