"""A table as Markdown, and as HTML for a notebook. The pages of reports show tables by `assets/report/table.html`."""

from collections.abc import Iterable
from html import escape

from bba.tables.table import Table


def to_markdown(table: Table, *, aligned: bool = True, is_markdown: bool = False) -> str:
    """Returns a table in Markdown below its title, if it has one, without a line break at its end.

    Args:
        table: the table.
        aligned: whether columns of numbers stand at the right.
        is_markdown: whether the cells are Markdown already; text is escaped.
    """
    title = f"## {table.title}\n\n" if table.title else ""
    lines = [table.headings]
    for row in table.rows:
        lines.append([cell.in_a_line for cell in row])
    if not is_markdown:
        title = escaped(title)
        lines = [[escaped(text) for text in line] for line in lines]
    rule = "|" + "---|" * len(table.columns)
    if aligned:
        rule = _markdown_line("---:" if column.is_number else "---" for column in table.columns)
    head, *rows = [_markdown_line(line) for line in lines]
    return title + "\n".join([head, rule, *rows])


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Returns a text for Markdown, in which no character ends a cell."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


def to_html(table: Table) -> str:
    """Returns a table as an element of HTML without styles."""
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = _html_row("th", table.headings)
    body = "".join(_html_row("td", [cell.in_a_line for cell in row]) for row in table.rows)
    return f"<table>{title}<thead>{head}</thead><tbody>{body}</tbody></table>"


def _html_row(tag: str, texts: Iterable[str]) -> str:
    cells = "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)
    return f"<tr>{cells}</tr>"
