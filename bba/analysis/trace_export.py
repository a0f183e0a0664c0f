"""Tables as files: JSON Lines for everything, Parquet for data frames; and the stretch of a game that is exported.

Both hold one row a step with the columns of `bba.analysis.trace_table`. In a Parquet file every column carries its
description, the file holds the game's configuration (JSON, under ``bba.setup``) and every change (``bba.changes``).
"""

import io
import json
import re
from typing import Any, NamedTuple, Self

from pydantic import TypeAdapter

from bba.analysis.trace_table import COLUMNS, rows
from bba.errors import BBAError
from bba.play.trace import GameConfig, Trace

ROWS_AT_ONCE = 10_000  # that are held as Python objects while a Parquet file is made


class StepRange(NamedTuple):
    """Which steps of a game: `first` to `last` (None: the newest), both included, every `every`-th of them."""

    first: int = 1
    last: int | None = None
    every: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """A span written as ``100:300``, ``100:300:2``, ``:300``, ``::2`` or, for one step, ``300``.

        Raises:
            BBAError: not in this form, a step below 1, or an end before the beginning.
        """
        found = re.fullmatch(r"([0-9]{0,7})(?:(:)([0-9]{0,7})(?::([0-9]{0,7}))?)?", text.strip())
        if found is None or not text.strip():
            raise BBAError(f"{text[:60]!r} is not FIRST:LAST or FIRST:LAST:EVERY, such as 100:300 or 1:2400:2")
        first = int(found[1] or 1)
        last = int(found[3]) if found[3] else None if found[2] else first
        span = cls(first, last, int(found[4] or 1))
        if span.first < 1 or span.every < 1 or (span.last is not None and span.last < span.first):
            raise BBAError(f"{text!r} must count from 1, forward")
        return span

    def of(self, played: int) -> range:
        """These steps of a game of so many; what lies beyond its end is left off.

        Raises:
            BBAError: none of them has been played.
        """
        steps = range(self.first, min(played, self.last or played) + 1, self.every)
        if not steps:
            raise BBAError(f"there is no step {self.first} to export; the game has {played}")
        return steps


def to_jsonl(trace: Trace, steps: range) -> bytes:
    """One JSON object a line, in UTF-8."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(trace, steps)).encode()


def to_parquet(trace: Trace, steps: range) -> bytes:
    """A Parquet file, compressed (zstd)."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = parquet_schema(trace)
    file = io.BytesIO()
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for start in range(0, len(steps), ROWS_AT_ONCE):
            writer.write_table(pa.Table.from_pylist(list(rows(trace, steps[start : start + ROWS_AT_ONCE])), schema))
    return file.getvalue()


def parquet_schema(trace: Trace) -> Any:
    """The pyarrow schema: every column with its type and description, and what the game was set to."""
    import pyarrow as pa

    types = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}
    fields = [
        pa.field(name, types[column.type], metadata={"description": column.description})
        for name, column in COLUMNS.items()
    ]
    changes = TypeAdapter(list[tuple[int, GameConfig]]).dump_json(trace.changes)
    return pa.schema(fields, {"bba.setup": TypeAdapter(GameConfig).dump_json(trace.config), "bba.changes": changes})
