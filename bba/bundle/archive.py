"""A file of several parts: a ZIP archive with a few known names, all of it checked before any of it is used.

The same parts give the same bytes. Nothing in an archive is executed or unpickled, and no name in it becomes a path
that this program does not write itself.
"""

import hashlib
import io
import json
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from bba import __version__
from bba.errors import BBAError
from bba.files import first_problem, write_whole

Kind = Literal["results", "recording"]
MANIFEST, MAGIC = "bundle.json", b"PK\x03\x04"
LARGEST_PART, LARGEST, MOST_PARTS = 256 * 2**20, 512 * 2**20, 20_000  # bytes unpacked, in one part and in all; parts
_NAME = re.compile(
    r"bundle\.json|results\.json|game\.bba|game\.usage\.json|recordings/[0-9a-f]{32}\.bba|tables/[\w-]{1,200}\.(?:csv|md)"
)
_PACKED = (".bba",)  # parts that are compressed already
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that the format knows
_SHOWN = 60  # characters of a name in messages


class Manifest(BaseModel):
    """What an archive holds: its kind, and the SHA-256 digest of each part by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["bba-bundle"] = "bba-bundle"
    version: Literal[1] = 1
    written_by: str = f"bba-tui {__version__}"
    kind: Kind
    parts: dict[str, str]


class Archive(NamedTuple):
    """The content of an archive."""

    kind: Kind
    parts: dict[str, bytes]
    manifest: bytes


def is_archive(path: Path) -> bool:
    """Returns whether a file begins as an archive does; False where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def write_archive(path: Path, kind: Kind, parts: Mapping[str, bytes]) -> None:
    """Writes an archive, completely or not at all.

    Raises:
        BBAError: it would be too large to be read, or cannot be written.
    """
    if len(parts) > MOST_PARTS or sum(map(len, parts.values())) > LARGEST:
        raise BBAError(f"{path}: would be larger than a bundle may be ({MOST_PARTS} parts, {LARGEST // 2**20} MiB)")
    digests = {name: _digest(parts[name]) for name in sorted(parts)}
    manifest = Manifest(kind=kind, parts=digests).model_dump_json(indent=1).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, content in ((MANIFEST, manifest), *((name, parts[name]) for name in digests)):
            file.writestr(_entry(name), content, compresslevel=9)
    write_whole(path, packed.getvalue())


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.create_system, entry.external_attr = 3, (stat.S_IFREG | 0o644) << 16  # the same on every system
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
    return entry


def read_archive(path: Path) -> Archive:
    """Returns the content of an archive.

    Raises:
        BBAError: it is none, is damaged or too large, or holds a name or a link that no archive of this program holds.
    """
    try:
        with zipfile.ZipFile(path) as file:
            contents = _contents(path, file)
    except OSError as error:
        raise BBAError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, NotImplementedError):
        raise BBAError(f"{path}: no bundle of this program, or damaged") from None
    manifest = contents.pop(MANIFEST, b"")
    try:
        listed = Manifest.model_validate_json(manifest)
    except ValidationError as error:
        raise BBAError(f"{path}: no bundle of this program: {MANIFEST}: {first_problem(error)}") from None
    if {name: _digest(content) for name, content in contents.items()} != listed.parts:
        raise BBAError(f"{path}: damaged: its parts are not those that {MANIFEST} lists")
    return Archive(listed.kind, contents, manifest)


def _contents(path: Path, file: zipfile.ZipFile) -> dict[str, bytes]:
    """Returns the parts by name; none is unpacked before all names and sizes are checked."""
    entries = file.infolist()
    for entry in entries:
        _check(path, entry)
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise BBAError(f"{path}: refused: holds a name twice")
    if len(entries) > MOST_PARTS or sum(entry.file_size for entry in entries) > LARGEST:
        raise BBAError(f"{path}: refused: larger than {MOST_PARTS} parts or {LARGEST // 2**20} MiB")
    return {entry.filename: _content(file, entry) for entry in entries}


def _check(path: Path, entry: zipfile.ZipInfo) -> None:
    name, mode = entry.filename, entry.external_attr >> 16
    shown = json.dumps(name[:_SHOWN])
    if not _NAME.fullmatch(name) or entry.orig_filename != name:
        raise BBAError(f"{path}: refused: holds {shown}, which no bundle of this program does")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise BBAError(f"{path}: refused: {shown} is a link or a folder, not a file")
    if entry.file_size > LARGEST_PART:
        raise BBAError(f"{path}: refused: {shown} is larger than {LARGEST_PART // 2**20} MiB")


def _content(file: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with file.open(entry) as part:
        content = part.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise ValueError("not as long as it says")
    return content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
