"""A cache of answers on disk: an SQLite file in which every entry has a checksum.

Each access opens the file anew. This takes less than a millisecond and lets many threads and processes share the file.
"""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

LOCK_TIMEOUT = 10.0  # seconds to wait for another process that writes
_TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer BLOB NOT NULL, checksum TEXT NOT NULL) "
    "WITHOUT ROWID"
)


class AnswerCache:
    """Answers in a file, by key. Its methods raise `OSError` or `sqlite3.Error`.

    Args:
        path: the file; it and its folder are created with the first answer.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, key: str) -> str | None:
        """Returns the answer; None if there is none or it is damaged."""
        if not self.path.exists() or not self.path.stat().st_size:
            return None
        with closing(self._connect("ro")) as database:
            return _valid_answer(database, key)

    def put(self, key: str, answer: str) -> str:
        """Stores an answer and returns the stored one, which is an earlier one if that is valid."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect("rwc")) as database, database:
            database.execute("BEGIN IMMEDIATE")
            database.execute(_TABLE)
            earlier = _valid_answer(database, key)
            if earlier is not None:
                return earlier
            data = answer.encode()
            database.execute("REPLACE INTO answers VALUES (?, ?, ?)", (key, data, _checksum(key, data)))
            return answer

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(address, uri=True, timeout=LOCK_TIMEOUT, isolation_level=None)


def _valid_answer(database: sqlite3.Connection, key: str) -> str | None:
    """Returns the answer of a key if its checksum is correct, otherwise None."""
    row = database.execute("SELECT answer, checksum FROM answers WHERE key = ?", (key,)).fetchone()
    if row is None or not isinstance(row[0], bytes) or row[1] != _checksum(key, row[0]):
        return None
    return row[0].decode()


def _checksum(key: str, answer: bytes) -> str:
    return hashlib.sha256(key.encode() + answer).hexdigest()
