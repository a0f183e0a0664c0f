"""Takes in an answer as it comes, bounded and unpacked, also event by event, and reads it in every shape that endpoints
send.

Streams come in many forms: any line ends, comments, ``data:`` with or without a space or over several lines, lines of
JSON alone, without an end, with an error in their midst.
"""

import json
import re
import zlib
from collections.abc import AsyncIterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from bba.llm.request import AttemptFailed, SpentOnThoughts, error_in_body, one_line
from bba.llm.shapes import function_of, is_ollamas_own, normal, read_usage, text_of, typed
from bba.planner.chat import ModelUnusable, Usage
from bba.planner.response_parser import holds_plan
from bba.planner.short_answers import alone
from bba.text import encodable

MAX_BODY_BYTES = 4 * 2**20  # a longer body is an error
MAX_ERROR_BYTES = 2**16  # of an error or a redirection, the rest is not read
MOST_LINES = 100  # lines of one event
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # the second half of a \r at the end may still come
_BOM = b"\xef\xbb\xbf"
_MARKS = (b"data:", b"event:", b"id:", b"retry:", b"error:", b":")


async def bound(response: Any, *, most_bytes: int = MAX_BODY_BYTES) -> None:
    """Bounds what is read and unpacked of a response; a hook of the HTTP library, called before it reads the body.

    Raises:
        ValueError: the body is packed in a way that nobody asked for.
    """
    most = MAX_ERROR_BYTES if response.status_code >= 300 else most_bytes + 1
    coding = response.headers.pop("content-encoding", "identity").strip().lower()
    inner = response.stream
    if coding not in ("identity", "gzip", "x-gzip", "deflate", ""):
        raise ValueError(f"the answer is packed as {coding[:20]}, which was not asked for")
    library = import_module(type(response).__module__.partition(".")[0])
    base: Any = library.AsyncByteStream

    class Bounded(base):  # type: ignore[misc] # of the library that made the response
        async def __aiter__(self) -> AsyncIterator[bytes]:
            remaining = most
            unpacker = None
            begun = coding in ("identity", "")
            async for data in inner:
                if not begun:
                    begun = True
                    unpacker = _unpacker(data)
                piece = unpacker.decompress(data, remaining) if unpacker else data[:remaining]
                yield piece
                remaining -= len(piece)
                if remaining <= 0 or (unpacker and unpacker.eof):
                    return

        async def aclose(self) -> None:
            await inner.aclose()

    response.stream = Bounded()


def _unpacker(data: bytes) -> Any:
    """Returns the decompressor of a body that begins like this; None for a body that is not packed after all."""
    for bits in (47, -15):  # gzip or zlib by their headers, or deflate without one
        try:
            zlib.decompressobj(bits).decompress(data, 64)
        except zlib.error:
            continue
        return zlib.decompressobj(bits)
    return None


class Activity(NamedTuple):
    """What an endpoint is doing by its own account.

    Attributes:
        doing: in words.
        got_on: whether it is further than before.
    """

    doing: str
    got_on: bool


AT_WORK = Activity("at work", got_on=False)


