"""Misbehaviours of endpoints, each with what it must end in: a decision, the cook that stays, or one line.

Where they say anything they repeat the key that they were sent.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.helpers.fake_endpoint import (
    KEY,
    Behaviour,
    Handler,
    answers,
    completion,
    drips,
    floods,
    hangs_up,
    refuses,
    resets,
    sends,
)
from tests.helpers.hostile_endpoints import demands

PLAYS, STAYS, ENDS = "plays", "stays", "ends"
OK = answers("8")
HEAD = b"HTTP/1.1 200 OK\r\n"
STREAM_HEAD = HEAD + b"Content-Type: text/event-stream\r\n\r\n"
PLAN = 'Plan for Player 0: "8"'
SOON = {"deadline": 0.3, "attempts": 1, "give_up_after": 1}
PATIENT = 1.5  # seconds; where something must be heard before the deadline, which takes a while on a busy machine
LATER = SOON | {"deadline": PATIENT}


class Case(NamedTuple):
    """A misbehaviour.

    Attributes:
        behaviours: of the endpoint, in turn; the last one is repeated.
        end: what the decision ends in.
        words: what is said of it.
        fields: options of the model.
    """

    behaviours: tuple[Behaviour, ...]
    end: str = PLAYS
    words: str = ""
    fields: Mapping[str, Any] = MappingProxyType({})


def once(*behaviours: Behaviour, **fields) -> Case:
    """Is played through."""
    return Case(behaviours, fields=fields)


def then(behaviour: Behaviour, **fields) -> Case:
    """Is retried: the next request is answered."""
    return Case((behaviour, OK), fields=fields)


def ends(behaviour: Behaviour, words: str, **fields) -> Case:
    """Ends the game with one line."""
    return Case((behaviour,), ENDS, words, fields)


def stays(behaviour: Behaviour, words: str = "", **fields) -> Case:
    """Costs a decision."""
    return Case((behaviour,), STAYS, words, fields)


def raw(data: bytes) -> Behaviour:
    """Any bytes in the place of a response; the connection is closed then."""

    def behaviour(handler: Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(data)

    return behaviour


def slowly(*pieces: bytes, pause: float = 0.2, leaves_open: bool = False) -> Behaviour:
    """Bytes with pauses between them."""

    def behaviour(handler: Handler) -> None:
        handler.close_connection = True
        try:
            for piece in pieces:
                handler.wfile.write(piece)
                handler.wfile.flush()
                if handler.endpoint.closing.wait(pause):
                    return
            if leaves_open:
                handler.endpoint.closing.wait(5)
        except OSError:
            handler.endpoint.disconnected.set()

    return behaviour


def for_ever(start: bytes, piece: bytes, pause: float = 0.0) -> Behaviour:
    """A beginning, and then the same again and again."""

    def behaviour(handler: Handler) -> None:
        handler.close_connection = True
        try:
            handler.wfile.write(start)
            while not handler.endpoint.closing.wait(pause):
                handler.wfile.write(piece)
        except OSError:
            handler.endpoint.disconnected.set()

    return behaviour


def chunk(text: str | None = None, finish: str | None = None, **fields) -> dict:
    delta = {} if text is None else {"content": text}
    return {"id": KEY, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **fields}


def sse(*events: object, end: str = "data: [DONE]\n\n", line: str = "data: {}\n\n") -> str:
    return "".join(line.replace("{}", json.dumps(event)) for event in events) + end


PIECES = (chunk("Plan for Player 0"), chunk(': "8"'), chunk(finish="stop"))
USED = {"prompt_tokens": 100, "completion_tokens": 10}


def stream(*events: object, **form: str) -> Behaviour:
    return sends(sse(*(events or PIECES), **form), Content_Type="text/event-stream")


def zeros() -> bytes:
    """256 MiB of zeros, deflated to 259 KiB: one is compressed, and repeated."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * 256 + packer.flush()


def gzip_of_zeros() -> bytes:
    """The same as a gzip file, with its checksum."""
    checksum = 0
    for _ in range(256):
        checksum = zlib.crc32(bytes(2**20), checksum)
    return b"\x1f\x8b\x08" + bytes(7) + zeros() + checksum.to_bytes(4, "little") + (2**28).to_bytes(4, "little")


