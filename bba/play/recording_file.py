"""Reads and writes recordings as files: gzip-compressed JSON. Nothing in a file is executed or unpickled.

A file contains each text of the model calls once, in the list ``texts``; the calls refer to texts by their index. So
system prompts and earlier turns of a chat are not repeated. What the answers cost stands in a file of its own
(`bba.play.usage_file`).
"""

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bba.errors import BBAError
from bba.files import first_problem, read_bytes, write_together
from bba.play.recording import VERSION, Recording
from bba.play.usage_file import beside, usage_text, with_usage, without_usage

LARGEST = 64 * 2**20  # bytes of JSON that are read at most
MOST_VALUES = 2_000_000  # values beside texts, which take up to a hundred times their length in memory
CHUNK = 2**20  # bytes that are unpacked at a time
_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"')


def save(recording: Recording, path: Path) -> None:
    """Writes a recording to a file, completely or not at all; the same game from the same answers gives the same bytes.

    What the answers cost, where that is known, is written to a file beside it.

    Raises:
        BBAError: the file cannot be written.
    """
    packed = pack(recording)
    usage = usage_text(recording, packed)
    write_together({path: packed} | ({} if usage is None else {beside(path): usage}))


def pack(recording: Recording) -> bytes:
    """Returns a recording as the bytes of a file, without what its answers cost."""
    data = without_usage(recording).model_dump(mode="json", by_alias=True)
    share_texts(data)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


def load(path: Path) -> Recording:
    """Reads a recording, and what its answers cost if the file beside it says so.

    Raises:
        BBAError: the file cannot be read, is no recording, is damaged, or has another version.
    """
    packed = read_bytes(path)
    return with_usage(unpack(packed, str(path)), packed, path)


def unpack(packed: bytes, path: str) -> Recording:
    """Reads the recording in the bytes of a file; `path` names it in messages.

    Raises:
        BBAError: it is no recording, is damaged, or has another version.
    """
    data = _parse(packed, path)
    if not isinstance(data, dict) or data.get("format") != "bba-recording":
        raise BBAError(f"{path}: not a recording of this program")
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise BBAError(f"{path}: recording version {data.get('version')!r}; this program reads version {VERSION}")
    try:
        restore_texts(data)
        return Recording.model_validate(data)
    except ValidationError as error:
        raise BBAError(f"{path}: the recording is damaged: {first_problem(error)}") from None
    except (LookupError, TypeError, AttributeError, ValueError):
        raise BBAError(f"{path}: the recording is damaged: a model call refers to a missing text") from None


def _parse(packed: bytes, path: str) -> Any:
    """Returns the JSON in the bytes of a file."""
    try:
        return json.loads(_unpacked(packed, path))
    except gzip.BadGzipFile:
        raise BBAError(f"{path}: cannot be read: not a recording, or damaged") from None
    except (EOFError, zlib.error, ValueError, RecursionError):
        raise BBAError(f"{path}: the recording is damaged: it breaks off or does not decompress") from None


def _unpacked(packed: bytes, path: str) -> bytes:
    """Returns the JSON as bytes; stops unpacking where it is too long."""
    text, values = bytearray(), 0
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
        while chunk := file.read(CHUNK):
            text += chunk
            if len(text) > LARGEST:
                raise BBAError(f"{path}: too large for a recording: more than {LARGEST // 2**20} MiB unpacked")
    if len(text) > CHUNK:
        values = _TEXTS.sub(b"", text).count(b",")
    if values > MOST_VALUES:
        raise BBAError(f"{path}: too large for a recording: more than {MOST_VALUES:,} values")
    return bytes(text)


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
    return (call for player in data.get("players", ()) for _, call in player.get("calls", ()))
