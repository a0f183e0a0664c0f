"""A table as Markdown."""

from collections.abc import Iterable

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
