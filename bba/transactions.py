"""A transaction of an SQLite file that is opened without ones of its own (`isolation_level=None`)."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Commits what its block does, or undoes all of it if the block raises; nobody else writes meanwhile."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
