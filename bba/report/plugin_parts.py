"""Tables and figures of plug-ins in a report: functions of a `bba.bench.results_reader.StoredSweep`."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from bba.bench.results_reader import StoredSweep
from bba.errors import BBAError
from bba.plugins import Kind, called, first_line, load_plugin
from bba.plugins.permission import check_allowed
from bba.report.figures import ReportFigure
from bba.report.formatting import CellText


class OwnTable(NamedTuple):
    """A table of a plug-in.

    Attributes:
        heads: the headings of its columns, the first of which names the rows.
        rows: their texts or numbers, one a heading.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


class OwnParts(NamedTuple):
    """The tables and figures of the plug-ins that a sweep names, and what of them is left out, a line each."""

    tables: list[tuple[str, OwnTable]]
    figures: list[ReportFigure]
    left_out: list[str]


def own_parts(run: StoredSweep) -> OwnParts:
    """Returns what the plug-ins of a sweep add to its part of the report; what cannot be made is left out."""
    parts = OwnParts([], [], [])
    for name in run.sweep.report_tables:
        parts.tables.extend((_title("table", name), table) for table in _made(parts, "table", name, run, OwnTable))
    for name in run.sweep.report_figures:
        for svg in _made(parts, "figure", name, run, str):
            parts.figures.append(ReportFigure(_title("figure", name), f"made by {name}", svg))
    return parts


def rows_of(table: OwnTable) -> Iterator[tuple[list[str], list[CellText]]]:
    """Yields the rows of a table as a report shows them: a heading, then the cells."""
    for first, *rest in table.rows:
        yield [str(first)], [CellText(str(value)) for value in rest]


def _title(kind: Kind, name: str) -> str:
    return first_line(kind, name).rstrip(".") or name


def _made(parts: OwnParts, kind: Kind, name: str, run: StoredSweep, expected: type) -> Iterable[Any]:
    """Yields what a plug-in makes; nothing, after a note, where that cannot be shown."""
    try:
        check_allowed(kind, name)
        found = called(name, load_plugin(kind, name).target, run)
        yield _checked(name, found, expected)
    except BBAError as error:
        parts.left_out.append(f"left out, {kind} {error}")


def _checked(name: str, found: object, expected: type) -> object:
    if not isinstance(found, expected):
        what = "text, an SVG" if expected is str else "a bba.report.plugin_parts.OwnTable"
        raise BBAError(f"{name}: returned {type(found).__name__}; {what}")
    if isinstance(found, OwnTable) and any(len(row) != len(found.heads) for row in found.rows):
        raise BBAError(f"{name}: a row has not one value for each of the {len(found.heads)} headings")
    if isinstance(found, str) and not found.lstrip().startswith("<svg"):
        raise BBAError(f"{name}: returned text that is no SVG; it begins with <svg")
    return found
