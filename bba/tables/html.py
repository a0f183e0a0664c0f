"""A table as HTML for a notebook. The pages of reports show tables by `assets/report/table.html`."""

from collections.abc import Iterable
from html import escape

from bba.tables.table import Cell, Table


def to_html(table: Table) -> str:
    """Returns a table as an element of HTML without styles; the best is bold, and underlined if it is that of all."""
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = _html_row("th", map(escape, table.headings))
    body = "".join(_html_row("td", map(_html_cell, row)) for row in table.rows)
    return f"<table>{title}<thead>{head}</thead><tbody>{body}</tbody></table>"


def _html_cell(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.best == "all":
        text = f"<b><u>{text}</u></b>"
    elif cell.best == "kind":
        text = f"<b>{text}</b>"
    return " ".join(part for part in (text, escape(cell.details)) if part)


def _html_row(tag: str, contents: Iterable[str]) -> str:
    cells = "".join(f"<{tag}>{content}</{tag}>" for content in contents)
    return f"<tr>{cells}</tr>"
