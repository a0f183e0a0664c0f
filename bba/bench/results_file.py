"""Opens the file of results to read it, also where it cannot be changed.

Puts the results of several folders together in one: runs that cannot share a folder have one each.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from bba.bench.claims import LOCKS_FAIL
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.bench.schema import check, damage_text, episode_rows, sweep_rows
from bba.errors import BBAError, shortened


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """Opens the results of a folder, which must exist; a file that cannot be read is one line."""
    path = folder / RESULTS_FILE
    try:
        if not path.is_file():
            raise BBAError(f"{folder}: no results here: there is no {RESULTS_FILE} in it")
        with closing(_connected(path)) as database:
            yield database
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be read: {shortened(error)}") from None
    except (ValueError, TypeError, KeyError):
        raise BBAError(f"{path}: damaged: holds what this program does not write") from None
    except OSError as error:
        raise BBAError(f"{folder}: cannot be read: {error.strerror or error}") from None


def _connected(path: Path) -> sqlite3.Connection:
    """Opens a results file; as one that nobody changes, if it cannot be changed here and cannot be read otherwise."""
    changeable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    try:
        return _opened_as("mode=rw" if changeable else "mode=ro", path)
    except sqlite3.OperationalError as error:
        if changeable and error.sqlite_errorname not in LOCKS_FAIL - {"SQLITE_BUSY"}:
            raise
        return _opened_as("immutable=1", path)


def _opened_as(way: str, path: Path) -> sqlite3.Connection:
    """Opens a results file in one of SQLite's ways, and reads its version."""
    database = sqlite3.connect(f"{path.resolve().as_uri()}?{way}", uri=True)
    try:
        check(database, str(path))
    except BaseException:
        database.close()
        raise
    return database


class Merged(NamedTuple):
    """What came of putting folders together.

    Attributes:
        episodes: how many finished ones the folder holds now.
        damage: what was damaged and left out, a line for each folder with damage.
    """

    episodes: int
    damage: tuple[str, ...]


def merge(sources: Sequence[Path], folder: Path) -> Merged:
    """Adds the sweeps and episodes of several folders to those of another one, which is made if it does not exist.

    A finished episode is kept where two folders have it. What requests have cost stays in the folders.

    Raises:
        BBAError: a folder cannot be used, or holds no results.
    """
    if any(source.resolve() == folder.resolve() for source in sources):
        raise BBAError(f"{folder}: is one of the folders to be put together; take another one with --out")
    for source in sources:
        with opened(source):  # all of them before there is a new folder
            pass
    damage: list[str] = []
    with ResultsStore(folder) as store:
        for source in sources:
            with opened(source) as database:
                damage += _add(database, store, source)
        return Merged(len(store.finished()), tuple(damage))


def _add(database: sqlite3.Connection, store: ResultsStore, source: Path) -> list[str]:
    """Adds what a file holds to the store; returns a line about what is damaged."""
    rows, runs = list(episode_rows(database)), list(sweep_rows(database))
    whole = [row.number for row in rows if row.result is not None]
    store.take_over(lambda: _with_recordings(database, whole))
    for run in runs:
        if run.intact:
            store.register(run.name, run.definition, run.entries)
    damaged = damage_text(sum(row.result is None for row in rows), sum(not run.intact for run in runs))
    return [f"{source}: {damaged}"] if damaged else []


def _with_recordings(database: sqlite3.Connection, numbers: Sequence[int]) -> Iterator[dict[str, object]]:
    """Yields the columns of these rows by name, one row after the other."""
    for number in numbers:
        found = database.execute("SELECT * FROM episodes WHERE rowid = ?", (number,))
        names = [column[0] for column in found.description]
        yield dict(zip(names, found.fetchone(), strict=True))
