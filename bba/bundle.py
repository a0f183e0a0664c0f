"""Bundles: one file to share, with all that is needed to read results or a recording for ever and nothing secret.

A bundle of results holds the content of ``results.sqlite`` as JSON, the recordings with the models' answers, and tables
as files; one of a recording holds the game, what its answers cost, and its measures. Keys, addresses of endpoints and
the names of accounts are taken out. The package of a study (`human.study.table_files`) is written in this format, too,
but not read.

It is a ZIP archive with a few known names, all of it checked before any of it is used. The same parts give the same
bytes. Nothing in an archive is executed or unpickled, and no name in it becomes a path that this program does not write
itself.
"""

import hashlib
import io
import json
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel

from bba import __version__
from bba.analysis.measures import measure
from bba.bench import RESULTS_FILE
from bba.bench.results_reader import load_results
from bba.bench.results_transfer import ResultsDump, dump, restore
from bba.errors import BBAError
from bba.files import os_errors, write_output
from bba.planner import LLMCall
from bba.planner.account import Redactor
from bba.planner.model_options import OPENAI
from bba.play import Recording, Replay, load, pack, unpack, usage_text
from bba.report.content import sections_of
from bba.report.page import table_files
from bba.tabular import to_csv
from bba.temporary import temporary_folder
from bba.validation import checked

Kind = Literal["results", "recording", "study"]
RESULTS = "results.json"
GAME = "game.bba"
USAGE = "game.usage.json"
MANIFEST = "bundle.json"
LARGEST_PART = 256 * 2**20  # bytes of one part, unpacked
LARGEST = 512 * 2**20  # bytes of all parts, unpacked
MOST_PARTS = 20_000
_PART_NAME = re.compile(
    r"bundle\.json|results\.json|game\.bba|game\.usage\.json|recordings/[0-9a-f]{32}\.bba|tables/[\w-]{1,200}\.(?:csv|md)"
)
_COMPRESSED = (".bba",)  # parts that are compressed already
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that the format knows
ENDPOINT = "[endpoint]"  # in the place of every address but OpenAI's
_KIND_WORDS = {"results": "results", "recording": "a recording", "study": "a study"}
_SHOWN_NAME = 60  # characters of a name in messages


class Manifest(BaseModel, frozen=True, extra="forbid"):
    """The list of an archive's content: its kind, and the SHA-256 digest of each part by name."""

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


def write_archive(
    path: Path, kind: Kind, parts: Mapping[str, bytes], *, replace: bool = True, mode: int = 0o666
) -> Path:
    """Writes an archive, completely or not at all.

    Args:
        path: the file.
        kind: what the archive holds.
        parts: its content by name.
        replace: whether another file of this name is replaced.
        mode: who may read it.

    Returns:
        The path that was written: `path`, or a free name beside it.

    Raises:
        BBAError: it would be too large to be read, or cannot be written.
    """
    size = sum(len(part) for part in parts.values())
    if len(parts) > MOST_PARTS or size > LARGEST:
        raise BBAError(f"{path}: would be larger than a bundle may be ({MOST_PARTS} parts, {LARGEST // 2**20} MiB)")
    names = sorted(parts)
    digests = {name: _digest(parts[name]) for name in names}
    manifest = Manifest(kind=kind, parts=digests).model_dump_json(indent=1).encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(_entry(MANIFEST), manifest, compresslevel=9)
        for name in names:
            file.writestr(_entry(name), parts[name], compresslevel=9)
    return write_output(path, archive.getvalue(), replace=replace, mode=mode)


def _entry(name: str) -> zipfile.ZipInfo:
    """Returns the header of a part, which is the same on every system."""
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.create_system = 3  # Unix
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(_COMPRESSED) else zipfile.ZIP_DEFLATED
    return entry