def packed(data: bytes, coding: str) -> Behaviour:
    return sends(data, Content_Encoding=coding)


def body(**fields) -> Behaviour:
    return sends(json.dumps(fields))


def usage(**fields) -> Case:
    return once(answers("8", usage=fields))


def lacks(name: str) -> Callable[[dict], bool]:
    return lambda sent: name not in sent


def http_date(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


def redirects(status: int, location: str) -> Behaviour:
    return sends("", status, Location=location)


def storm(**headers: str) -> Case:
    """Two refusals for a moment, and then the answer."""
    return Case((refuses(429, f"slow down {KEY}", **headers),) * 2 + (OK,))


def both(first: Behaviour, *others: Behaviour) -> Behaviour:
    """Refuses forms one after the other."""

    def behaviour(handler: Handler) -> None:
        for demand in (first, *others):
            if demand(handler) is not False:
                return
        OK(handler)

    return behaviour


def takes(limits: dict[str, Callable[[object], bool]], complaint: str, missing: bool = False) -> Behaviour:
    """Refuses values of parameters beyond its limits, with a complaint that names them."""

    def behaviour(handler: Handler) -> None:
        for name, within in limits.items():
            given = handler.request_body.get(name)
            if (given is None and missing) or (given is not None and not within(given)):
                return refuses(400, complaint.replace("NAME", name) + f" {KEY}")(handler)
        return OK(handler)

    return behaviour


def no_more(_: object) -> bool:
    return False


def one_of_two(handler: Handler) -> None:
    if {"temperature", "top_p"} <= handler.request_body.keys():
        words = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        return refuses(400, words)(handler)
    return OK(handler)


def alternates(handler: Handler) -> None:
    roles = [message["role"] for message in handler.request_body["messages"]]
    if roles != [("user", "assistant")[place % 2] for place in range(len(roles))]:
        return refuses(400, "Conversation roles must alternate user/assistant/user/assistant/...")(handler)
    return OK(handler)


EVENTS = {
    "a stream with CRLF": once(stream(line="data: {}\r\n\r\n", end="data: [DONE]\r\n\r\n")),
    "a stream with CR": once(stream(line="data: {}\r\r", end="data: [DONE]\r\r")),
    "a stream with comments": once(stream(line=f": {KEY}\n\ndata: {{}}\n\n")),
    "a stream without a space": once(stream(line="data:{}\n\n", end="data:[DONE]\n\n")),
    "a stream without blank lines": once(stream(line="data: {}\n", end="data: [DONE]\n")),
    "a stream with ids and types": once(stream(line="id: 1\nevent: message\nretry: 5\ndata: {}\n\n")),
    "a stream without its end": once(stream(end="")),
    "a stream without a reason to end": once(stream(*PIECES[:2])),
    "a stream with data over several lines": once(
        sends("".join(f"data: {line}\n" for line in json.dumps(chunk("8", "stop"), indent=1).splitlines()) + "\n")
    ),
    "a stream with a BOM": once(sends(b"\xef\xbb\xbf" + sse(*PIECES).encode())),
    "a BOM before JSON": once(sends(b"\xef\xbb\xbf" + completion("8"))),
    "JSON in UTF-16": once(sends(completion("8").decode().encode("utf-16"))),
    "JSON where a stream was asked for": once(OK),
    "JSON with the type of a stream": once(sends(completion("8"), Content_Type="text/event-stream")),
    "a stream with the type of JSON": once(sends(sse(*PIECES), Content_Type="application/json")),
    "comments before JSON": once(sends(b": at work\n\n: at work\n\n" + completion("8"))),
    "blank lines before JSON": once(sends(b"\n\n\n\n" + completion("8"))),
    "JSON and a page behind it": once(sends(completion("8") + f"\n<!-- {KEY} -->".encode())),
    "lines of JSON": once(
        sends(
            "".join(json.dumps({"message": {"role": "assistant", "content": part}}) + "\n" for part in ("8", ""))
            + json.dumps({"message": {"role": "assistant", "content": ""}, "finish_reason": "stop"})
        )
    ),
    "Ollama's lines of JSON": ends(
        sends(
            "".join(json.dumps({"message": {"role": "assistant", "content": part}}) + "\n" for part in ("8", ""))
            + json.dumps({"done": True, "message": {"role": "assistant", "content": ""}, "eval_count": 1})
        ),
        "/v1",
    ),
    "several choices in a stream": once(
        stream(
            chunk("8"),
            {"choices": [{"index": 1, "delta": {"content": "4"}}]},
            {"choices": [{"index": 1, "delta": {}, "finish_reason": "length"}]},
            chunk(finish="stop"),
        )
    ),
    "pieces of no text": once(stream(chunk(), {"choices": []}, {}, 7, None, [], *PIECES)),
    "the whole message at the end": once(
        stream(*PIECES[:2], {"choices": [{"message": {"content": PLAN}, "finish_reason": "stop"}]})
    ),
    "an error in the midst": then(stream(PIECES[0], {"error": {"message": f"no GPU {KEY}"}})),
    "an error by its type in the midst": then(
        stream(PIECES[0], {"type": "error", "error": {"type": "overloaded_error", "message": KEY}}, end="")
    ),
    "an error line in the midst": then(sends(sse(PIECES[0], end=f"error: {KEY}\n\n"))),
    "a broken event": then(sends(sse(PIECES[0], end='data: {"choices": [{"del\n\n') + sse(*PIECES[1:]))),
    "a stream that breaks off": then(stream(PIECES[0], end="")),
    "a stream of nothing": then(stream(end="", line="")),
    "only comments": then(sends(": nothing\n\n: at all\n\n")),
    "only its end": then(sends("data: [DONE]\n\n")),
    "an event of a thousand lines": then(sends("data: [1,\n" * 60_000 + "\n")),
    "a hundred thousand calls": once(
        stream(
            {
                "choices": [
                    {"delta": {"tool_calls": [{"index": n, "function": {"arguments": ""}} for n in range(20_000)]}}
                ]
            },
            *PIECES,
        )
    ),
    "half a character at the end of a piece": once(
        slowly(
            STREAM_HEAD + 'data: {"choices": [{"delta": {"content": "é'.encode()[:-1],
            b'\xa9\\n8"}, "finish_re',
            b'ason": "stop"}]}\n\ndata: [DO',
            b"NE]\n\n",
            pause=0.005,
        )
    ),
    "half a character for ever": once(
        sends(b'data: {"choices": [{"delta": {"content": "8\\n\xc3"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n')
    ),
    "half a character in JSON": once(sends(completion("8\n\u00e9").replace(b"\\u00e9", b"\xc3"))),
    "an end that leaves the connection open": once(
        slowly(STREAM_HEAD, sse(*PIECES).encode(), leaves_open=True), deadline=2.0
    ),
    "a finish that leaves the connection open": once(
        slowly(STREAM_HEAD, sse(*PIECES, end="").encode(), leaves_open=True), deadline=2.0
    ),
    "a reset behind the finish": once(raw(HEAD + b"Content-Length: 9999\r\n\r\n" + sse(*PIECES, end="").encode())),
    "the length of another body": once(raw(HEAD + b"Content-Length: 9999\r\n\r\n" + completion("8"))),
}
SHAPES = {
    "Anthropic": once(
        body(
            type="message",
            content=[{"type": "thinking", "thinking": "4?"}, {"type": "text", "text": "8"}],
            stop_reason="end_turn",
            usage={"input_tokens": 9, "output_tokens": 1},
        )
    ),
    "Anthropic's tools": once(
        body(type="message", content=[{"type": "tool_use", "name": "act", "input": {"plan": "8"}}])
    ),
    "Anthropic's stream": once(
        stream(
            {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 9}}},
            {"type": "ping"},
            {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "4? 11?"}},
            {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "8"}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
            {"type": "message_stop"},
            end="",
        )
    ),
    "Gemini": once(
        body(
            candidates=[
                {"content": {"parts": [{"text": "4?", "thought": True}, {"text": "8"}]}, "finishReason": "STOP"}
            ],
            usageMetadata={"promptTokenCount": 9, "candidatesTokenCount": 1},
        )
    ),
    "Gemini's calls": once(
        body(candidates=[{"content": {"parts": [{"functionCall": {"name": "act", "args": {"plan": "8"}}}]}}])
    ),
    "Gemini's stream": once(
        stream({"candidates": [{"content": {"parts": [{"text": "8"}]}, "finishReason": "STOP"}]}, end="")
    ),
    "Gemini blocks": stays(body(candidates=[{"finishReason": "SAFETY"}]), "refuses to answer"),
    "responses": once(
        body(
            object="response",
            status="completed",
            output=[
                {"type": "reasoning", "summary": []},
                {"type": "message", "content": [{"type": "output_text", "text": "8"}]},
            ],
        )
    ),
    "responses that are cut off": stays(
        body(
            object="response",
            status="incomplete",
            incomplete_details={"reason": "max_output_tokens"},
            output=[{"type": "message", "content": [{"type": "output_text", "text": "Plan for"}]}],
        ),
        "cut off",
    ),
    "responses as a stream": once(
        stream(
            {"type": "response.created", "response": {"status": "in_progress", "output": []}},
            {"type": "response.output_text.delta", "delta": "8"},
            {"type": "response.completed", "response": {"status": "completed", "output": [{"content": "8"}]}},
            end="",
        )
    ),
    "Ollama's own interface": ends(
        body(message={"role": "assistant", "content": "8"}, done=True, prompt_eval_count=9, eval_count=1), "/v1"
    ),
    "Ollama's own interface without a role": ends(body(model=KEY, message={"content": "8"}, done=True), "/v1"),
    "Ollama's other answer": ends(body(response="8", done=True), "/v1"),
    "Ollama's stream": ends(
        sends("".join(json.dumps({"response": part, "done": not part}) + "\n" for part in ("8", "9", ""))), "/v1"
    ),
    "Cohere": once(
        body(
            message={"role": "assistant", "content": [{"type": "text", "text": "8"}]},
            finish_reason="COMPLETE",
            usage={"tokens": {"input_tokens": 9, "output_tokens": 1}},
        )
    ),
    "llama.cpp's own": once(body(content="8", stop=True, tokens_predicted=1)),
    "text generation": once(sends('[{"generated_text": "8"}]')),
    "an old completion": once(body(choices=[{"text": "8"}])),
    "parts": once(answers([{"type": "text", "text": "8"}])),
    "parts with thoughts": once(
        answers([{"type": "thinking", "thinking": [{"type": "text", "text": "4?"}]}, {"text": "8"}])
    ),
    "parts in parts": once(answers([[{"content": [{"text": {"text": "8"}}]}]])),
    "parts that never end": then(answers(json.loads("[" * 400 + "8" + "]" * 400))),
    "reasoning beside null": once(answers(None, reasoning_content=PLAN)),
    "several choices": once(body(choices=[{"message": {"content": text}} for text in (None, "8", "4")])),
    "choices of which some are none": once(body(choices=[None, 7, {"message": {"content": "8"}}])),
    "empty choices": then(body(choices=[])),
    "choices that are an object": then(body(choices={"0": KEY})),
    "a message that is a text": then(body(choices=[{"message": KEY}])),
    "a tool call": once(answers(None, tool_calls=[{"function": {"name": "act", "arguments": '{"plan": 8}'}}])),
    "two tool calls in a stream": once(
        stream(
            {
                "choices": [
                    {
                        "delta": {
                            "tool_calls": [{"index": 0, "id": "a", "function": {"name": "act", "arguments": '{"pl'}}]
                        }
                    }
                ]
            },
            {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"arguments": 'an": 8}'}}]}}]},
            {
                "choices": [
                    {
                        "delta": {
                            "tool_calls": [{"index": 1, "id": "a", "function": {"arguments": '{"why": "meat"}'}}]
                        },
                        "finish_reason": "tool_calls",
                    }
                ]
            },
        )
    ),
    "a refusal": stays(answers(None, refusal=f"No, {KEY}"), "refuses to answer"),
    "a filter": stays(answers("8", finish="content_filter"), "refuses to answer"),
    "a filter in a stream": stays(stream(chunk("8"), chunk(finish="content_filter")), "refuses to answer"),
    "cut off": stays(answers("Plan for Player 0: 8", finish="length"), "cut off"),
    "cut off by another name": stays(answers("Plan for Player 0: 8", finish="MAX_TOKENS"), "cut off"),
    "cut off in a stream": stays(stream(chunk("Plan for Player 0: 1"), chunk(finish="length")), "cut off"),
    "a finish with the key": once(
        sends(completion("8", finish="STOP").replace(b"STOP", b"\\u0073k-" + KEY[3:].encode()))
    ),
    "a novel": then(answers("8 " * 40_000)),
    "four million spaces": then(answers(" " * 4_000_000)),
    "thoughts without an end": then(answers("<think>" * 500_000)),
    "nested too deeply": then(sends("[" * 100_000)),
    "nested nearly too deeply": then(sends('{"a":' * 900 + "1" + "}" * 900)),
    "a number of a million digits": then(sends('{"choices": ' + "9" * 1_000_000 + "}")),
}
USAGES = {
    "a usage of a trillion": usage(prompt_tokens=10**12, completion_tokens=10**12),
    "a usage of a million tokens for a few words": usage(prompt_tokens=10**6, completion_tokens=10),
    "a negative usage": usage(prompt_tokens=-5, completion_tokens=-7),
    "a usage in words": usage(prompt_tokens="100", completion_tokens="ten"),
    "a usage that is no number": usage(prompt_tokens=float("nan"), completion_tokens=float("inf")),
    "a usage of nothing": usage(prompt_tokens=0, completion_tokens=0),
    "half a usage": usage(prompt_tokens=100),
    "a usage with the key": once(answers("8", usage=[KEY])),
    "more in the cache than was sent": once(
        answers("8", usage=USED | {"prompt_tokens_details": {"cached_tokens": 10**9}})
    ),
    "a usage at every event": once(stream(*({**piece, "usage": USED} for piece in PIECES))),
    "a usage of a trillion in a stream": once(stream(*PIECES, {"choices": [], "usage": {"prompt_tokens": 10**12}})),
}
FORMS = {
    "max_completion_tokens": once(
        takes({"max_tokens": no_more}, "Unsupported parameter: 'NAME'. Use 'max_completion_tokens' instead.")
    ),
    "max_output_tokens": once(
        takes(
            dict.fromkeys(("max_tokens", "max_completion_tokens"), no_more),
            "NAME is not supported, use max_output_tokens",
        )
    ),
    "a short answer": once(takes({"max_tokens": lambda most: most <= 512}, "NAME must be between 1 and 512")),
    "no length while money is limited": ends(
        takes(dict.fromkeys(("max_tokens", "max_completion_tokens"), no_more), "unknown field NAME"),
        "unknown field max_completion_tokens",
        max_cost=1.0,
    ),
    "a temperature above 0": once(takes({"temperature": lambda given: given > 0}, "`NAME` must be strictly positive")),
    "a temperature of 1": once(takes({"temperature": lambda given: given == 1}, "invalid NAME: only 1 is allowed")),
    "no temperature": once(takes({"temperature": no_more}, "NAME: Extra inputs are not permitted")),
    "no stream": once(takes({"stream": no_more}, "`NAME` is not supported by this model")),
    "no usage in a stream": once(takes({"stream_options": no_more}, "Unrecognized request argument supplied: NAME")),
    "no progress": once(takes({"return_progress": no_more}, "unknown parameter NAME")),
    "no seed": once(takes({"seed": no_more}, "unexpected keyword NAME"), model_seed=3),
    "no form of answers": once(takes({"response_format": no_more}, "NAME is not available"), structured=True),
    "no schema": once(
        takes({"response_format": lambda form: form["type"] == "json_object"}, "This NAME type is unavailable now"),
        answer="choice",
    ),
    "no form of answers and no word why": once(
        takes({"response_format": no_more}, "This NAME type is unavailable now"), structured=True
    ),
    "a form that needs a word": once(
        takes({"response_format": no_more}, "Prompt must contain the word 'json' to use NAME of type 'json_object'"),
        structured=True,
    ),
    "no seed and no word why": once(takes({"seed": no_more}, "NAME: bad request"), model_seed=3),
    "a temperature of 1 with thinking": once(
        takes({"temperature": lambda given: given == 1}, "`NAME` may only be set to 1 when thinking is enabled")
    ),
    "a temperature that must be 1": once(takes({"temperature": lambda given: given == 1}, "NAME must be 1.0 here")),
    "temperature or top_p": once(one_of_two, top_p=0.9),
    "no effort": once(takes({"reasoning_effort": no_more}, "Unsupported parameter: NAME"), reasoning_effort="low"),
    "nothing optional at all": once(
        takes(
            dict.fromkeys(("temperature", "stream", "stream_options", "return_progress", "seed"), no_more),
            "unknown field NAME",
        ),
        model_seed=3,
    ),
    "a parameter of the user's own": ends(
        takes({"top_k": no_more}, "unknown field NAME"), "unknown field top_k", extra_body='{"top_k": 1}'
    ),
    "a complaint that names nothing": ends(refuses(400, f"Unsupported value {KEY}"), "Unsupported value [key]"),
    "a complaint about a model": ends(refuses(400, "the model is not supported"), "not supported"),
    "no system role": once(
        demands(lambda sent: sent["messages"][0]["role"] != "system", "System role not supported", OK)
    ),
    "roles that alternate": once(alternates),
    "a user first": once(
        demands(lambda sent: sent["messages"][0]["role"] == "user", "The first message must have the role user", OK)
    ),
    "every form refused": ends(takes({"messages": no_more}, "NAME not supported"), "messages not supported"),
    "forms refused at random": Case(
        (refuses(400, "unknown field temperature"), refuses(400, "unknown field temperature")), ENDS, "temperature"
    ),
}
MILLION = 1_000_000
MILLIONS = {  # of characters or events
    "a message of a million characters": ends(refuses(400, "x" * MILLION), "400"),
    "a param of a million characters": ends(refuses(400, "no", param="x" * MILLION), "400"),
    "a code of a million characters": ends(refuses(403, "no", code="x" * MILLION), "403"),
    "a million words that name a parameter": once(
        takes({"temperature": no_more}, "NAME is not supported " + "NAME " * (MILLION // 12))
    ),
    "a detail of a million values": ends(sends(json.dumps({"detail": [KEY] * 100_000}), 422), "422"),
    "an error page of a million characters": ends(
        sends(f"<html>{KEY}{'<br>' * (MILLION // 4)}", 403, Content_Type="text/html"), "403"
    ),
    "a page of a million characters": then(sends("<p>" * (MILLION // 3), Content_Type="text/html")),
    "an error of a million characters with 200": then(body(error={"message": "x" * MILLION})),
    "a code of a million digits with 200": then(body(error={"message": "no", "code": "4" * MILLION})),
    "a content of a million characters": then(answers("x" * MILLION)),
    "a model of a million characters": once(body(model="x" * MILLION, choices=[{"message": {"content": "8"}}])),
    "a finish of a million characters": once(answers("8", finish="x" * MILLION)),
    "a million characters beside the answer": once(answers("8", reasoning_content="x" * MILLION)),
    "a refusal to wait of a million digits": then(refuses(429, "slow", Retry_After="0" * 30_000)),
    "a million words that ask to wait": then(refuses(429, "please retry " * (MILLION // 13))),
    "one event of a million characters": then(stream(chunk("x" * MILLION), chunk(finish="stop"))),
    "a line of a million characters before the answer": once(
        sends(f": {'x' * MILLION}\n\n{sse(*PIECES)}", Content_Type="text/event-stream")
    ),
    "fifty thousand events": then(stream(*[chunk("x ")] * 50_000, chunk(finish="stop"))),
    "a million blank lines": once(sends(b"\n" * MILLION + completion("8"))),
    "a header of a million characters": then(raw(HEAD + b"X-Pad: " + b"x" * MILLION + b"\r\n\r\n{}")),
    "a reason of a million characters": then(raw(b"HTTP/1.1 500 " + b"x" * MILLION + b"\r\n\r\n{}")),
    "an address of a million characters": then(redirects(307, "/" + "x" * MILLION)),
    "tool calls of a million characters": then(
        answers(None, tool_calls=[{"function": {"name": "act", "arguments": "x" * MILLION}}])
    ),
    "a million open brackets in an answer": then(answers("{" * 60_000 + "8")),
    "a usage of a million digits": once(answers("8", usage={"prompt_tokens": "9" * MILLION})),
}
ERRORS = {
    "429 with seconds": storm(Retry_After="0"),
    "429 with a date": storm(Retry_After=http_date(-5)),
    "429 with milliseconds": storm(Retry_After_Ms="1"),
    "429 without": storm(),
    "429 with nonsense": storm(Retry_After="soon"),
    "429 with a negative number": storm(Retry_After="-1e9"),
    "429 with NaN": storm(Retry_After="nan"),
    "429 for an hour": ends(refuses(429, KEY, Retry_After="3600"), "429", give_up_after=1),
    "429 for ever": ends(refuses(429, KEY, Retry_After="1e400"), "429", give_up_after=1),
    "429 until another year": ends(
        refuses(429, KEY, Retry_After="Wed, 21 Oct 2099 07:28:00 GMT"), "429", give_up_after=1
    ),
    "429 in words": Case((refuses(429, "Please try again in 3ms."), OK)),
    "429 without money": ends(refuses(429, KEY, code="insufficient_quota"), "nothing is left"),
    "503 loading": Case((sends('{"error": {"code": 503, "message": "Loading model"}}', 503),) * 6 + (OK,)),
    "503 starting": Case((sends('{"error": "Model is currently loading", "estimated_time": 20.0}', 503),) * 6 + (OK,)),
    "503": then(refuses(503, f"busy {KEY}")),
    "500 with a page": then(sends(f"<html><h1>Oops {KEY}</h1></html>", 500, Content_Type="text/html")),
    "529": then(refuses(529, "overloaded")),
    "401": ends(refuses(401, f"Incorrect API key provided: {KEY}"), "OPENAI_API_KEY"),
    "401 with a part of the key": ends(refuses(401, f"Incorrect key {KEY[:12]}****{KEY[-4:]}"), "[key]"),
    "401 without a word": ends(sends("", 401), "401"),
    "402": ends(refuses(402, "Payment required"), "account"),
    "403": ends(refuses(403, f"not for {KEY}"), "403"),
    "403 with a page": ends(sends(f"<html>{KEY}</html>", 403), "403"),
    "404": ends(refuses(404, "no such model"), "--model"),
    "405": ends(sends("Method Not Allowed", 405), "405"),
    "418": ends(sends(b"\xff\xfe", 418), "418"),
    "a page with 200": then(sends(f"<!DOCTYPE html><title>Sign in</title>{KEY}", Content_Type="text/html")),
    "204": then(lambda handler: handler.send(204, b"")),
    "an error with 200": then(body(error={"message": KEY})),
    "an error with 200 that is final": ends(body(error={"message": KEY, "code": 401}), "401"),
    "an error that is a list": then(sends(json.dumps({"error": [KEY, {"a": None}]}), 500)),
    "an error with endless words": ends(refuses(400, f"no {KEY} " * 20_000), "400"),
    "an error with lines": ends(refuses(400, f"no\n\x1b[31m\r\n{KEY}"), "400"),
    "an endless error": then(for_ever(b"HTTP/1.1 500 Oops\r\n\r\n", b"x" * 65536)),
    "an endless refusal": ends(for_ever(b"HTTP/1.1 403 No\r\n\r\n", b"x" * 65536), "403"),
    "a packed error": ends(
        sends(gzip.compress(json.dumps({"error": {"message": f"no {KEY}"}}).encode()), 403, Content_Encoding="gzip"),
        "403",
    ),
    "a bomb of an error": then(sends((b"\x78\xda" + zeros())[:200_000], 500, Content_Encoding="deflate")),
}
BOMB = gzip_of_zeros()
LINES = {
    "gzip": once(packed(gzip.compress(completion("8")), "gzip")),
    "deflate": once(packed(zlib.compress(completion("8")), "deflate")),
    "deflate without its header": once(packed(zlib.compress(completion("8"))[2:-4], "deflate")),
    "GZIP in capitals": once(packed(gzip.compress(completion("8")), "GZIP")),
    "said to be packed and is not": once(packed(completion("8"), "gzip")),
    "a packed stream": once(packed(gzip.compress(sse(*PIECES).encode()), "gzip")),
    "half of a packed answer": then(packed(gzip.compress(completion("8"))[:60], "gzip")),
    "packed as nobody asked": then(packed(b"8" * 100, "br")),
    "packed twice": then(packed(gzip.compress(gzip.compress(completion("8"))), "gzip, gzip")),
    "a bomb": then(packed(BOMB, "gzip")),
    "a flood": then(floods),
    "a flood of events": then(for_ever(STREAM_HEAD, sse(*[chunk()] * 900, end="").encode())),
    "one line without an end": then(for_ever(STREAM_HEAD + b"data: ", b"8" * 65536)),
    "chunks": once(
        raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(completion("8")), completion("8")))
    ),
    "chunks with trailers": once(
        raw(
            HEAD
            + b"Transfer-Encoding: chunked\r\n\r\n%x;a=b\r\n%b\r\n0\r\nX-Key: %b\r\n\r\n"
            % (len(completion("8")), completion("8"), KEY.encode())
        )
    ),
    "chunks without an end": once(
        raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n" % (len(completion("8")), completion("8")))
    ),
    "trailers without an end": once(
        for_ever(
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n" % (len(completion("8")), completion("8")),
            b"X-Pad: %b\r\n" % (b"8" * 4000),
        )
    ),
    "a chunk of a wrong length": then(raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n8\r\n")),
    "headers without an end": then(for_ever(HEAD, b"X-Pad: %b\r\n" % (b"8" * 4000))),
    "one header without an end": then(for_ever(HEAD + b"X-Pad: ", b"8" * 65536)),
    "the same header a thousand times": once(
        raw(HEAD + b"X-Pad: 8\r\n" * 1000 + b"Content-Length: %d\r\n\r\n%b" % (len(completion("8")), completion("8")))
    ),
    "informal responses without an end": stays(for_ever(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.001), **SOON),
    "no HTTP": then(raw(f"SSH-2.0-OpenSSH {KEY}\r\n".encode())),
    "HTTP/0.9": then(raw(completion("8"))),
    "a reset": then(resets),
    "no answer at all": then(hangs_up),
    "two lengths": then(raw(HEAD + b"Content-Length: 5\r\nContent-Length: 9\r\n\r\n" + completion("8"))),
    "a redirect in a circle": then(redirects(307, "/v1/chat/completions")),
    "a redirect to nowhere": then(redirects(307, "http://127.0.0.1:9/v1")),
    "a redirect to a file": then(redirects(307, "file:///etc/passwd")),
    "a redirect without a place": ends(sends("", 307), "307"),
    "silence behind the headers": stays(slowly(HEAD + b"\r\n", leaves_open=True), "no answer came within", **SOON),
    "silence in the midst": stays(
        slowly(STREAM_HEAD, sse(PIECES[0], end="").encode(), leaves_open=True), "no answer came within", **SOON
    ),
    "silence before anything": stays(slowly(leaves_open=True), "no answer came within", **SOON),
    "spaces for ever": stays(drips(HEAD + b"\r\n"), "no answer came within", **SOON),
    "letter by letter for ever": stays(for_ever(HEAD + b"\r\n{", b" ", 0.01), "no answer came within", **SOON),
    "comments for ever": stays(for_ever(STREAM_HEAD, b": at work\n\n", 0.01), "last it was at work", **LATER),
    "words for ever": stays(
        for_ever(STREAM_HEAD, sse(chunk("8"), end="").encode(), 0.01),
        "last it was writing",
        **LATER,
    ),
}
SLOW = {  # longer than the deadline, but never silent for so long
    "a slow stream": once(
        slowly(STREAM_HEAD, *(sse(piece, end="").encode() for piece in [*[chunk(" ")] * 12, *PIECES])),
        deadline=PATIENT,
        attempts=1,
    ),
    "llama.cpp reads a long question": once(
        slowly(
            STREAM_HEAD,
            *(
                sse({**chunk(), "prompt_progress": {"total": 12, "processed": part}}, end="").encode()
                for part in range(12)
            ),
            sse(*PIECES).encode(),
        ),
        deadline=PATIENT,
        attempts=1,
    ),
    "comments until the answer": once(
        slowly(STREAM_HEAD, *[b": at work\n\n"] * 10, sse(*PIECES).encode()), deadline=PATIENT, attempts=1
    ),
    "blank lines until the answer": once(
        slowly(HEAD + b"\r\n", *[b"\n"] * 10, completion("8")), deadline=PATIENT, attempts=1
    ),
    "a slow line": once(
        slowly(
            STREAM_HEAD, b": at work\n\n", *[bytes([byte]) for byte in b"data: "], sse(*PIECES).encode()[6:], pause=0.25
        ),
        deadline=PATIENT,
        attempts=1,
    ),
}
MISBEHAVIOURS: dict[str, Case] = EVENTS | SHAPES | USAGES | FORMS | MILLIONS | ERRORS | LINES | SLOW
