"""Takes in an answer as it comes: bounded, unpacked, and read event by event where it is a stream.

Streams come in many forms: any line ends, comments, ``data:`` with or without a space or over several lines, lines of
JSON alone, without an end, with an error in their midst.
"""

import json
import re
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from bba.planner.llm.shapes import function_of, normal, text_of, typed

MAX_BODY_BYTES = 4 * 2**20  # a longer body is an error
MAX_ERROR_BYTES = 2**16  # of an error or a redirection, the rest is not read
MOST_LINES = 100  # lines of one event
_STEP = 2**16  # bytes that are unpacked at a time
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # the second half of a \r at the end may still come
_BOM = b"\xef\xbb\xbf"
_MARKS = (b"data:", b"event:", b"id:", b"retry:", b"error:", b":")


def unpacking(coding: str) -> Callable[[bytes], Iterator[bytes]]:
    """Returns a function that unpacks the next bytes of a body in small pieces, so that a bomb fills no memory.

    Args:
        coding: gzip or deflate, with or without its header; a body that is not packed after all is passed on.

    Raises:
        ValueError: another coding, which nobody asked for.
    """
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise ValueError(f"the answer is packed as {coding[:20]}, which was not asked for")
    unpacker: Any = None
    plain = False

    def unpack(data: bytes) -> Iterator[bytes]:
        nonlocal unpacker, plain
        if unpacker is None and data:
            fitting = (bits for bits in (47, -15) if _fits(bits, data))  # 47: gzip or zlib by their headers; -15: none
            bits = next(fitting, None)
            plain, unpacker = bits is None, zlib.decompressobj(bits or 47)
        while data and not plain:
            yield unpacker.decompress(data, _STEP)
            data = unpacker.unconsumed_tail
        if data:
            yield data

    return unpack


def _fits(bits: int, data: bytes) -> bool:
    try:
        zlib.decompressobj(bits).decompress(data, 64)
    except zlib.error:
        return False
    return True


async def bound(response: Any) -> None:
    """Bounds what is read and unpacked of a response; a hook of the HTTP library, called before it reads the body."""
    most = MAX_ERROR_BYTES if response.status_code >= 300 else MAX_BODY_BYTES + 1
    coding = response.headers.pop("content-encoding", "identity").strip().lower()
    unpack = unpacking(coding) if coding not in ("identity", "") else lambda data: iter((data,))
    inner = response.stream
    base: Any = import_module(type(response).__module__.partition(".")[0]).AsyncByteStream

    class Bounded(base):  # type: ignore[misc] # of the library that made the response
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = most
            async for data in inner:
                for piece in unpack(data):
                    yield piece[:left]
                    left -= len(piece)
                    if left <= 0:
                        return

        async def aclose(self) -> None:
            await inner.aclose()

    response.stream = Bounded()


class Intake:
    """An answer as it comes.

    Attributes:
        body: the bytes so far.
        events: what they add up to, where they are a stream.
    """

    def __init__(self) -> None:
        self.body = bytearray()
        self.events = EventReader()
        self._blank = True

    def feed(self, data: bytes) -> tuple[str, bool] | None:
        """Takes in the next bytes.

        Returns:
            What the endpoint is doing by their account, and whether it got on; None if they say nothing of it.
        """
        self.body += data
        self._blank = self._blank and not data.strip()
        if self._blank and b"\n" in data:
            return "at work", False  # empty lines until the answer is ready
        return self.events.feed(data)

    @property
    def ended(self) -> bool:
        """Whether nothing that follows matters."""
        return self.events.ended or len(self.body) > MAX_BODY_BYTES

    @property
    def whole(self) -> bool:
        """Whether the answer is there, though its connection may be lost or left open."""
        if self.events.finish is not None:
            return True
        try:
            return isinstance(json.loads(bytes(self.body)), dict)
        except (ValueError, RecursionError):
            return False


