"""Reads and writes recordings as files: gzip-compressed JSON. Nothing in a file is executed or unpickled.

A file contains each text of the model calls once, in the list ``texts``; the calls refer to texts by their index. So
system prompts and earlier turns of a chat are not repeated.

What the answers cost (tokens, seconds and dollars) differs between two runs with the same answers, so it stands beside
the recording, ``game.usage.json`` beside ``game.bba``: the same game from the same answers gives the same bytes.
Without that file, or where it belongs to another recording, the costs are not known; everything else is.
"""

import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from bba.errors import BBAError
from bba.files import read_bytes, write_new, write_together
from bba.planner.chat import Usage
from bba.play.recording import RECORDING_VERSION, Recording, StrictModel
from bba.text import encodable
from bba.validation import first_problem

USAGE_SUFFIX = ".usage.json"
LARGEST_RECORDING = 64 * 2**20  # bytes of JSON that are read at most
MOST_VALUES = 2_000_000  # values beside texts, which take up to a hundred times their length in memory
CHUNK = 2**20  # bytes that are unpacked at a time
_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"')
Usages = tuple[Usage | None, ...]


class UsageFile(StrictModel):
    """What each call of a recording cost.

    Attributes:
        recording: the digest of the recording's bytes (`digest`).
        players: for each player the costs of its calls, in order; None where they are not known.
    """

    format: Literal["bba-usage"] = "bba-usage"
    version: Literal[1] = 1
    recording: str
    players: tuple[Usages, Usages]


def usage_path(recording: Path) -> Path:
    """Returns the file beside a recording that holds what its answers cost."""
    return recording.with_name(recording.name.removesuffix(".bba") + USAGE_SUFFIX)


def digest(packed: bytes) -> str:
    """Returns 64 hex digits: the digest of a recording's bytes."""
    return hashlib.sha256(packed).hexdigest()


def usage_text(recording: Recording, packed: bytes) -> str | None:
    """Returns the content of the file; None if no cost is known."""
    first, second = (tuple(call.usage for _, call in player.calls) for player in recording.players)
    if not any(first) and not any(second):
        return None
    usage_file = UsageFile(recording=digest(packed), players=(first, second))
    content = usage_file.model_dump(mode="json")
    return json.dumps(content, separators=(",", ":")) + "\n"


def with_usage(recording: Recording, packed: bytes, path: Path) -> Recording:
    """Returns the recording with what the file beside it says; as it is where that file is missing or of another one.

    Args:
        recording: the recording.
        packed: its bytes.
        path: its file.
    """
    try:
        usage_file = UsageFile.model_validate_json(read_bytes(usage_path(path)))
    except (BBAError, ValidationError):
        return recording
    if usage_file.recording != digest(packed):
        return recording
    call_counts = [len(player.calls) for player in recording.players]
    usage_counts = [len(usages) for usages in usage_file.players]
    if usage_counts != call_counts:
        return recording
    return _with(recording, usage_file.players)


def _with(recording: Recording, usages: Sequence[Usages]) -> Recording:
    """Returns the recording with these costs of each player's calls."""
    players = []
    for player, costs in zip(recording.players, usages, strict=True):
        calls = [(step, replace(call, usage=usage)) for (step, call), usage in zip(player.calls, costs, strict=True)]
        players.append(player.model_copy(update={"calls": tuple(calls)}))
    return recording.model_copy(update={"players": tuple(players)})


def save(recording: Recording, path: Path | str) -> None:
    """Writes a recording to a file, completely or not at all; the same game from the same answers gives the same bytes.

    What the answers cost, where that is known, is written to a file beside it.

    Raises:
        BBAError: the file cannot be written.
    """
    path = Path(path)
    packed = pack(recording)
    usage = usage_text(recording, packed)
    files: dict[Path, str | bytes] = {path: packed}
    if usage is not None:
        files[usage_path(path)] = usage
    write_together(files)


