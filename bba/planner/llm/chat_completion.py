"""Reads the body of an answer in every shape that endpoints send: text, parts, tool calls, reasoning, event streams.

JSON values are read of the types that are expected, and nothing of other types.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from bba.planner.chat import Usage
from bba.planner.llm.request import AttemptFailed, error_in_body, one_line
from bba.planner.response_parser import holds_plan
from bba.planner.short_answers import alone

Kind = TypeVar("Kind")

MOST_TOKENS = 10**8  # tokens of one answer; an endpoint that reports more is not believed


def typed(value: object, kind: type[Kind]) -> Kind:
    """Returns a value of this type; an empty one for anything else."""
    return value if isinstance(value, kind) else kind()


def count(value: object) -> int | None:
    """Returns a number of tokens; None for what cannot be one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_TOKENS:
        return None
    return int(value)


def text_of(content: object) -> str:
    """Returns the text of a content: a text, or parts of which some are text."""
    if isinstance(content, dict):
        return typed(content.get("text") or content.get("content"), str)
    return "".join(map(text_of, content)) if isinstance(content, list) else typed(content, str)


def function_of(call: object) -> Mapping[str, Any]:
    """Returns the function of a tool call."""
    return typed(typed(call, dict).get("function"), dict)


def from_events(body: bytes) -> dict[str, Any]:
    """Returns the whole answer that a stream of events adds up to.

    Raises:
        AttemptFailed: the stream broke off.
    """
    whole: dict[str, Any] = {}
    message: dict[str, Any] = {"content": "", "reasoning_content": ""}
    finish, arguments, ended = None, "", False
    for event in _events(body):
        ended = ended or event is None
        whole |= {key: value for key, value in (event or {}).items() if key in ("usage", "model", "error") and value}
        for choice in [choice for choice in typed((event or {}).get("choices"), list) if isinstance(choice, dict)][:1]:
            delta = typed(choice.get("delta") or choice.get("message"), dict)
            finish = choice.get("finish_reason") or finish
            message["content"] += text_of(delta.get("content"))
            message["reasoning_content"] += typed(delta.get("reasoning_content") or delta.get("reasoning"), str)
            arguments += "".join(
                typed(function_of(call).get("arguments"), str) for call in typed(delta.get("tool_calls"), list)
            )
    if not whole.get("error") and not ended and finish is None:
        raise AttemptFailed("the answer broke off", retryable=True, charged=True)
    message["tool_calls"] = [{"function": {"arguments": arguments}}]
    return whole if whole.get("error") else whole | {"choices": [{"message": message, "finish_reason": finish}]}


def _events(body: bytes) -> Iterator[Mapping[str, Any] | None]:
    """Yields the events of a stream; None for the mark at its end."""
    for line in body.decode("utf-8", "replace").splitlines():
        if not line.startswith("data:"):
            continue
        data = line.removeprefix("data:").strip()
        if data == "[DONE]":
            yield None
            continue
        try:
            yield typed(json.loads(data), dict)
        except (ValueError, RecursionError):
            return


REFUSED = {"content_filter", "safety", "refusal", "prohibited_content", "blocklist", "recitation"}
CUT_OFF = {"length", "max_tokens"}
_BODY_SHOWN = 80  # characters of a body that is no answer
_THINKING = re.compile(r"\s*<think>.*?</think>", re.DOTALL)  # some local models write their reasoning first
_QUOTED_END = re.compile(r"[:=][ *]*[\"“][^\"“”]+[\"”][.*\s]*$")


class Completion(NamedTuple):
    """What an endpoint answered.

    Attributes:
        text: the answer.
        usage: the tokens; None if the endpoint does not report them, or not plausibly.
        finish: why the answer ended, in the endpoint's word; None if it does not say.
        model: the model that answered, by its own name; None if the endpoint does not say.
    """

    text: str
    usage: Usage | None
    finish: str | None = None
    model: str | None = None


def read_completion(body: bytes) -> Completion:
    """Returns the answer in a body.

    Raises:
        AttemptFailed: there is none, or it is refused, cut off or empty.
        BBAError: the body holds an error that concerns later requests as well.
    """
    data = _data(body)
    choice = _choice(data)
    message, usage = typed(choice.get("message"), dict), read_usage(data.get("usage"))
    finish, model = (one_line(typed(found, str)) or None for found in (choice.get("finish_reason"), data.get("model")))
    text = _without_thoughts(_text(message) or typed(choice.get("text"), str))
    if message.get("refusal") or (finish or "").lower() in REFUSED:
        raise AttemptFailed("the model refuses to answer", retryable=False, usage=usage, charged=True)
    if finish in CUT_OFF:
        text = _whole_part(text)
        if not text:
            raise AttemptFailed(
                "the answer was cut off; allow more --max-tokens", retryable=False, usage=usage, charged=True
            )
    if not text.strip():
        raise AttemptFailed("the answer is empty", retryable=True, usage=usage, charged=True)
    return Completion(text, usage, finish, model)


def read_usage(reported: object) -> Usage | None:
    """Returns the tokens that an endpoint reports; None if it reports none, or none that can be."""
    fields = typed(reported, dict)
    prompt, completion = count(fields.get("prompt_tokens")), count(fields.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    details = typed(fields.get("prompt_tokens_details"), dict)
    found = (details.get("cached_tokens"), fields.get("prompt_cache_hit_tokens"), fields.get("cache_read_input_tokens"))
    cached = next((tokens for tokens in map(count, found) if tokens), 0)
    return Usage(prompt, completion, cached_tokens=min(cached, prompt))


def _data(body: bytes) -> Mapping[str, Any]:
    """Returns the JSON object in a body, or the one that its events add up to."""
    if body.lstrip()[:6].startswith((b"data:", b"event:", b":")):
        return from_events(body)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise AttemptFailed(
            f"what the endpoint sent is no JSON: {_excerpt(body)}", retryable=True, charged=True
        ) from None
    if not isinstance(data, dict):
        raise AttemptFailed(f"what the endpoint sent is no answer: {_excerpt(body)}", retryable=True)
    return data


def _choice(data: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = data.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if isinstance(first, dict) and (isinstance(first.get("message"), dict) or isinstance(first.get("text"), str)):
        return first
    if data.get("error"):
        raise error_in_body(data["error"])
    lacks = "choices" if not isinstance(choices, list) or not choices else "a message"
    words = _excerpt(json.dumps(data).encode())
    raise AttemptFailed(f"what the endpoint sent is no answer, it has no {lacks}: {words}", retryable=True)


def _text(message: Mapping[str, Any]) -> str:
    """Returns what a message says: its content, else the answer that a tool call carries, else its reasoning."""
    content = text_of(message.get("content"))
    if content.strip():
        return content
    calls = [*typed(message.get("tool_calls"), list), {"function": message.get("function_call")}]
    told = next((said for call in calls if (said := _told(function_of(call)))), "")
    return told or typed(message.get("reasoning_content"), str) or typed(message.get("reasoning"), str)


def _told(function: Mapping[str, Any]) -> str:
    """Returns the arguments of a call, or the name of the function if it has none."""
    arguments = function.get("arguments")
    text = json.dumps(arguments) if isinstance(arguments, dict) else typed(arguments, str)
    return text if text.strip(" {}\n") else typed(function.get("name"), str)


def _without_thoughts(text: str) -> str:
    text = _THINKING.sub("", text, count=1)
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
    words = one_line(body[: 4 * _BODY_SHOWN].decode("utf-8", "replace"))
    return repr(words[:_BODY_SHOWN]) if words else "nothing"
