"""A table as HTML for a notebook. The pages of reports show tables by `assets/report/table.html`."""

from collections.abc import Iterable
from html import escape

from bba.tables.table import Table


def to_html(table: Table) -> str:
    """Returns a table as an element of HTML without styles."""
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = _html_row("th", table.headings)
    body = "".join(_html_row("td", [cell.in_a_line for cell in row]) for row in table.rows)
    return f"<table>{title}<thead>{head}</thead><tbody>{body}</tbody></table>"


def _html_row(tag: str, texts: Iterable[str]) -> str:
    cells = "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)
    return f"<tr>{cells}</tr>"
