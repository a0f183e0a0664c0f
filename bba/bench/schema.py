"""The schema of a results file and its version.

`PRAGMA user_version` is the version, `PRAGMA application_id` marks the file as one of this program.

episodes    one row an episode
    key         32 hex digits: the digest of `spec`
    spec        JSON: everything that determines the episode (`bba.bench.episode.Episode`)
    layout, ego, partner, planner, seed, horizon, code
                parts of `spec`, for queries; `planner` is the ego's, `code` the digest of the sources that decide
    failure     why there are no measures, in one line, and the traceback below it if it was a mistake in code; NULL if
                there are measures
    measures    JSON: numbers by name (`bba.analysis.measures.EPISODE_MEASURES`); NULL after a failure
    switch_responses
                JSON: for each true switch of the partner [start, end, role, noticed, complemented]
    seconds     how long it took to play
    versions    JSON: versions of this program, Python and the numeric libraries; `machine`: what it was played on
    finished    when it ended (UTC, ISO 8601)
    recording   the bytes of a recording file (gzip-compressed JSON); NULL if none was kept
    checksum    32 hex digits: the digest of the columns but the recording (`bba.bench.schema`); NULL or no such
                column in rows that were written before there were checksums

claims      which runner is playing which episode: `seen`, the time of its last heartbeat, `since`, when it began (both
            in seconds since 1970), `host` and `pid`, its process

sweeps      one row a sweep that was run into this file: `id` (a digest of its definition and entries), `name`,
            `definition` (JSON of the preset as it was run), `started` (UTC) and `checksum`, of the entries as well

entries     the place of each episode in the tables of a sweep, in order: `agent`, `planner`, `layout`, `grp` (of
            partners), `partner`, `variant`, `seed`, and its `key`; several may share an episode

With the first request of a language model come the tables of what was spent (`bba.planner.llm.ledger`):
``spending``, a row a model, ``reservations``, a row a request under way, and ``spending_checksum``, of all their rows.

The rows of a results file with their checksums: a row that a disk or a copy has damaged is known as such.

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
from bba.errors import BBAError
from bba.files import transaction

STORE_VERSION = 2
APPLICATION = 0x62626172  # "bbar"
ADDED = {  # columns that older files of this version lack
    "episodes": {"checksum": "TEXT"},
    "sweeps": {"checksum": "TEXT"},
    "claims": {"host": "TEXT", "pid": "INTEGER", "since": "REAL"},
}

STORE_TABLES = (
    """CREATE TABLE episodes (
        key TEXT PRIMARY KEY, spec TEXT NOT NULL, layout TEXT NOT NULL, ego TEXT NOT NULL, partner TEXT NOT NULL,
        planner TEXT, seed INTEGER NOT NULL, horizon INTEGER NOT NULL, code TEXT NOT NULL, failure TEXT, measures TEXT,
        switch_responses TEXT NOT NULL, seconds REAL NOT NULL, versions TEXT NOT NULL, finished TEXT NOT NULL,
        recording BLOB, checksum TEXT,
        CHECK ((failure IS NULL) = (measures IS NOT NULL)))""",
    "CREATE TABLE claims (key TEXT PRIMARY KEY, runner TEXT NOT NULL, seen REAL NOT NULL, host TEXT, pid INTEGER, "
    "since REAL)",
    "CREATE TABLE sweeps (id TEXT PRIMARY KEY, name TEXT NOT NULL, definition TEXT NOT NULL, started TEXT NOT NULL, "
    "checksum TEXT)",
    """CREATE TABLE entries (
        sweep TEXT NOT NULL REFERENCES sweeps (id), position INTEGER NOT NULL, agent TEXT NOT NULL, planner TEXT,
        layout TEXT NOT NULL, grp TEXT NOT NULL, partner TEXT NOT NULL, variant TEXT NOT NULL, seed INTEGER NOT NULL,
        key TEXT NOT NULL, PRIMARY KEY (sweep, position))""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {STORE_VERSION}",
)


def prepare(database: sqlite3.Connection, source: str) -> None:
    """Creates the tables in an empty file; adds only what newer ones have to those of this version.

    Raises:
        BBAError: a file of another program or of another version of this one.
        sqlite3.Error: no database, or one that cannot be written.
    """
    with transaction(database):
        check(database, source)
        if _number(database, "user_version") == 0:
            for statement in STORE_TABLES:
                database.execute(statement)
        for table, added in ADDED.items():
            for name in added.keys() - columns(database, table):
                database.execute(f"ALTER TABLE {table} ADD COLUMN {name} {added[name]}")


def columns(database: sqlite3.Connection, table: str) -> set[str]:
    """Returns the names of a table's columns."""
    return {row[1] for row in database.execute(f"PRAGMA table_info({table})")}


def check(database: sqlite3.Connection, source: str) -> None:
    """Checks that a file is empty or one of this program and version.

    Raises:
        BBAError: it is neither.
        sqlite3.Error: it is no database.
    """
    if _text(database, "encoding") != "UTF-8":
        raise BBAError(f"{source}: damaged, or not a results file of this program")
    found = _number(database, "user_version")
    filled = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    if filled and _number(database, "application_id") != APPLICATION:
        raise BBAError(f"{source}: not a results file of this program")
    if found > STORE_VERSION:
        raise BBAError(f"{source}: its schema is version {found}; this program knows {STORE_VERSION}: update bba-tui")
    if filled and found < STORE_VERSION:
        raise BBAError(
            f"{source}: its schema is version {found}, of an older bba-tui; this program reads version "
            f"{STORE_VERSION}: run the sweep into another folder"
        )


def _text(database: sqlite3.Connection, pragma: str) -> str:
    return str(database.execute(f"PRAGMA {pragma}").fetchone()[0])


def _number(database: sqlite3.Connection, pragma: str) -> int:
    return int(database.execute(f"PRAGMA {pragma}").fetchone()[0])


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