def read_archive(path: Path) -> Archive:
    """Returns the content of an archive.

    Raises:
        BBAError: it is none, is damaged or too large, or holds a name or a link that no archive of this program holds.
    """
    try:
        with os_errors(f"{path}: cannot be read"), zipfile.ZipFile(path) as file:
            contents = _contents(path, file)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, NotImplementedError):
        raise BBAError(f"{path}: no bundle of this program, or damaged") from None
    manifest_json = contents.pop(MANIFEST, b"")
    manifest = checked(Manifest, manifest_json, f"{path}: no bundle of this program: {MANIFEST}")
    digests = {name: _digest(content) for name, content in contents.items()}
    if digests != manifest.parts:
        raise BBAError(f"{path}: damaged: its parts are not those that {MANIFEST} lists")
    return Archive(manifest.kind, contents, manifest_json)


def _contents(path: Path, file: zipfile.ZipFile) -> dict[str, bytes]:
    """Returns the parts by name; none is unpacked before all names and sizes are checked."""
    entries = file.infolist()
    for entry in entries:
        _check_entry(path, entry)
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise BBAError(f"{path}: refused: holds a name twice")
    size = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_PARTS or size > LARGEST:
        raise BBAError(f"{path}: refused: larger than {MOST_PARTS} parts or {LARGEST // 2**20} MiB")
    return {entry.filename: _content(file, entry) for entry in entries}


