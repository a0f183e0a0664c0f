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
    checksum    32 hex digits: the digest of the columns but the recording, which has one of its own (gzip's); NULL or
                no such column in rows that were written before there were checksums: they count as they are

claims      which runner is playing which episode: `seen`, the time of its last heartbeat, `since`, when it began (both
            in seconds since 1970), `host` and `pid`, its process

sweeps      one row a sweep that was run into this file: `id` (a digest of its definition and entries), `name`,
            `definition` (JSON of the preset as it was run), `started` (UTC) and `checksum`, of the entries as well

entries     the place of each episode in the tables of a sweep, in order: `agent`, `planner`, `layout`, `grp` (of
            partners), `partner`, `variant`, `seed`, and its `key`; several may share an episode

With the first request of a language model come the tables of what was spent (`bba.planner.llm.ledger`):
``spending``, a row a model, ``reservations``, a row a request under way, and ``spending_checksum``, of all their rows.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, Json, StringConstraints, ValidationError

from bba.analysis.coordination import SwitchResponse
from bba.bench.episode import Episode, EpisodeResult
from bba.bench.plan import TableEntry
from bba.errors import BBAError
from bba.files import read_any_text, row_checksum, transaction

STORE_VERSION = 2
APPLICATION = 0x62626172  # "bbar"
Key = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]

# The columns with the type of their values; those of an episode without its recording, and none of the checksums.
STORED_COLUMNS: dict[str, dict[str, Any]] = {
    "episodes": {
        "key": Key,
        "spec": str,
        "layout": str,
        "ego": str,
        "partner": str,
        "planner": str | None,
        "seed": int,
        "horizon": int,
        "code": str,
        "failure": str | None,
        "measures": str | None,
        "switch_responses": str,
        "seconds": float,
        "versions": str,
        "finished": str,
    },
    "sweeps": {"id": str, "name": str, "definition": str, "started": str},
    "entries": {
        "sweep": str,
        "position": int,
        "agent": str,
        "planner": str | None,
        "layout": str,
        "grp": str,
        "partner": str,
        "variant": str,
        "seed": int,
        "key": Key,
    },
}
SQL_TYPES = {
    Key: "TEXT NOT NULL",
    str: "TEXT NOT NULL",
    str | None: "TEXT",
    int: "INTEGER NOT NULL",
    float: "REAL NOT NULL",
}
ADDED = {  # columns that older files of this version lack
    "episodes": {"checksum": "TEXT"},
    "sweeps": {"checksum": "TEXT"},
    "claims": {"host": "TEXT", "pid": "INTEGER", "since": "REAL"},
}


def _created(table: str, *further: str) -> str:
    """Returns the SQL that creates a table with its columns and with `further` ones and constraints."""
    declared = (f"{name} {SQL_TYPES[kind]}" for name, kind in STORED_COLUMNS[table].items())
    return f"CREATE TABLE {table} ({', '.join([*declared, *further])})"


STORE_TABLES = (
    _created(
        "episodes",
        "recording BLOB, checksum TEXT, PRIMARY KEY (key), CHECK ((failure IS NULL) = (measures IS NOT NULL))",
    ),
    _created("sweeps", "checksum TEXT, PRIMARY KEY (id)"),
    _created("entries", "PRIMARY KEY (sweep, position), FOREIGN KEY (sweep) REFERENCES sweeps (id)"),
    "CREATE TABLE claims (key TEXT PRIMARY KEY, runner TEXT NOT NULL, seen REAL NOT NULL, host TEXT, pid INTEGER, "
    "since REAL)",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {STORE_VERSION}",
)


def connect(
    path: Path, begin: Callable[[sqlite3.Connection, str], None], address: str = "", **options: Any
) -> sqlite3.Connection:
    """Opens a results file, at an address of SQLite's where one is given; it is closed again if `begin` raises."""
    database: sqlite3.Connection = sqlite3.connect(address or path, **options)
    try:
        begin(database, str(path))
    except BaseException:
        database.close()
        raise
    return database


def prepare(database: sqlite3.Connection, source: str) -> None:
    """Creates the tables in an empty file; adds only what newer ones have to those of this version.

    Raises:
        BBAError: a file of another program or of another version of this one.
        sqlite3.Error: no database, or one that cannot be written.
    """
    with transaction(database):
        check(database, source)
        if _pragma(database, "user_version") == 0:
            for statement in STORE_TABLES:
                database.execute(statement)
        for table, added in ADDED.items():
            for name in added.keys() - _names(database, table):
                database.execute(f"ALTER TABLE {table} ADD COLUMN {name} {added[name]}")


def check(database: sqlite3.Connection, source: str) -> None:
    """Checks that a file is empty or one of this program and version.

    Raises:
        BBAError: it is neither.
        sqlite3.Error: it is no database.
    """
    if _pragma(database, "encoding") != "UTF-8":
        raise BBAError(f"{source}: damaged, or not a results file of this program")
    found = _pragma(database, "user_version")
    filled = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    if filled and _pragma(database, "application_id") != APPLICATION:
        raise BBAError(f"{source}: not a results file of this program")
    if found > STORE_VERSION:
        raise BBAError(f"{source}: its schema is version {found}; this program knows {STORE_VERSION}: update bba-tui")
    if filled and found < STORE_VERSION:
        raise BBAError(
            f"{source}: its schema is version {found}, of an older bba-tui; this program reads version "
            f"{STORE_VERSION}: run the sweep into another folder"
        )


