"""What the SQLite files of this program share: transactions, checksums of rows, and text that may be damaged."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from sqlite3 import Connection

from bba.files import hex_digest

_ROW_ENCODER = json.JSONEncoder(default=repr)


def row_checksum(values: Iterable[object]) -> str:
    """Returns 32 hex digits: the digest of values as SQLite returns them."""
    return hex_digest(_ROW_ENCODER.encode(list(values)).encode(), size=16)


def read_any_text(database: Connection) -> None:
    """Lets damaged text of an SQLite file be read, so that it is one damaged row and not the end of reading."""
    database.text_factory = lambda data: data.decode(errors="replace")


@contextmanager
def transaction(database: Connection) -> Iterator[None]:
    """Commits the changes of its block, or undoes them all if the block raises; nobody else writes meanwhile."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