class EventReader:
    """Adds up the events of a stream.

    Attributes:
        is_stream: whether there were marks of a stream.
        count: how many events there were.
        ended: whether its last mark came.
        finish: why the answer ended; None as long as it goes on.
    """

    def __init__(self) -> None:
        self.is_stream = self.ended = False
        self.finish: str | None = None
        self._rest, self._pending, self._broken = bytearray(), "", False
        self._whole: dict[str, Any] = {}
        self._text, self._thoughts, self._calls = "", "", dict[object, dict[str, str]]()
        self._index: object = None
        self._size = self._read = 0
        self.count = 0

    def feed(self, data: bytes) -> tuple[str, bool] | None:
        """Takes in the next bytes; returns as `Intake.feed`."""
        if not _LINE_END.search(data) and not self._rest.endswith(b"\r"):
            self._rest += data
            return None
        *lines, last = _LINE_END.split(bytes(self._rest.removeprefix(_BOM)) + data)
        self._rest = bytearray(last)
        said = [told for line in lines if (told := self._line(line)) is not None]
        return max(said, key=lambda told: told[1], default=None)

    def close(self) -> Mapping[str, Any] | None:
        """Returns the whole answer in OpenAI's shape; None if the stream broke off."""
        self.feed(b"\n\n")
        if self._whole.get("error"):
            return self._whole
        if self._broken or not (self.ended or self.finish is not None):
            return None
        calls = [{"function": call} for call in self._calls.values()]
        message = {"content": self._text, "reasoning_content": self._thoughts, "tool_calls": calls}
        return self._whole | {"choices": [{"message": message, "finish_reason": self.finish}]}

    def _line(self, line: bytes) -> tuple[str, bool] | None:
        self.is_stream |= line.startswith(_MARKS)
        text = line.decode("utf-8", "replace").strip()
        if not text:
            self._broken |= bool(self._pending)
            self._pending = ""
            return None
        name, colon, value = text.partition(":")
        if name == "data" and colon:
            return self._data(value.strip())
        if name == "error" and colon:
            self._whole["error"] = value.strip()
        elif text.startswith("{"):
            return self._data(text)
        return ("at work", False) if self.is_stream else None

    def _data(self, text: str) -> tuple[str, bool] | None:
        if self._broken:
            return None
        if text == "[DONE]":
            self.ended = True
            return None
        try:
            event = json.loads(self._pending + text)
        except (ValueError, RecursionError):
            self._pending += text + "\n"
            self._broken |= self._pending.count("\n") > MOST_LINES
            return None
        self._pending = ""
        self.count += 1
        return self._event(typed(event, dict))

    def _event(self, event: Mapping[str, Any]) -> tuple[str, bool]:
        """Adds an event; returns what the endpoint is doing."""
        event = normal(event)
        kept = {name: event[name] for name in ("model", "error") if event.get(name)}
        started = typed(event.get("message"), dict).get("usage")
        for usage in (started, event.get("usage"), typed(event.get("x_groq"), dict).get("usage")):
            if isinstance(usage, dict):
                kept["usage"] = typed(self._whole.get("usage"), dict) | kept.get("usage", {}) | usage
            elif usage is not None:
                kept["usage"] = usage
        self._whole |= kept
        before = self._size
        for choice in typed(event.get("choices"), list):
            self._choice(typed(choice, dict))
        reading = typed(event.get("prompt_progress"), dict)
        done, total = reading.get("processed"), reading.get("total")
        if isinstance(done, int) and isinstance(total, int) and total > 0:
            got_on, self._read = done > self._read, max(done, self._read)
            return f"reading the question, {min(100, 100 * done // total)} %", got_on
        doing = "writing" if self._text else "thinking" if self._thoughts else "at work"
        return (f"{doing}, {self._size} characters" if self._size else doing), self._size > before

    def _choice(self, choice: Mapping[str, Any]) -> None:
        """Adds a piece of the first of several answers."""
        index = choice.get("index", 0)
        self._index = index if self._index is None else self._index
        if index != self._index:
            return
        delta = typed(choice.get("delta") or choice.get("message"), dict)
        self.finish = typed(choice.get("finish_reason"), str) or self.finish
        piece = text_of(delta.get("content")) or typed(choice.get("text"), str) or typed(delta.get("refusal"), str)
        if not choice.get("delta") and self._text and piece.startswith(self._text):
            self._text = ""  # the whole message at the end of its pieces
        thoughts = typed(delta.get("reasoning_content") or delta.get("reasoning"), str)
        self._text, self._thoughts = self._text + piece, self._thoughts + thoughts
        self._size += len(piece) + len(thoughts)
        for call in typed(delta.get("tool_calls"), list):
            function, number = function_of(call), repr(typed(call, dict).get("index", 0))
            kept = self._calls.setdefault(number, {"name": "", "arguments": ""})
            for name in kept:
                kept[name] += (told := typed(function.get(name), str))
                self._size += len(told)
