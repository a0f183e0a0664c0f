"""Searches every file of a folder for secrets, unpacked: gzip, ZIP archives, and all values of SQLite files."""

import gzip
import io
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

from tui.commands.bundles import MAGIC


def assert_nowhere(folder: Path, secrets: list[str]) -> set[str]:
    """Fails if a secret stands in a file; returns the names of the files that were searched."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        content = unpacked(path)
        found = [secret for secret in secrets if secret.encode() in content]
        assert not found, f"{path}: {found}"
    return {path.name for path in files}


def unpacked(path: Path) -> bytes:
    """Returns the bytes of a file, and those of all that is packed in it."""
    data = path.read_bytes()
    return data + (_database(path) if data.startswith(b"SQLite format 3") else _packed(data))


def _packed(data: bytes) -> bytes:
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    if not data.startswith(MAGIC):
        return b""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [archive.read(name) for name in archive.namelist()]
    return b"".join([*parts, *map(_packed, parts)])


def _database(path: Path) -> bytes:
    with closing(sqlite3.connect(path)) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        values = [value for table in tables for row in database.execute(f"SELECT * FROM {table}") for value in row]
    raw = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return b"\n".join([*raw, *map(_packed, raw)])
