"""Answers on disk: an SQLite file in which every entry carries a checksum.

Each use opens the file anew, which takes less than a millisecond and lets any number of threads and processes share it.
"""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

PATIENCE = 10.0  # seconds to wait for another process that is writing
_TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer BLOB NOT NULL, checksum TEXT NOT NULL) "
    "WITHOUT ROWID"
)


class AnswerCache:
    """The answers in a file, by key. What goes wrong is an `OSError` or an `sqlite3.Error`.

    Args:
        path: the file; it and its folder come into being with the first answer.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, key: str) -> str | None:
        """The answer, None if there is none or it is damaged."""
        if not self.path.exists() or not self.path.stat().st_size:
            return None
        with closing(self._connect("ro")) as database:
            return _sound(database, key)

    def put(self, key: str, answer: str) -> str:
        """Keep an answer; returns the one that stands there now, which is an earlier one if that is sound."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect("rwc")) as database, database:
            database.execute("BEGIN IMMEDIATE")
            database.execute(_TABLE)
            earlier = _sound(database, key)
            if earlier is not None:
                return earlier
            data = answer.encode()
            database.execute("REPLACE INTO answers VALUES (?, ?, ?)", (key, data, _checksum(key, data)))
            return answer

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)


def _sound(database: sqlite3.Connection, key: str) -> str | None:
    """The answer under a key, if its checksum is right."""
    row = database.execute("SELECT answer, checksum FROM answers WHERE key = ?", (key,)).fetchone()
    if row is None or not isinstance(row[0], bytes) or row[1] != _checksum(key, row[0]):
        return None
    return row[0].decode()


def _checksum(key: str, answer: bytes) -> str:
    return hashlib.sha256(key.encode() + answer).hexdigest()
