"""The schema of a results file and its version.

`PRAGMA user_version` is the version, `PRAGMA application_id` marks the file as one of this program. What older files
have instead stands in `bba.bench.older_results`.

kinds       what episodes share that differ in their seed alone, once: `before` and `after` the seed in `spec`, the
            columns that follow from it, `versions`, `names` of the measures (JSON), and `digest`, of these columns

games       one row an episode: its `kind`, `measures`, the values of the measures (JSON), and the columns below that
            differ from episode to episode

episodes    a view of both: one row an episode, whole
    key         32 hex digits: the digest of `spec`
    spec        JSON: everything that determines the episode (`bba.bench.episode.Episode`)
    layout, ego, partner, planner, seed, horizon, code
                parts of `spec`, for queries; `planner` is the ego's, `code` the digest of the sources that decide
    failure     why there are no measures, in one line, and the traceback below it if it was a mistake in code; NULL if
                there are measures
    measures    JSON: numbers by name (`bba.analysis.measures.EPISODE_MEASURES`), in the view with 15 digits; NULL after
                a failure
    switch_responses
                JSON: for each true switch of the partner [start, end, role, noticed, complemented]
    seconds     how long it took to play
    versions    JSON: versions of this program, Python and the numeric libraries; `machine`: what it was played on
    finished    when it ended (UTC, ISO 8601)
    recording   the bytes of a recording file (gzip-compressed JSON); NULL if none was kept
    checksum    32 hex digits: the digest of the columns but the recording, which has one of its own (gzip's), with the
                kind's digest in the place of its number

claims      which runner is playing which episode: `seen`, the time of its last heartbeat, `since`, when it began (both
            in seconds since 1970), `host` and `pid`, its process

sweeps      one row a sweep that was run into this file: `id` (a digest of its definition and entries), `name`,
            `definition` (JSON of the preset as it was run), `started` (UTC) and `checksum`, of the entries as well

entries     the place of each episode in the tables of a sweep, in order: `agent`, `planner`, `layout`, `grp` (of
            partners), `partner`, `variant`, `seed`, and its `key`; several may share an episode

With the first request of a language model come the tables of what was spent (`bba.planner.ledger`):
``spending``, a row a model, ``reservations``, a row a request under way, and ``spending_checksum``, of all their rows.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import StringConstraints

STORE_VERSION = 3
PAGE_BYTES = 16_384  # of a file: four games fill a usual page of 4 kB by three quarters
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
# The columns of ``kinds`` and ``games``, in the order of their checksums, which are none of them.
SHARED = ("layout", "ego", "partner", "planner", "horizon", "code", "versions")
KIND_COLUMNS = ("before", "after", *SHARED, "names")
GAME_COLUMNS = ("key", "seed", "failure", "measures", "switch_responses", "seconds", "finished")
EPISODES_OF_GAMES = f"""
SELECT games.key, kinds.before || coalesce(games.seed || kinds.after, '') AS spec, {", ".join(SHARED)}, games.seed,
    games.failure, CASE WHEN games.measures IS NOT NULL THEN (
        SELECT json_group_object(named.value, found.value) FROM json_each(kinds.names) AS named
        JOIN json_each(games.measures) AS found ON found.key = named.key
    ) END AS measures, games.switch_responses, games.seconds, games.finished, games.recording, games.checksum,
    kinds.names AS measure_names, games.measures AS measure_values
FROM games LEFT JOIN kinds ON kinds.id = games.kind
"""


def _create_table(table: str, names: Iterable[str], more: str) -> str:
    """Returns the SQL that creates a table.

    Args:
        table: its name.
        names: columns that have the types of `STORED_COLUMNS`.
        more: the SQL of other columns and of constraints.
    """
    types = STORED_COLUMNS["episodes"] | STORED_COLUMNS.get(table, {})
    columns = ", ".join(f"{name} {SQL_TYPES[types[name]]}" for name in names)
    return f"CREATE TABLE {table} ({columns}, {more})"


STORE_TABLES = (
    _create_table(
        "kinds",
        SHARED,
        "id INTEGER PRIMARY KEY, before TEXT NOT NULL, after TEXT, names TEXT NOT NULL, digest TEXT NOT NULL UNIQUE",
    ),
    _create_table(
        "games",
        GAME_COLUMNS,
        "kind INTEGER NOT NULL, checksum TEXT NOT NULL, recording BLOB, PRIMARY KEY (key), "
        "CHECK ((failure IS NULL) = (measures IS NOT NULL)), FOREIGN KEY (kind) REFERENCES kinds (id)",
    ),
    "CREATE INDEX games_by_kind ON games (kind, seed)",
    f"CREATE VIEW episodes AS {EPISODES_OF_GAMES}",
    _create_table("sweeps", STORED_COLUMNS["sweeps"], "checksum TEXT, PRIMARY KEY (id)"),
    _create_table(
        "entries",
        STORED_COLUMNS["entries"],
        "PRIMARY KEY (sweep, position), FOREIGN KEY (sweep) REFERENCES sweeps (id)",
    )
    + " WITHOUT ROWID",
    "CREATE TABLE claims (key TEXT PRIMARY KEY, runner TEXT NOT NULL, seen REAL NOT NULL, host TEXT, pid INTEGER, "
    "since REAL)",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {STORE_VERSION}",
)


def insert(database: sqlite3.Connection, table: str, row: Mapping[str, object]) -> int:
    """Writes a row, whose values have the names of columns; returns its rowid where the table has one."""
    names = ", ".join(row)
    places = ", ".join("?" for _ in row)
    cursor = database.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", tuple(row.values()))
    return cursor.lastrowid or 0
