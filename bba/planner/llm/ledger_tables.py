"""The tables of a ledger, and their checksum: a file that a disk or a copy has damaged is known as such.

The checksum covers all rows of both tables, so that a row which is lost is noticed, too. Files that were written before
there was one have none; they count as they are.
"""

import hashlib
import json
import sqlite3

SPENDING, RESERVATIONS, CHECKSUM = TABLES = ("spending", "reservations", "spending_checksum")
DAMAGED = "what was spent is damaged; go on in another folder, into which --merge takes the finished episodes"
_CREATE = (
    f"""CREATE TABLE IF NOT EXISTS {SPENDING} (
        model TEXT PRIMARY KEY, requests INTEGER NOT NULL, dollars REAL NOT NULL, prompt_tokens INTEGER NOT NULL,
        cached_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, estimated INTEGER NOT NULL)""",
    f"""CREATE TABLE IF NOT EXISTS {RESERVATIONS} (
        id TEXT PRIMARY KEY, model TEXT NOT NULL, dollars REAL NOT NULL, expires REAL NOT NULL)""",
    f"CREATE TABLE IF NOT EXISTS {CHECKSUM} (checksum TEXT NOT NULL)",
)


def create_tables(database: sqlite3.Connection) -> None:
    """Creates those tables that a file lacks."""
    for statement in _CREATE:
        database.execute(statement)


def found_tables(database: sqlite3.Connection) -> set[str]:
    """Returns which of the tables a file has."""
    names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {name for (name,) in names} & {*TABLES}


def is_intact(database: sqlite3.Connection) -> bool:
    """Returns whether the tables hold what was written last; True for a file that has none."""
    database.text_factory = lambda data: data.decode(errors="replace")  # damaged text is damage, and no other error
    found = found_tables(database)
    if CHECKSUM not in found:
        return not found or found == {SPENDING, RESERVATIONS}
    if len(found) < len(TABLES):
        return False
    stored = database.execute(f"SELECT checksum FROM {CHECKSUM}").fetchall()
    return bool(stored == [(_checksum(database),)])


def seal(database: sqlite3.Connection) -> None:
    """Stores the checksum of what the tables hold now."""
    database.execute(f"DELETE FROM {CHECKSUM}")
    database.execute(f"INSERT INTO {CHECKSUM} VALUES (?)", (_checksum(database),))


def _checksum(database: sqlite3.Connection) -> str:
    """Returns 32 hex digits: the digest of all rows of both tables."""
    rows = [database.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in (SPENDING, RESERVATIONS)]
    return hashlib.blake2b(json.dumps(rows, default=repr).encode(), digest_size=16).hexdigest()
