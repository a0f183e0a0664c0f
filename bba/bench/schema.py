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
    checksum    32 hex digits: the digest of the columns but the recording (`bba.bench.stored_rows`); NULL or no such
                column in rows that were written before there were checksums

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

from bba.errors import BBAError
from bba.transactions import transaction

VERSION = 2
APPLICATION = 0x62626172  # "bbar"
ADDED = {  # columns that older files of this version lack
    "episodes": {"checksum": "TEXT"},
    "sweeps": {"checksum": "TEXT"},
    "claims": {"host": "TEXT", "pid": "INTEGER", "since": "REAL"},
}

TABLES = (
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
    f"PRAGMA user_version = {VERSION}",
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
            for statement in TABLES:
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
    if found > VERSION:
        raise BBAError(f"{source}: its schema is version {found}; this program knows {VERSION}: update bba-tui")
    if filled and found < VERSION:
        raise BBAError(
            f"{source}: its schema is version {found}, of an older bba-tui; this program reads version {VERSION}: "
            "run the sweep into another folder"
        )


def _text(database: sqlite3.Connection, pragma: str) -> str:
    return str(database.execute(f"PRAGMA {pragma}").fetchone()[0])


def _number(database: sqlite3.Connection, pragma: str) -> int:
    return int(database.execute(f"PRAGMA {pragma}").fetchone()[0])
