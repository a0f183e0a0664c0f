"""The table of what a person waits for: each figure beside that of a trivial Textual app, with what is aimed at."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bba.tables import Table, TableRow, table_of

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


def waiting_table(rows: Sequence[Row], title: str, beside: Iterable[str] = ()) -> Table:
    """Returns the rows; each value but the trivial app's is followed by how many times that it is."""
    columns = (OURS, *beside)
    headings = [TRIVIAL]
    for column in columns:
        headings += [column, "×"]
    table_rows: list[TableRow] = []
    for row in rows:
        cells = [row.name, _text(row, TRIVIAL)]
        for column in columns:
            cells += [_text(row, column), _ratio(row, column)]
        table_rows.append([*cells, row.aim])
    return table_of(["what"], [*headings, "at most"], rows=table_rows, title=title)


def _text(row: Row, column: str) -> str:
    return row.form.format(row.values[column]) if column in row.values else ""


def _ratio(row: Row, column: str) -> str:
    return f"{row.values[column] / row.values[TRIVIAL]:.1f}" if {column, TRIVIAL} <= row.values.keys() else ""
