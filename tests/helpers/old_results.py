"""Files of results as older programs have made them."""

import sqlite3
from contextlib import closing

from bba.bench.results_store import RESULTS_FILE

VERSION_2 = """
CREATE TABLE episodes (key TEXT NOT NULL, spec TEXT NOT NULL, layout TEXT NOT NULL, ego TEXT NOT NULL,
    partner TEXT NOT NULL, planner TEXT, seed INTEGER NOT NULL, horizon INTEGER NOT NULL, code TEXT NOT NULL,
    failure TEXT, measures TEXT, switch_responses TEXT NOT NULL, seconds REAL NOT NULL, versions TEXT NOT NULL,
    finished TEXT NOT NULL, recording BLOB, checksum TEXT, PRIMARY KEY (key),
    CHECK ((failure IS NULL) = (measures IS NOT NULL)));
CREATE TABLE sweeps (id TEXT NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL, started TEXT NOT NULL,
    checksum TEXT, PRIMARY KEY (id));
CREATE TABLE entries (sweep TEXT NOT NULL, position INTEGER NOT NULL, agent TEXT NOT NULL, planner TEXT,
    layout TEXT NOT NULL, grp TEXT NOT NULL, partner TEXT NOT NULL, variant TEXT NOT NULL, seed INTEGER NOT NULL,
    key TEXT NOT NULL, PRIMARY KEY (sweep, position), FOREIGN KEY (sweep) REFERENCES sweeps (id));
CREATE TABLE claims (key TEXT PRIMARY KEY, runner TEXT NOT NULL, seen REAL NOT NULL, host TEXT, pid INTEGER,
    since REAL);
PRAGMA application_id = 1650614642;
PRAGMA user_version = 2;
"""


def begin_file_of_version_2(folder):
    """Makes an empty file of results of version 2, which this program fills as one of that version."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / RESULTS_FILE)) as database, database:
        database.executescript(VERSION_2)
