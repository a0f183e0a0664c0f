"""Opens the file of results to read it, also where it cannot be changed."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bba.bench.locked_file import LOCKS_FAIL
from bba.bench.results_store import FILE
from bba.bench.schema import check
from bba.errors import BBAError, shortened


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """Opens the results of a folder, which must exist; a file that cannot be read is one line."""
    path = folder / FILE
    try:
        if not path.is_file():
            raise BBAError(f"{folder}: no results here: there is no {FILE} in it")
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
