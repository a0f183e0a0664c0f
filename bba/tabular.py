"""Tables as files: CSV, JSON Lines, Parquet, and the Markdown data dictionary that explains their columns; and as
data frames of the library that is installed. Tables that people read are in `bba.tables`.

A table is an iterable of rows (dictionaries) and a mapping from column names, in order, to `Column`. A column can say
how its value is read from what a row is about. A value may be None: an empty cell in CSV, null elsewhere.
"""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import Any, Generic, Literal

from typing_extensions import TypeVar

from bba.errors import BBAError, say_aside, shortened

ValueType = Literal["int", "float", "bool", "str"]
Value = int | float | bool | str | None
Row = Mapping[str, Value]
Library = Literal["pandas", "polars", "pyarrow"]
CSV_LINE_END = "\r\n"
MARK = "\ufeff"  # of UTF-8 at the beginning of a file
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
NUMBER_IN_WORDS = r"[+-]?[0-9]+([.,][0-9]+)?"
LARGEST_NUMBER = 2**63 - 1  # of a column of whole numbers
BATCH = 10_000  # rows that are held as Python objects while a Parquet file is made
Source = TypeVar("Source", default=Any, contravariant=True)
Part = TypeVar("Part")
# What makes the data frame of an object of a class, by the class's name: `bba` registers it, which knows all its parts.
FRAMES: dict[str, Callable[[Any, Library | None], Any]] = {}
# What draws a measure of an object of a class, in the same way.
DRAWINGS: dict[str, Callable[[Any, str], Any]] = {}


@dataclass(frozen=True, slots=True)
class Column(Generic[Source]):
    """A column of a table.

    Attributes:
        type: of its values, each of which may be None.
        description: what they mean, in one line of Markdown.
        read: returns the value from what a row is about; None where that has it under the column's name, and in tables
            whose rows are made in another way.
    """

    type: ValueType
    description: str
    read: Callable[[Source], Value | datetime] | None = None

    def value(self, name: str, source: Source) -> Value:
        """Returns the value of the column of this name in the row about a source; times are text in tables."""
        value: Value | datetime = getattr(source, name) if self.read is None else self.read(source)
        return value.isoformat() if isinstance(value, datetime) else value


def read_row(columns: Mapping[str, Column[Source]], source: Source) -> dict[str, Value]:
    """Returns the row about a source: the value of each column by name."""
    return {name: column.value(name, source) for name, column in columns.items()}


def part_columns(
    prefix: str, columns: Mapping[str, Column[Part]], part: Callable[[Source], Part | None]
) -> dict[str, Column[Source]]:
    """Returns columns about a part as columns about the whole; where it has no such part, their values are None."""

    def read_of_part(name: str, source: Source) -> Value:
        part_of_source = part(source)
        if part_of_source is None:
            return None
        return columns[name].value(name, part_of_source)

    columns_of_whole: dict[str, Column[Source]] = {}
    for name, column in columns.items():
        columns_of_whole[prefix + name] = Column(column.type, column.description, partial(read_of_part, name))
    return columns_of_whole


def to_csv(rows: Iterable[Row], columns: Iterable[str], *, spreadsheet: bool = False) -> str:
    """Returns comma-separated text with a header line. A value that is None or not in its row is an empty cell.

    Args:
        rows: of the table.
        columns: their names, in order.
        spreadsheet: whether a spreadsheet program opens it: the text then begins with the mark by which that knows
            UTF-8, and what it would compute as a formula begins with an apostrophe.
    """
    text = io.StringIO()
    names = list(columns)
    header = dict(zip(names, names, strict=True))
    lines: Iterable[Row] = chain([header], rows)
    if spreadsheet:
        text.write(MARK)
        lines = ({name: _no_formula(value) for name, value in line.items()} for line in lines)
    csv.DictWriter(_ShortLines(text), names, lineterminator=CSV_LINE_END).writerows(lines)
    return text.getvalue()


class _ShortLines:
    """Ends lines by a line feed alone; the writer itself then would not quote cells with a carriage return."""

    def __init__(self, text: io.StringIO) -> None:
        self._text = text

    def write(self, line: str) -> None:
        """Writes a row, which the writer hands over whole."""
        self._text.write(f"{line.removesuffix(CSV_LINE_END)}\n")


def _no_formula(value: Value) -> Value:
    """Returns a value as a spreadsheet shows it and does not compute it: text that is no number stays text."""
    if not isinstance(value, str) or not value.startswith(FORMULA_STARTS):
        return value
    if re.fullmatch(NUMBER_IN_WORDS, value):
        return value
    return f"'{value}"


