"""The tables of a study as files: CSV always, Parquet where pyarrow is installed, and a data dictionary beside them."""

import csv
import io
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from bba.errors import BBAError
from bba.files import write_whole
from human.study.columns import ONE_ROW, TABLES, StudyColumn
from human.study.folder import StudyFolder
from human.study.table_rows import Row, tables_of


def write_tables(folder: StudyFolder) -> Path:
    """Write all tables anew into the folder `tables`; returns it.

    Raises:
        BBAError: a file that cannot be read or written.
    """
    place = folder.path / "tables"
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise BBAError(f"{place}: cannot be made: {error.strerror or error}") from None
    for name, rows in tables_of(folder).items():
        write_whole(place / f"{name}.csv", to_csv(rows, TABLES[name]))
        if find_spec("pyarrow") is not None:
            write_whole(place / f"{name}.parquet", to_parquet(rows, TABLES[name]))
    write_whole(place / "README.md", dictionary(folder))
    return place


def to_csv(rows: list[Row], columns: Mapping[str, StudyColumn]) -> str:
    """Comma-separated, with a header; what is missing is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_parquet(rows: list[Row], columns: Mapping[str, StudyColumn]) -> bytes:
    """A Parquet file; every column carries its description."""
    import pyarrow as pa
    from pyarrow import parquet

    types = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}
    schema = pa.schema(
        pa.field(name, types[column.type], metadata={"description": column.description})
        for name, column in columns.items()
    )
    file = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows, schema), file, compression="zstd")
    return file.getvalue()


def dictionary(folder: StudyFolder) -> str:
    """What every column of every table holds, in Markdown."""
    parts = [f"# {folder.study.title}\n\nThe tables of the study `{folder.study.name}`. Missing values are empty."]
    for name, columns in TABLES.items():
        lines = [f"| `{column}` | {of.type} | {of.description} |" for column, of in columns.items()]
        head = f"## {name}\n\nOne row is {ONE_ROW[name]}.\n\n| column | type | what it is |\n|---|---|---|"
        parts.append("\n".join([head, *lines]))
    return "\n\n".join(parts) + "\n"