def save_new(recording: Recording, path: Path | str) -> Path:
    """Writes a recording as `save` does, but never over another file, whenever that came.

    Returns:
        Where it is: `path`, or the first of name-2, name-3, … that was free.

    Raises:
        BBAError: the file cannot be written.
    """
    packed = pack(recording)
    usage = usage_text(recording, packed)
    companion = None if usage is None else (usage_path, usage)
    return write_new(Path(path), packed, companion=companion)


def pack(recording: Recording) -> bytes:
    """Returns a recording as the bytes of a file, without what its answers cost."""
    text = json.dumps(_data(recording), ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(encodable(text).encode(), mtime=0)  # a plug-in's own texts come unchecked


def _data(recording: Recording) -> dict[str, Any]:
    """Returns what a file holds of a recording; of a duel, the other game as a recording in it."""
    no_usages = [(None,) * len(player.calls) for player in recording.players]
    unpriced = _with(recording, no_usages)
    data = unpriced.model_dump(mode="json", by_alias=True, exclude={"other"})
    share_texts(data)
    if recording.other is not None:
        data["other"] = _data(recording.other)
    return data


def load(path: Path | str) -> Recording:
    """Reads a recording, and what its answers cost if the file beside it says so.

    Raises:
        BBAError: the file cannot be read, is no recording, is damaged, or has another version.
    """
    path = Path(path)
    packed = read_bytes(path)
    recording = unpack(packed, str(path))
    return with_usage(recording, packed, path)


def unpack(packed: bytes, path: str) -> Recording:
    """Reads the recording in the bytes of a file; `path` names it in messages.

    Raises:
        BBAError: it is no recording, is damaged, or has another version.
    """
    data = _parse(packed, path)
    if not isinstance(data, dict) or data.get("format") != "bba-recording":
        raise BBAError(f"{path}: not a recording of this program")
    if type(data.get("version")) is not int or data["version"] != RECORDING_VERSION:
        raise BBAError(
            f"{path}: recording version {data.get('version')!r}; this program reads version {RECORDING_VERSION}"
        )
    try:
        restore_texts(data)
        if isinstance(data.get("other"), dict):
            restore_texts(data["other"])
        return Recording.model_validate(data)
    except ValidationError as error:
        raise BBAError(f"{path}: the recording is damaged: {first_problem(error)}") from None
    except (LookupError, TypeError, AttributeError, ValueError):
        raise BBAError(f"{path}: the recording is damaged: a model call refers to a missing text") from None


def _parse(packed: bytes, path: str) -> Any:
    """Returns the JSON in the bytes of a file; stops unpacking where it is too long."""
    text = bytearray()
    values = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            while chunk := file.read(CHUNK):
                text += chunk
                if len(text) > LARGEST_RECORDING:
                    raise BBAError(
                        f"{path}: too large for a recording: more than {LARGEST_RECORDING // 2**20} MiB unpacked"
                    )
        if len(text) > CHUNK:
            values = _TEXTS.sub(b"", text).count(b",")
        if values > MOST_VALUES:
            raise BBAError(f"{path}: too large for a recording: more than {MOST_VALUES:,} values")
        return json.loads(bytes(text))
    except gzip.BadGzipFile:
        raise BBAError(f"{path}: cannot be read: not a recording, or damaged") from None
    except (EOFError, zlib.error, ValueError, RecursionError):
        raise BBAError(f"{path}: the recording is damaged: it breaks off or does not decompress") from None


def share_texts(data: dict[str, Any]) -> None:
    """Replaces the texts of all model calls by their index in a new list ``texts``, in place."""
    index: dict[str, int] = {}
    for call in _calls(data):
        call["texts"] = [index.setdefault(text, len(index)) for text in call["texts"]]
        call["response"] = index.setdefault(call["response"], len(index))
    data["texts"] = list(index)


def restore_texts(data: dict[str, Any]) -> None:
    """Undoes `share_texts`, in place.

    Raises:
        LookupError, TypeError, AttributeError, ValueError: the calls are damaged.
    """
    texts = dict(enumerate(data.pop("texts", ())))
    for call in _calls(data):
        call["texts"] = [texts[number] for number in call["texts"]]
        call["response"] = texts[call["response"]]


def _calls(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for player in data.get("players", ()):
        for _, call in player.get("calls", ()):
            yield call
