"""Adds up the events of an answer that was sent as a stream."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bba.planner.llm.lenient import function_of, items, mapping, string, text_of
from bba.planner.llm.request import AttemptFailed


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
        for choice in [choice for choice in items((event or {}).get("choices")) if isinstance(choice, dict)][:1]:
            delta = mapping(choice.get("delta") or choice.get("message"))
            finish = choice.get("finish_reason") or finish
            message["content"] += text_of(delta.get("content"))
            message["reasoning_content"] += string(delta.get("reasoning_content") or delta.get("reasoning"))
            arguments += "".join(string(function_of(call).get("arguments")) for call in items(delta.get("tool_calls")))
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
            yield mapping(json.loads(data))
        except (ValueError, RecursionError):
            return
