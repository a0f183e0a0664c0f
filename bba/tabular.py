"""Tables as files: CSV, JSON Lines, Parquet, and the Markdown data dictionary that explains their columns.

A table is an iterable of rows (dictionaries) and a mapping from column names, in order, to `Column`. A value may be
None: an empty cell in CSV, null elsewhere.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Literal

from bba.errors import BBAError

ValueType = Literal["int", "float", "bool", "str"]
Value = int | float | bool | str | None
Row = Mapping[str, Value]
BATCH = 10_000  # rows that are held as Python objects while a Parquet file is made


@dataclass(frozen=True, slots=True)
class Column:
    """The type of a column's values, each of which may be None, and what they mean in one line of Markdown."""

    type: ValueType
    description: str


def to_csv(rows: Iterable[Row], columns: Iterable[str]) -> str:
    """Returns comma-separated text with a header line. A value that is None or not in its row is an empty cell."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_jsonl(rows: Iterable[Row]) -> str:
    """Returns one JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_parquet(
    rows: Iterable[Row], columns: Mapping[str, Column], metadata: Mapping[str, bytes] | None = None
) -> bytes:
    """Returns a Parquet file, compressed with zstd. Each column carries its description, the file the `metadata`.

    Needs pyarrow; see `has_parquet`.
    """
    import pyarrow as pa
    from pyarrow import parquet

    types = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}
    fields = [
        pa.field(name, types[column.type], metadata={"description": column.description})
        for name, column in columns.items()
    ]
    schema, remaining, file = pa.schema(fields, metadata), iter(rows), io.BytesIO()
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(remaining, BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema))
    return file.getvalue()


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


def to_markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns a Markdown table, without a line break at its end."""
    heads = list(head)
    lines = [heads, *map(list, rows)]
    text = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([text[0], "|" + "---|" * len(heads), *text[1:]])


def data_dictionary(columns: Mapping[str, Column]) -> str:
    """Returns a Markdown table of what each column holds. Columns of the same type and meaning share a line."""
    names: dict[tuple[str, str], list[str]] = {}
    for name, column in columns.items():
        names.setdefault((column.type, column.description), []).append(f"`{name}`")
    lines = ((", ".join(alike), kind, description) for (kind, description), alike in names.items())
    return to_markdown(("column", "type", "what it is"), lines)