class Intake:
    """An answer as it comes, and the sum of its events if it is a stream.

    Attributes:
        body: the bytes so far.
        is_stream: whether there were events, or marks of them.
        ended: whether nothing that follows matters.
        finish: why a stream has ended; None as long as it goes on.
    """

    def __init__(self) -> None:
        self.body = bytearray()
        self.finish = ""
        self.is_stream = False
        self.ended = False
        self._broken = False
        self._begun = False
        self._rest = bytearray()
        self._pending = ""
        self._index = ""
        self._whole: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._logarithms: object = None  # of the first tokens
        self._message = {"content": "", "reasoning_content": ""}
        self._calls: dict[str, dict[str, str]] = {}
        self._size = 0
        self._read = 0

    @property
    def whole(self) -> bool:
        """Whether the answer is there, though its connection may be lost or left open."""
        if self.finish:
            return True
        try:
            return isinstance(json.loads(bytes(self.body)), dict)
        except (ValueError, RecursionError):
            return False

    def feed(self, data: bytes) -> Activity | None:
        """Takes in the next bytes.

        Returns:
            What the endpoint is doing by their account; None if they say nothing of it.
        """
        self.body += data
        if len(self.body) > MAX_BODY_BYTES:
            self.ended = True
        if not _LINE_END.search(data) and not self._rest.endswith(b"\r"):
            self._rest += data
            return AT_WORK if self.is_stream else None  # a line that comes slowly is no silence
        *lines, last = _LINE_END.split(bytes(self._rest.removeprefix(_BOM)) + data)
        self._rest = bytearray(last)
        activities = [self._line(line) for line in lines]
        reported = [activity for activity in activities if activity is not None]
        return max(reported, key=lambda activity: activity.got_on, default=None)

    def close(self) -> Mapping[str, Any] | None:
        """Returns the whole answer of a stream in OpenAI's shape; None if it broke off."""
        self.feed(b"\n\n")
        if self._whole.get("error") or is_ollamas_own(self._whole):
            return self._whole
        if self._broken or not (self.ended or self.finish):
            return None
        calls = [{"function": call} for call in self._calls.values()]
        message = {**self._message, "tool_calls": calls}
        choice = {"message": message, "finish_reason": self.finish or None, "logprobs": self._logarithms}
        return self._whole | {"choices": [choice], "usage": self._usage}

    def _line(self, line: bytes) -> Activity | None:
        """Takes in a whole line of a stream."""
        if line.startswith(_MARKS):
            self.is_stream = True
        text = line.decode("utf-8", "replace").strip()
        if text:
            self._begun = True
        elif self._pending:
            self._broken = True
        name, _, value = text.partition(":")
        if text.startswith("{"):
            return self._data(text)
        if name == "data":
            return self._data(value.strip())
        if name == "error":
            self._whole["error"] = value.strip()
        # A line that says nothing shows that the endpoint is at work: a comment, or an empty one before an answer.
        return AT_WORK if self.is_stream or not self._begun else None

    def _data(self, text: str) -> Activity | None:
        """Takes in the data of a line: an event, or a part of one."""
        if self._broken:
            return None
        if text == "[DONE]":
            self.ended = True
            return None
        try:
            event = json.loads(self._pending + text)
        except (ValueError, RecursionError):
            self._pending += text + "\n"
            self._broken = self._pending.count("\n") > MOST_LINES
            return None
        self._pending = ""
        self.is_stream = True
        return self._event(normal(typed(event, dict)))

    def _event(self, event: Mapping[str, Any]) -> Activity:
        """Adds an event; returns what the endpoint is doing."""
        for name in ("model", "error"):
            if event.get(name):
                self._whole[name] = event[name]
        if is_ollamas_own(event):
            self._whole |= {**event, "done": True}
            self.finish = "stop"
        for place in (event, event.get("message"), event.get("x_groq")):
            fields = typed(place, dict)
            self._usage |= typed(fields.get("usage"), dict)
        size_before = self._size
        reading = typed(event.get("prompt_progress"), dict)
        for choice in typed(event.get("choices"), list):
            self._choice(typed(choice, dict))
        done = reading.get("processed")
        total = reading.get("total")
        if isinstance(done, int) and isinstance(total, int) and total > 0:
            got_on = done > self._read
            self._read = max(done, self._read)
            return Activity(f"reading the question, {min(100, 100 * done // total)} %", got_on)
        if not self._size:
            return AT_WORK
        return Activity(f"writing, {self._size} characters", self._size > size_before)

    def _choice(self, choice: Mapping[str, Any]) -> None:
        index = repr(choice.get("index", 0))
        self._index = self._index or index
        if index != self._index:
            return
        delta = typed(choice.get("delta") or choice.get("message"), dict)
        self.finish = typed(choice.get("finish_reason"), str) or self.finish
        self._logarithms = self._logarithms or choice.get("logprobs")
        piece = text_of(delta.get("content")) or typed(choice.get("text"), str)
        if not choice.get("delta") and piece.startswith(self._message["content"]):
            self._message["content"] = ""  # the whole message at the end of its pieces
        pieces = [
            (self._message, "content", piece),
            (self._message, "reasoning_content", delta.get("reasoning_content") or delta.get("reasoning")),
        ]
        for call in typed(delta.get("tool_calls"), list):
            call_index = repr(typed(call, dict).get("index", 0))
            function = self._calls.setdefault(call_index, {"name": "", "arguments": ""})
            pieces += [(function, name, function_of(call).get(name)) for name in function]
        for place, name, value in pieces:
            text = typed(value, str)
            place[name] += text
            self._size += len(text)