def _check_entry(path: Path, entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    quoted_name = json.dumps(name[:_SHOWN_NAME])
    if not _PART_NAME.fullmatch(name) or entry.orig_filename != name:
        raise BBAError(f"{path}: refused: holds {quoted_name}, which no bundle of this program does")
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise BBAError(f"{path}: refused: {quoted_name} is a link or a folder, not a file")
    if entry.file_size > LARGEST_PART:
        raise BBAError(f"{path}: refused: {quoted_name} is larger than {LARGEST_PART // 2**20} MiB")


def _content(file: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with file.open(entry) as part:
        content = part.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise ValueError("not as long as it says")
    return content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def shared_results(dumped: ResultsDump, redactor: Redactor) -> ResultsDump:
    """Returns results as they may be shared. Keys of episodes stay, so that tables find them."""
    redacted_json = redactor.text(dumped.model_dump_json())
    redacted = checked(ResultsDump, redacted_json.encode(), "results: damaged")
    tables = dict(redacted)
    tables["episodes"] = tuple(_shared_episode(row, redactor) for row in redacted.episodes)
    return ResultsDump(**tables)


def _shared_episode(row: Any, redactor: Redactor) -> Any:
    """Returns a row of the table ``episodes`` as it may be shared."""
    spec = json.loads(row.spec)
    planning = spec.get("planning") or {}
    failure = row.failure or ""
    address = planning.get("endpoint")
    if address and address != OPENAI:
        planning["endpoint"] = ENDPOINT
        host = urlsplit(address).netloc or address
        failure = failure.replace(address, ENDPOINT).replace(host, ENDPOINT)
    changes = {"spec": json.dumps(spec, sort_keys=True, ensure_ascii=False)}
    if failure:
        changes["failure"] = redactor.complaint(failure)
    return row.model_copy(update=changes)


def shared_recording(recording: Recording, redactor: Redactor) -> Recording:
    """Returns a recording as it may be shared; its game is the same."""
    players = []
    for player in recording.players:
        calls = tuple((step, _shared_call(call, redactor)) for step, call in player.calls)
        players.append(player.model_copy(update={"calls": calls}))
    notes = tuple((step, redactor.text(note)) for step, note in recording.notes)
    other = None if recording.other is None else shared_recording(recording.other, redactor)
    return recording.model_copy(update={"players": tuple(players), "notes": notes, "other": other})


def _shared_call(call: LLMCall, redactor: Redactor) -> LLMCall:
    return replace(
        call,
        texts=tuple(redactor.text(text) for text in call.texts),
        response=redactor.text(call.response),
        problem=call.problem and redactor.complaint(call.problem),
        belief_text=call.belief_text and redactor.text(call.belief_text),
    )


def write_bundle(source: Path, path: Path) -> None:
    """Writes results or a recording, with tables and usage, into one file; the same source gives the same bytes.

    Keys, addresses of endpoints other than OpenAI's, and the names of accounts are left out.

    Args:
        source: a folder of results, or the file of a recording.
        path: the file.

    Raises:
        BBAError: the source cannot be read, or the file cannot be written.
    """
    if source.is_dir():
        write_archive(path, "results", _results_parts(source))
    else:
        write_archive(path, "recording", _recording_parts(load(source)))


def _results_parts(folder: Path) -> dict[str, bytes]:
    load_results(folder)  # so that an error in the results names this folder, not the copy
    redactor = Redactor()
    dumped, recordings = dump(folder)
    shared = shared_results(dumped, redactor)
    unpacked = {key: unpack(packed, f"{folder}: {key}") for key, packed in recordings.items()}
    shared_recordings = {key: pack(shared_recording(recording, redactor)) for key, recording in unpacked.items()}
    with temporary_folder() as copy:
        restore(shared, shared_recordings, copy)
        tables = table_files(sections_of(load_results(copy)))
    parts = {RESULTS: shared.model_dump_json(indent=1).encode()}
    for key, packed in shared_recordings.items():
        parts[f"recordings/{key}.bba"] = packed
    for name, text in tables.items():
        parts[f"tables/{name}"] = text.encode()
    return parts


def _recording_parts(recording: Recording) -> dict[str, bytes]:
    shared = shared_recording(recording, Redactor())
    packed = pack(shared)
    usage = usage_text(shared, packed)
    measures = measure(Replay(shared).run())
    rows = [{"measure": name, "value": value} for name, value in measures.items()]
    parts = {GAME: packed, "tables/measures.csv": to_csv(rows, ("measure", "value")).encode()}
    if usage is not None:
        parts[USAGE] = usage.encode()
    return parts


def opened_bundle(path: Path, kind: Kind) -> Path:
    """Opens a bundle in a folder beside it, which has its name without the suffix; once is enough.

    Args:
        path: the bundle.
        kind: what it must hold.

    Returns:
        The folder with the results, or the file of the recording.

    Raises:
        BBAError: it is no bundle, holds something else, or something else is in the place of the folder.
    """
    archive = read_archive(path)
    folder = path.with_suffix("")
    if archive.kind != kind:
        raise BBAError(f"{path}: holds {_KIND_WORDS[archive.kind]}, not {_KIND_WORDS[kind]}")
    if folder == path or (folder.exists() and not _is_opened(folder, archive)):
        raise BBAError(f"{path}: cannot be opened at {folder}: something else is there; rename one of them")
    if not folder.exists():
        _open(archive, folder, str(path))
    return folder if kind == "results" else folder / GAME


def _is_opened(folder: Path, archive: Archive) -> bool:
    manifest = folder / MANIFEST
    content = folder / (RESULTS_FILE if archive.kind == "results" else GAME)
    return content.is_file() and manifest.is_file() and manifest.read_bytes() == archive.manifest


def _open(archive: Archive, folder: Path, source: str) -> None:
    with os_errors(f"{folder}: cannot be made"):
        unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        with os_errors(f"{folder}: cannot be written"):
            _fill(archive, unfinished, source)
            unfinished.chmod(0o755)
            unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _fill(archive: Archive, folder: Path, source: str) -> None:
    parts = archive.parts
    (folder / MANIFEST).write_bytes(archive.manifest)
    if archive.kind == "results":
        recordings = {}
        for name, content in parts.items():
            if name.endswith(".bba"):
                key = name.removeprefix("recordings/").removesuffix(".bba")
                recordings[key] = content
        dumped = checked(ResultsDump, parts.get(RESULTS, b""), f"{source}: damaged")
        restore(dumped, recordings, folder)
    else:
        for name in (GAME, USAGE):
            if name in parts:
                (folder / name).write_bytes(parts[name])