def to_jsonl(rows: Iterable[Row]) -> str:
    """Returns one JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_parquet(
    rows: Iterable[Row], columns: Mapping[str, Column], metadata: Mapping[str, bytes] | None = None
) -> bytes:
    """Returns a Parquet file, compressed with zstd. Each column carries its description, the file the `metadata`.

    Needs pyarrow; see `has_parquet`.
    """
    from pyarrow import parquet

    schema = _schema(columns, metadata)
    remaining = iter(rows)
    file = io.BytesIO()
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(remaining, BATCH)):
            writer.write_table(_arrow_table(batch, schema))
    return file.getvalue()


def _arrow_table(rows: Sequence[Row], schema: Any) -> Any:
    """Returns rows as a table of pyarrow.

    Raises:
        BBAError: a whole number that has no room in its column.
    """
    import pyarrow as pa

    try:
        return pa.Table.from_pylist(list(rows), schema)
    except (OverflowError, pa.ArrowInvalid) as error:
        problem = _too_large_value(rows) or shortened(error)
        raise BBAError(f"{problem}: no table can hold it") from None


def _too_large_value(rows: Iterable[Row]) -> str:
    """Returns the first value that is too large for a column of whole numbers, with its name; "" without one."""
    for row in rows:
        for name, value in row.items():
            if isinstance(value, int) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
                return f"{name}: {shortened(value)}"
    return ""


def _schema(columns: Mapping[str, Column], metadata: Mapping[str, bytes] | None = None) -> Any:
    import pyarrow as pa

    types = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}
    fields = [
        pa.field(name, types[column.type], metadata={"description": column.description})
        for name, column in columns.items()
    ]
    return pa.schema(fields, metadata)


def to_frame(rows: Iterable[Row], columns: Mapping[str, Column], library: Library | None = None) -> Any:
    """Returns a data frame; a value that is None is missing in it.

    Args:
        rows: one a line of the table.
        columns: their names and types, in order.
        library: whose frame; None for pandas or polars, whichever is imported already, else installed. Without both it
            is a pyarrow Table, and one line on standard error says so.

    Raises:
        BBAError: another library, or one that is not installed.
    """
    if library not in (None, "pandas", "polars", "pyarrow"):
        raise BBAError(f"library: {library!r} is not allowed; pandas, polars or pyarrow")
    if not has_parquet():
        raise BBAError("data frames need pyarrow: pip install 'bba-tui[export]'")
    library = library or _frame_library()
    if find_spec(library) is None:
        raise BBAError(f"library: {library} is not installed: pip install {library}")
    table = _arrow_table(list(rows), _schema(columns))
    return _FROM_ARROW[library](table)


def _frame_library() -> Library:
    """Returns the library of data frames that is there; pyarrow, with a line that says so, if none is."""
    libraries: tuple[Library, ...] = ("pandas", "polars")
    for name in libraries:
        if name in sys.modules:
            return name
    for name in libraries:
        if find_spec(name):
            return name
    say_aside("neither pandas nor polars is installed: this is a pyarrow Table\n")
    return "pyarrow"


def _to_pandas(table: Any) -> Any:
    """Returns a pandas frame whose whole numbers and truth values stay such where some are missing."""
    import pandas as pd
    import pyarrow as pa

    nullable = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    return table.to_pandas(types_mapper=nullable.get)


def _to_polars(table: Any) -> Any:
    import polars

    return polars.from_arrow(table)


_FROM_ARROW: dict[Library, Callable[[Any], Any]] = {
    "pandas": _to_pandas,
    "polars": _to_polars,
    "pyarrow": lambda table: table,
}


def has_parquet() -> bool:
    """Returns whether Parquet files can be written: whether pyarrow is installed."""
    return find_spec("pyarrow") is not None


def check_parquet(path: Path) -> None:
    """Checks that Parquet can be written where the name of a file asks for it.

    Raises:
        BBAError: pyarrow is not installed.
    """
    if path.suffix.lower() == ".parquet" and not has_parquet():
        raise BBAError(f"{path}: a .parquet file needs pyarrow: pip install 'bba-tui[export]'")


def data_dictionary(columns: Mapping[str, Column]) -> str:
    """Returns a Markdown table of what each column holds. Columns of the same type and meaning share a line."""
    from bba.tables import table_of, to_markdown  # only here: every start of the program imports this module

    names_by_meaning: dict[tuple[str, str], list[str]] = {}
    for name, column in columns.items():
        names_by_meaning.setdefault((column.type, column.description), []).append(f"`{name}`")
    rows = [(", ".join(names), kind, description) for (kind, description), names in names_by_meaning.items()]
    table = table_of(("column", "type", "what it is"), rows=rows)
    return to_markdown(table, aligned=False, is_markdown=True)