OLLAMA = (
    "--base-url: this is Ollama's own interface, which hears of no sampling or length; the one that is meant ends in "
    "/v1, as http://localhost:11434/v1"
)
REFUSED = {"content_filter", "safety", "refusal", "prohibited_content", "blocklist", "recitation"}
CUT_OFF = {"length", "max_tokens", "max_output_tokens", "model_length"}
MOST_TEXT = 2**16  # characters of an answer; no plan is longer
_BODY_SHOWN = 80  # characters of a body that is no answer
_QUOTED_END = re.compile(r"[:=][ *]*[\"“][^\"“”]+[\"”][.*\s]*$")


class Completion(NamedTuple):
    """What an endpoint answered.

    Attributes:
        text: the answer.
        usage: the tokens; None if the endpoint does not report them, or not plausibly.
        finish: why the answer ended, in the endpoint's word; None if it does not say.
        model: the model that answered, by its own name; None if the endpoint does not say.
        tokens: the likeliest tokens at the beginning of the answer with their log-probabilities, if it tells them.
    """

    text: str
    usage: Usage | None
    finish: str | None = None
    model: str | None = None
    tokens: tuple[tuple[str, float], ...] = ()


def read_completion(body: bytes) -> Completion:
    """Returns the answer in a body.

    Raises:
        AttemptFailed: there is none, or it is refused, cut off or empty.
        BBAError: the body holds an error that concerns later requests as well.
    """
    data = _data(body)
    if is_ollamas_own(data):
        raise ModelUnusable(OLLAMA)
    choice = _choice(data)
    message = typed(choice.get("message"), dict)
    usage = read_usage(data.get("usage"))
    finish = one_line(typed(choice.get("finish_reason"), str)) or None
    model = one_line(typed(data.get("model"), str)) or None
    # Here the pieces of a stream are together, so that a character in two of them is whole.
    text = encodable(_without_thoughts(_text(message) or typed(choice.get("text"), str)))
    if message.get("refusal") or (finish or "").lower() in REFUSED:
        raise AttemptFailed("the model refuses to answer", retryable=False, usage=usage, charged=True)
    if len(text) > MOST_TEXT:
        raise AttemptFailed(f"the answer has {len(text):,} characters", retryable=True, usage=usage, charged=True)
    tokens = _first_tokens(choice)
    if (finish or "").lower() in CUT_OFF and not tokens:
        text = _whole_part(text)
        if not text:
            content = _without_thoughts(text_of(message.get("content")))
            only_thoughts = not content.strip() and not choice.get("text")
            failure = SpentOnThoughts if only_thoughts else AttemptFailed
            raise failure("the answer was cut off; allow more --max-tokens", retryable=False, usage=usage, charged=True)
    if not text.strip():
        raise AttemptFailed("the answer is empty", retryable=True, usage=usage, charged=True)
    return Completion(text, usage, finish, model, tokens)