def insert(database: sqlite3.Connection, table: str, row: Mapping[str, object]) -> None:
    """Writes a row, whose values have the names of columns."""
    places = ", ".join("?" * len(row))
    database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values()))


def _pragma(database: sqlite3.Connection, name: str) -> Any:
    return database.execute(f"PRAGMA {name}").fetchone()[0]


def _names(database: sqlite3.Connection, table: str) -> set[str]:
    """Returns the names of a table's columns."""
    return {row[1] for row in database.execute(f"PRAGMA table_info({table})")}


class StoredEpisode(NamedTuple):
    """An episode and its result.

    Attributes:
        key: 32 hex digits.
        spec: everything that determines it, as JSON.
        code: the version of the behaviour that played it.
        versions: versions of the software that played it, and the `machine`; "" where not known.
        finished: when it ended (UTC, ISO 8601).
        result: its measures, or why there are none.
    """

    key: str
    spec: str
    code: str
    versions: dict[str, str]
    finished: str
    result: EpisodeResult

    @property
    def episode(self) -> Episode | None:
        """The episode itself; None if another version of this program stored it, with another specification."""
        try:
            return Episode.model_validate_json(self.spec)
        except ValueError:
            return None


class StoredSweepRow(NamedTuple):
    """A row of the table ``sweeps``, and the entries of the sweep."""

    id: str
    name: str
    definition: str
    started: str
    entries: list[TableEntry]


class StoredTables(NamedTuple):
    """What a results file holds.

    Attributes:
        episodes: by rowid.
        sweeps: in the order in which they were begun.
        damage: what is damaged and left out, in one line; "" for nothing.
    """

    episodes: dict[int, StoredEpisode]
    sweeps: list[StoredSweepRow]
    damage: str


def stored_tables(database: sqlite3.Connection) -> StoredTables:
    """Returns what a results file holds, without what is damaged."""
    episodes, sweeps = dict(episode_rows(database)), list(sweep_rows(database))
    whole = {number: episode for number, episode in episodes.items() if episode is not None}
    intact = [sweep for sweep in sweeps if sweep is not None]
    lost = {"episode": len(episodes) - len(whole), "sweep": len(sweeps) - len(intact)}
    found = " and ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in lost.items() if count)
    verb = "is" if sum(lost.values()) == 1 else "are"
    damage = f"{found} {verb} damaged and left out; the same sweep into this folder plays them again"
    return StoredTables(whole, intact, damage if found else "")


def sealed_sweep(sweep: Mapping[str, object], entries: Iterable[Sequence[object]]) -> dict[str, object]:
    """Returns the columns of a sweep with their checksum, which covers its entries: the fields of a `TableEntry`."""
    return {**sweep, "checksum": row_checksum([*sweep.values(), *map(list, entries)])}


def episode_rows(database: sqlite3.Connection) -> Iterator[tuple[int, StoredEpisode | None]]:
    """Yields the rowid of every episode, and the episode; None if the row is damaged."""
    selected = f"rowid, recording IS NOT NULL, {_with_checksum(database, 'episodes')}"
    for number, recorded, *values, stored in database.execute(f"SELECT {selected} FROM episodes"):
        row = dict(zip(STORED_COLUMNS["episodes"], values, strict=True))
        yield number, _episode(row, recorded=bool(recorded)) if stored in (None, row_checksum(values)) else None


def sweep_rows(database: sqlite3.Connection) -> Iterator[StoredSweepRow | None]:
    """Yields all sweeps of a results file, in the order in which they were begun; None for a damaged one."""
    found = database.execute(f"SELECT {_with_checksum(database, 'sweeps')} FROM sweeps ORDER BY started, rowid")
    place = ", ".join([*STORED_COLUMNS["entries"]][2:])
    for *values, stored in found.fetchall():
        rows = database.execute(f"SELECT {place} FROM entries WHERE sweep = ? ORDER BY position", values[:1])
        entries = [TableEntry(*row) for row in rows]
        sweep = dict(zip(STORED_COLUMNS["sweeps"], values, strict=True))
        intact = stored in (None, sealed_sweep(sweep, entries)["checksum"])
        yield StoredSweepRow(**sweep, entries=entries) if intact else None


def _with_checksum(database: sqlite3.Connection, table: str) -> str:
    """Returns the columns of a table, and that of checksums, which is NULL in a file that has none."""
    read_any_text(database)
    return ", ".join([*STORED_COLUMNS[table], "checksum" if "checksum" in _names(database, table) else "NULL"])


class _Spec(BaseModel):
    """What readers of a specification rely on."""

    planning: dict[str, Any] | None = None


class _EpisodeValues(BaseModel):
    """What the columns of an episode hold."""

    model_config = ConfigDict(strict=True)

    key: Key
    spec: Json[_Spec]
    failure: str | None
    measures: Json[Annotated[dict[str, int | float | None], Field(min_length=1)]] | None
    switch_responses: Json[tuple[SwitchResponse, ...]]
    seconds: float
    versions: Json[dict[str, str]]


def _episode(row: dict[str, Any], *, recorded: bool) -> StoredEpisode | None:
    """Returns the episode that a row holds; None if it holds what this program does not write."""
    try:
        found = _EpisodeValues.model_validate(row)
    except ValidationError:
        return None
    if (found.measures is None) == (found.failure is None):
        return None
    why, _, details = (found.failure or "").partition("\n")
    result = EpisodeResult(
        why or None, found.measures, found.switch_responses, found.seconds, recorded, details=details
    )
    return StoredEpisode(row["key"], row["spec"], row["code"], found.versions, row["finished"], result)
