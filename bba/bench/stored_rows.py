"""The rows of a results file with their checksums: a row that a disk or a copy has damaged is known as such.

A checksum covers all columns of an episode but the recording, which has one of its own (gzip's), and a sweep with its
entries. Rows that were written before there were checksums have none; they count as they are.
"""

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from bba.analysis.switch_responses import SwitchResponse
from bba.bench.episode import EpisodeResult
from bba.bench.plan import TableEntry
from bba.bench.schema import columns

# fmt: off
COVERED = [
    "key", "spec", "layout", "ego", "partner", "planner", "seed", "horizon", "code", "failure", "measures",
    "switch_responses", "seconds", "versions", "finished",
]
# fmt: on
_SWEEPS = "SELECT id, name, definition, started, {} FROM sweeps ORDER BY started, rowid"
_ENTRIES = (
    "SELECT agent, planner, layout, grp, partner, variant, seed, key FROM entries WHERE sweep = ? ORDER BY position"
)


class StoredEpisodeRow(NamedTuple):
    """A row of the table ``episodes``.

    Attributes:
        number: its rowid.
        columns: the columns in `COVERED`, by name.
        result: what came of the episode; None if the row is damaged.
    """

    number: int
    columns: dict[str, Any]
    result: EpisodeResult | None


class StoredSweepRow(NamedTuple):
    """A row of the table ``sweeps``, and the entries of the sweep; `intact` says whether both are as once written."""

    id: str
    name: str
    definition: str
    started: str
    entries: list[TableEntry]
    intact: bool


def checksum(values: Iterable[object]) -> str:
    """Returns 32 hex digits: the digest of values as SQLite returns them."""
    return hashlib.blake2b(json.dumps(list(values), default=repr).encode(), digest_size=16).hexdigest()


def sweep_checksum(identity: str, name: str, definition: str, started: str, entries: Iterable[Sequence[object]]) -> str:
    """Returns the checksum of a sweep with its entries, each the fields of a `TableEntry`."""
    return checksum([identity, name, definition, started, *(list(entry) for entry in entries)])


def episode_rows(database: sqlite3.Connection) -> Iterator[StoredEpisodeRow]:
    """Yields all episodes of a results file."""
    _read_any_text(database)
    selected = f"rowid, recording IS NOT NULL, {_checksum_column(database, 'episodes')}, {', '.join(COVERED)}"
    for number, recorded, stored, *values in database.execute(f"SELECT {selected} FROM episodes"):
        found = dict(zip(COVERED, values, strict=True))
        intact = stored is None or stored == checksum(values)
        yield StoredEpisodeRow(number, found, _result(found, recorded) if intact else None)


def sweep_rows(database: sqlite3.Connection) -> Iterator[StoredSweepRow]:
    """Yields all sweeps of a results file, in the order in which they were begun."""
    _read_any_text(database)
    for identity, name, definition, started, stored in database.execute(
        _SWEEPS.format(_checksum_column(database, "sweeps"))
    ).fetchall():
        entries = [TableEntry(*row) for row in database.execute(_ENTRIES, (identity,))]
        intact = stored is None or stored == sweep_checksum(identity, name, definition, started, entries)
        yield StoredSweepRow(identity, name, definition, started, entries, intact)


def damage_text(episodes: int, sweeps: int = 0) -> str:
    """Returns a line about so many damaged episodes and sweeps; "" for none."""
    counts = ((episodes, "episode"), (sweeps, "sweep"))
    found = [f"{count} {name}{'s' * (count != 1)}" for count, name in counts if count]
    if not found:
        return ""
    verb = "is" if episodes + sweeps == 1 else "are"
    return f"{' and '.join(found)} {verb} damaged and left out; the same sweep into this folder plays them again"


def _checksum_column(database: sqlite3.Connection, table: str) -> str:
    """Returns the column of checksums in SQL; a file that was written before there were any has none."""
    return "checksum" if "checksum" in columns(database, table) else "NULL"


def _read_any_text(database: sqlite3.Connection) -> None:
    """Lets damaged text be read, so that it is one damaged row and not the end of reading."""
    database.text_factory = lambda data: data.decode(errors="replace")


def _result(row: dict[str, Any], recorded: int) -> EpisodeResult | None:
    """Returns the result that a row holds; None if it holds what this program does not write."""
    try:
        measures = None if row["measures"] is None else _numbers(json.loads(row["measures"]))
        if not re.fullmatch("[0-9a-f]{32}", row["key"]) or not isinstance(row["seconds"], float):
            return None
        if (measures is None) == (row["failure"] is None):
            return None
        _texts(json.loads(row["versions"]))
        _tables(json.loads(row["spec"]))
        why, _, details = (row["failure"] or "").partition("\n")
        responses = tuple(SwitchResponse(*map(_whole, one)) for one in json.loads(row["switch_responses"]))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return EpisodeResult(why or None, measures, responses, row["seconds"], bool(recorded), details=details)


def _numbers(data: Any) -> dict[str, float | None]:
    if not data or not all(value is None or isinstance(value, int | float) for value in data.values()):
        raise ValueError("no measures")
    return dict(data)


def _tables(spec: Any) -> None:
    if not isinstance(spec.get("planning") or {}, dict):
        raise ValueError("no specification")


def _texts(data: Any) -> None:
    if not all(isinstance(value, str) for value in data.values()):
        raise ValueError("no versions")


def _whole(value: Any) -> Any:
    if value is not None and type(value) is not int:
        raise ValueError("no step")
    return value