def _first_tokens(choice: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """Returns the likeliest first tokens and their log-probabilities; none where the endpoint does not tell them."""
    positions = typed(typed(choice.get("logprobs"), dict).get("content"), list)
    first = typed(positions[0], dict) if positions else {}
    tokens = []
    for candidate in typed(first.get("top_logprobs"), list):
        fields = typed(candidate, dict)
        token = fields.get("token")
        logarithm = fields.get("logprob")
        if isinstance(token, str) and isinstance(logarithm, float | int):
            tokens.append((encodable(token), logarithm))
    return tuple(tokens)


def _data(body: bytes) -> Mapping[str, Any]:
    """Returns the JSON object in a body, or the sum of its events."""
    data = json_value(body)
    if data is None:
        intake = Intake()
        intake.feed(body)
        data = intake.close()
        if not intake.is_stream:
            problem = f"what the endpoint sent is no JSON: {_excerpt(body)}"
            raise AttemptFailed(problem, retryable=True, charged=True)
        if data is None:
            raise AttemptFailed("the answer broke off", retryable=True, charged=True)
    if isinstance(data, list) and data:
        data = data[0]
    if not isinstance(data, dict):
        raise AttemptFailed(f"what the endpoint sent is no answer: {_excerpt(body)}", retryable=True, charged=True)
    return normal(data)


def json_value(body: bytes) -> object:
    """Returns the JSON value in a body, half a character in it included; None if there is none."""
    for text in (body, body.decode("utf-8", "replace")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            continue
    return None


def _choice(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the first choice that says something; the first choice if none does."""
    choices = typed(data.get("choices"), list)
    answers = []
    for choice in choices:
        fields = typed(choice, dict)
        if isinstance(fields.get("message"), dict) or isinstance(fields.get("text"), str):
            answers.append(fields)
    for answer in answers:
        if answer.get("text") or _text(answer.get("message") or {}):
            return answer
    if answers:
        return answers[0]
    if data.get("error"):
        raise error_in_body(data["error"])
    lacks = "a message" if choices else "choices"
    excerpt = _excerpt(json.dumps(data).encode())
    raise AttemptFailed(f"what the endpoint sent is no answer, it has no {lacks}: {excerpt}", retryable=True)


def _text(message: Mapping[str, Any]) -> str:
    """Returns the answer in a message: its content, else the answer that a tool call carries, else its reasoning."""
    content = text_of(message.get("content"))
    if content.strip():
        return content
    calls = [*typed(message.get("tool_calls"), list), {"function": message.get("function_call")}]
    for call in calls:
        answer = _answer_in_call(function_of(call))
        if answer:
            return answer
    return typed(message.get("reasoning_content"), str) or typed(message.get("reasoning"), str)


def _answer_in_call(function: Mapping[str, Any]) -> str:
    """Returns the arguments of a call as text; the function's name if it has none."""
    arguments = function.get("arguments")
    text = json.dumps(arguments) if isinstance(arguments, dict) else typed(arguments, str)
    return text if text.strip(" {}\n") else typed(function.get("name"), str)


def _without_thoughts(text: str) -> str:
    beginning, _, inside = text.partition("<think>")  # some local models write their reasoning first
    _, end_mark, answer = inside.partition("</think>")
    if end_mark:
        text = beginning.rstrip() + answer
    if "<think>" in text:
        return ""  # it was cut off while it thought
    return text.rpartition("</think>")[2]


def _whole_part(text: str) -> str:
    """Returns the lines of an answer that was cut off, if a plan can be read from those that are whole; else ""."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n") and not _QUOTED_END.search(lines[-1]):
        lines.pop()  # "1" may be the beginning of "11"
    whole = "".join(lines)
    if holds_plan(whole):
        return whole
    return lines[0] if lines and alone(lines[0]) is not None else ""


def _excerpt(body: bytes) -> str:
    line = one_line(body[: 4 * _BODY_SHOWN].decode("utf-8", "replace"))
    return repr(line[:_BODY_SHOWN]) if line else "nothing"
