"""Tables for people: what a table is, and how Markdown, HTML and a terminal show it.

Whoever has a table makes a `Table`, which holds texts alone; whoever shows it calls `to_markdown`,
`bba.tables.html.to_html` or, for a terminal, `bba.tables.terminal.to_rich`. Tables for programs are in `bba.tabular`.
"""

from bba.tables.markdown import escaped, to_markdown
from bba.tables.table import (
    BEST_OF_ALL,
    BEST_OF_KIND,
    Alignment,
    Best,
    Cell,
    Table,
    TableColumn,
    TableRow,
    marked,
    table_of,
)

__all__ = [
    "BEST_OF_ALL",
    "BEST_OF_KIND",
    "Alignment",
    "Best",
    "Cell",
    "Table",
    "TableColumn",
    "TableRow",
    "escaped",
    "marked",
    "table_of",
    "to_markdown",
]
