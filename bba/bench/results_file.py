"""An open results file and its content.

When a file is opened, and then alone, is decided what becomes of one that an older program has made.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from bba.bench.older_results import OLDEST, EpisodesOfVersion2, add_columns, show_checksums
from bba.bench.schema import APPLICATION, PAGE_BYTES, STORE_TABLES, STORE_VERSION
from bba.bench.stored_episode import StoredEpisode
from bba.bench.stored_rows import EpisodeTable, GamesOfKinds, StoredSweepRow, sweep_rows
from bba.database import transaction
from bba.errors import BBAError


class ResultsFile(NamedTuple):
    """An open results file, whose tables have all columns of the present schema.

    Attributes:
        database: the connection.
        episodes: its episodes.
    """

    database: sqlite3.Connection
    episodes: EpisodeTable


def open_to_write(path: Path, **options: Any) -> ResultsFile:
    """Opens a results file in which rows are written; creates the tables in an empty or missing one.

    Args:
        path: the file.
        options: those of `sqlite3.connect`.

    Raises:
        BBAError: a file of another program or of another version of this one.
        sqlite3.Error: no database, or one that cannot be written.
    """
    return _opened(path, str(path), _prepare, **options)


def open_to_read(path: Path, address: str) -> ResultsFile:
    """Opens a results file that stays as it is; `address` is the URI for SQLite.

    Raises:
        BBAError: a file of another program or of another version of this one.
        sqlite3.Error: no database, or one that cannot be read.
    """
    return _opened(path, address, _show_as_present, uri=True)


def _opened(path: Path, address: str, begin: Callable[[sqlite3.Connection, str], None], **options: Any) -> ResultsFile:
    """Returns the open file; it is closed again if `begin` raises, which gets the connection and the path."""
    database: sqlite3.Connection = sqlite3.connect(address, **options)
    try:
        begin(database, str(path))
        episodes = GamesOfKinds(database) if _keeps_kinds(database) else EpisodesOfVersion2(database)
        return ResultsFile(database, episodes)
    except BaseException:
        database.close()
        raise


def _prepare(database: sqlite3.Connection, source: str) -> None:
    """Creates the tables in an empty file, and adds to those of an older one what they lack.

    Raises:
        BBAError: a file of another program or of another version of this one.
        sqlite3.Error: no database, or one that cannot be written.
    """
    database.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # heeded in an empty file
    with transaction(database):
        _check(database, source)
        if _pragma(database, "user_version") == 0:
            for statement in STORE_TABLES:
                database.execute(statement)
        add_columns(database)


def _check(database: sqlite3.Connection, source: str) -> None:
    """Checks that a file is empty or one of this program and version.

    Raises:
        BBAError: it is neither.
        sqlite3.Error: it is no database.
    """
    version = _pragma(database, "user_version")
    is_foreign = _pragma(database, "application_id") != APPLICATION
    is_filled = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    if _pragma(database, "encoding") != "UTF-8":
        raise BBAError(f"{source}: damaged, or not a results file of this program")
    if is_filled and is_foreign:
        raise BBAError(f"{source}: not a results file of this program")
    problem = f"{source}: its schema is version {version}"
    if version > STORE_VERSION:
        raise BBAError(f"{problem}; this program knows {STORE_VERSION}: update bba-tui")
    if is_filled and version < OLDEST:
        raise BBAError(
            f"{problem}, of an older bba-tui; this program reads versions {OLDEST} to {STORE_VERSION}: run the "
            f"benchmark into another folder"
        )


def _show_as_present(database: sqlite3.Connection, source: str) -> None:
    """Checks a file, and lets the connection see the columns that an older one lacks."""
    _check(database, source)
    show_checksums(database, "sweeps")
    if not _keeps_kinds(database):
        show_checksums(database, "episodes")


def _keeps_kinds(database: sqlite3.Connection) -> bool:
    """Whether what episodes share is kept once in this file."""
    return bool(_pragma(database, "user_version") > OLDEST)


def _pragma(database: sqlite3.Connection, name: str) -> Any:
    return database.execute(f"PRAGMA {name}").fetchone()[0]


# --- content ----------------------------------------------------------------------------------------------------
class StoredTables(NamedTuple):
    """The content of a results file.

    Attributes:
        episodes: by key.
        sweeps: in the order in which they were begun.
        damage: how much is damaged and left out, in one line; "" for nothing.
    """

    episodes: dict[str, StoredEpisode]
    sweeps: list[StoredSweepRow]
    damage: str


def stored_tables(file: ResultsFile) -> StoredTables:
    """Returns the content of a results file, without damaged rows."""
    episodes = [episode for _, episode in file.episodes.rows()]
    sweeps = list(sweep_rows(file.database))
    intact_episodes = {episode.key: episode for episode in episodes if episode is not None}
    intact_sweeps = [sweep for sweep in sweeps if sweep is not None]
    damage = _damage(len(episodes) - len(intact_episodes), len(sweeps) - len(intact_sweeps))
    return StoredTables(intact_episodes, intact_sweeps, damage)


def _damage(episodes: int, sweeps: int) -> str:
    """Returns how many episodes and sweeps are damaged, in one line; "" for none."""
    parts = []
    if episodes:
        parts.append("1 episode" if episodes == 1 else f"{episodes} episodes")
    if sweeps:
        parts.append("1 benchmark" if sweeps == 1 else f"{sweeps} benchmarks")
    if not parts:
        return ""
    damaged = " and ".join(parts)
    verb = "is" if episodes + sweeps == 1 else "are"
    return f"{damaged} {verb} damaged and left out; the same benchmark into this folder plays them again"
