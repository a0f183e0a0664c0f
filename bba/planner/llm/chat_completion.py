"""Reads the body of an answer in every shape that endpoints send: text, parts, tool calls, reasoning, event streams."""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bba.planner.chat import Usage
from bba.planner.llm.intake import Intake
from bba.planner.llm.request import AttemptFailed, error_in_body, one_line
from bba.planner.llm.shapes import function_of, normal, read_usage, text_of, typed
from bba.planner.response_parser import holds_plan
from bba.planner.short_answers import alone

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
    choice = _choice(data)
    message, usage = typed(choice.get("message"), dict), read_usage(data.get("usage"))
    finish, model = (one_line(typed(found, str)) or None for found in (choice.get("finish_reason"), data.get("model")))
    text = _without_thoughts(_text(message) or typed(choice.get("text"), str))
    if message.get("refusal") or (finish or "").lower() in REFUSED:
        raise AttemptFailed("the model refuses to answer", retryable=False, usage=usage, charged=True)
    if len(text) > MOST_TEXT:
        raise AttemptFailed(f"the answer has {len(text):,} characters", retryable=True, usage=usage, charged=True)
    tokens = _first_tokens(choice)
    if (finish or "").lower() in CUT_OFF and not tokens:
        text = _whole_part(text)
        if not text:
            raise AttemptFailed(
                "the answer was cut off; allow more --max-tokens", retryable=False, usage=usage, charged=True
            )
    if not text.strip():
        raise AttemptFailed("the answer is empty", retryable=True, usage=usage, charged=True)
    return Completion(text, usage, finish, model, tokens)


def _first_tokens(choice: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """Returns the likeliest first tokens and their log-probabilities; none where the endpoint does not tell them."""
    first = typed(typed(choice.get("logprobs"), dict).get("content"), list)[:1]
    told = typed(first[0].get("top_logprobs"), list) if first and isinstance(first[0], dict) else []
    found: list[tuple[Any, Any]] = [(one.get("token"), one.get("logprob")) for one in told if isinstance(one, dict)]
    return tuple((token, value) for token, value in found if isinstance(token, str) and isinstance(value, float | int))


def _data(body: bytes) -> Mapping[str, Any]:
    """Returns the JSON object in a body, or the one that its events add up to."""
    data = _json(body)
    if data is None:
        intake = Intake()
        intake.feed(body)
        data = intake.close()
        if data is None or not intake.is_stream:
            said = (
                "the answer broke off" if intake.is_stream else f"what the endpoint sent is no JSON: {_excerpt(body)}"
            )
            raise AttemptFailed(said, retryable=True, charged=True)
    if isinstance(data, list) and data:
        data = data[0]
    if not isinstance(data, dict):
        raise AttemptFailed(f"what the endpoint sent is no answer: {_excerpt(body)}", retryable=True, charged=True)
    return normal(data)


def _json(body: bytes) -> object:
    """Returns the JSON value in a body, half a character in it included; None if there is none."""
    for text in (body, body.decode("utf-8", "replace")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            continue
    return None


def _choice(data: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = data.get("choices")
    given = [choice for choice in typed(choices, list) if isinstance(choice, dict)]
    answers = [one for one in given if isinstance(one.get("message"), dict) or isinstance(one.get("text"), str)]
    if answers:
        return next((one for one in answers if one.get("text") or _text(one.get("message") or {})), answers[0])
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
    arguments = function.get("arguments")
    text = json.dumps(arguments) if isinstance(arguments, dict) else typed(arguments, str)
    return text if text.strip(" {}\n") else typed(function.get("name"), str)


def _without_thoughts(text: str) -> str:
    before, _, inside = text.partition("<think>")  # some local models write their reasoning first
    _, ended, after = inside.partition("</think>")
    text = before.rstrip() + after if ended else text
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
