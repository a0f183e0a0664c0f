"""Writes bundles of results and of recordings, and opens them in a folder.

A bundle of results holds what ``results.sqlite`` does as JSON, the recordings with the models' answers, and the tables
as files; one of a recording holds the game, what its answers cost, and its measures.
"""

import shutil
import tempfile
from pathlib import Path

from bba.analysis.measures import measure
from bba.bench.results_dump import ResultsDump, dump, restore
from bba.bench.results_reader import read_results
from bba.bench.results_store import FILE
from bba.bundle.archive import MANIFEST, Archive, Kind, read_archive, write_archive
from bba.bundle.without_secrets import shared_recording, shared_results
from bba.errors import BBAError
from bba.planner.llm.account import Redactor
from bba.play import Recording, Replay, load
from bba.play.recording_file import pack, unpack
from bba.play.usage_file import usage_text
from bba.report.table_files import table_files
from bba.tabular import to_csv

_WORDS = {"results": "results", "recording": "a recording"}
RESULTS, GAME, USAGE = "results.json", "game.bba", "game.usage.json"


def write_bundle(source: Path, path: Path) -> None:
    """Writes results or a recording, and what belongs to them, into one file; the same source gives the same bytes.

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
    read_results(folder)  # what is wrong with them is said of this folder, not of the copy
    redactor = Redactor()
    dumped, recordings = dump(folder)
    shared = shared_results(dumped, redactor)
    games = {key: _shared_game(packed, f"{folder}: {key}", redactor) for key, packed in recordings.items()}
    with tempfile.TemporaryDirectory() as made:
        restore(shared, games, Path(made))
        tables = table_files(read_results(Path(made)))
    return (
        {RESULTS: shared.model_dump_json(indent=1).encode()}
        | {f"recordings/{key}.bba": packed for key, packed in games.items()}
        | {f"tables/{name}": text.encode() for name, text in tables.items()}
    )


def _shared_game(packed: bytes, source: str, redactor: Redactor) -> bytes:
    return pack(shared_recording(unpack(packed, source), redactor))


def _recording_parts(recording: Recording) -> dict[str, bytes]:
    shared = shared_recording(recording, Redactor())
    packed = pack(shared)
    usage, measures = usage_text(shared, packed), measure(Replay(shared).run())
    rows = ({"measure": name, "value": value} for name, value in measures.items())
    parts = {GAME: packed, "tables/measures.csv": to_csv(rows, ("measure", "value")).encode()}
    return parts if usage is None else parts | {USAGE: usage.encode()}


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
    archive, folder = read_archive(path), path.with_suffix("")
    if archive.kind != kind:
        raise BBAError(f"{path}: holds {_WORDS[archive.kind]}, not {_WORDS[kind]}")
    if folder == path or (folder.exists() and not _is_opened(folder, archive)):
        raise BBAError(f"{path}: cannot be opened at {folder}: something else is there; rename one of them")
    if not folder.exists():
        _open(archive, folder, str(path))
    return folder if kind == "results" else folder / GAME


def _is_opened(folder: Path, archive: Archive) -> bool:
    manifest, content = folder / MANIFEST, folder / (FILE if archive.kind == "results" else GAME)
    return content.is_file() and manifest.is_file() and manifest.read_bytes() == archive.manifest


def _open(archive: Archive, folder: Path, source: str) -> None:
    """Makes the folder, completely or not at all."""
    try:
        made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise BBAError(f"{folder}: cannot be made: {error.strerror or error}") from None
    try:
        _fill(archive, made, source)
        made.chmod(0o755)
        made.rename(folder)
    except OSError as error:
        raise BBAError(f"{folder}: cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _fill(archive: Archive, folder: Path, source: str) -> None:
    parts = archive.parts
    (folder / MANIFEST).write_bytes(archive.manifest)
    if archive.kind == "results":
        names = {name: name.removeprefix("recordings/").removesuffix(".bba") for name in parts if name.endswith(".bba")}
        recordings = {key: parts[name] for name, key in names.items()}
        restore(ResultsDump.parse(parts.get(RESULTS, b""), source), recordings, folder)
    else:
        for name in (GAME, USAGE):
            if name in parts:
                (folder / name).write_bytes(parts[name])
