"""The shapes of answers: what other providers send, translated to OpenAI's, and the tokens that they report.

JSON values are read of the types that are expected, and nothing of other types.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from bba.planner.chat import Usage

Kind = TypeVar("Kind")

MOST_TOKENS = 10**7  # tokens of one answer; an endpoint that reports more is not believed


def typed(value: object, kind: type[Kind]) -> Kind:
    """Returns a value of this type; an empty one for anything else."""
    return value if isinstance(value, kind) else kind()


def count(value: object) -> int | None:
    """Returns a number of tokens; None for a value that cannot be one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_TOKENS:
        return None
    return int(value)


_THOUGHTS = ("reasoning", "thinking", "redacted_thinking")  # types of parts that are no answer
_CALLS = ("tool_use", "function_call")  # types of parts that call a tool
_TEXTS = ("text", "partial_json", "content", "message")  # where parts have their text


def text_of(content: object, depth: int = 9) -> str:
    """Returns the text of a content, to this depth: a text, or parts of which some are text or call a tool."""
    if isinstance(content, list):
        return "".join(text_of(part, depth - 1) for part in content) if depth else ""
    if not isinstance(content, dict):
        return typed(content, str)
    if content.get("type") in _THOUGHTS or content.get("thought") is True:
        return ""
    call = content.get("functionCall")
    if not call and content.get("type") in _CALLS:
        call = content
    if call and isinstance(call, dict):
        return _text_of_call(call)
    for name in _TEXTS:
        if content.get(name):
            return text_of(content[name], depth - 1) if depth else ""
    return ""


def _text_of_call(call: Mapping[str, Any]) -> str:
    """Returns the arguments of a tool call as text; the tool's name if there are none."""
    arguments = call.get("args") or call.get("input") or call.get("arguments")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or "")
    return text if text.strip(' {}"') else typed(call.get("name"), str)


def function_of(call: object) -> Mapping[str, Any]:
    """Returns the function of a tool call."""
    return typed(typed(call, dict).get("function"), dict)


def is_ollamas_own(data: Mapping[str, Any]) -> bool:
    """Whether an answer, or an event of one, is of Ollama's own interface, which hears of no sampling or length."""
    says = isinstance(data.get("message"), dict) or isinstance(data.get("response"), str)
    return isinstance(data.get("done"), bool) and says and "choices" not in data


def normal(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns an answer, or an event of an answer, in OpenAI's shape; unchanged if its shape is not known.

    Known are those of Anthropic, Gemini, Cohere, llama.cpp, Hugging Face, and OpenAI's responses.
    """
    if is_ollamas_own(data):
        return data
    inner = data.get("response")
    if isinstance(inner, dict):  # an event of OpenAI's responses, the last of which repeats the whole answer
        data = {**inner, "output": []}
    usage = data.get("usageMetadata")
    if not usage and "eval_count" in data:
        usage = data
    if usage and not data.get("usage"):
        data = {**data, "usage": usage}
    if isinstance(data.get("choices"), list):
        return data
    answer = _answer_of_other_shape(data)
    if answer is None:
        return data
    content, finish = answer
    return {**data, "choices": [{"message": {"content": content}, "finish_reason": finish}]}


def _answer_of_other_shape(data: Mapping[str, Any]) -> tuple[object, object] | None:
    """Returns content and reason to end from where other providers have them; None if there is no such place."""
    finish = data.get("stop_reason") or data.get("done_reason") or data.get("finish_reason")
    if not finish:
        finish = "stop" if data.get("done") is True or data.get("stop") is True else None
    candidates = typed(data.get("candidates"), list)
    delta = data.get("delta")
    message = data.get("message")
    if candidates:
        first = typed(candidates[0], dict)
        return typed(first.get("content"), dict).get("parts"), first.get("finishReason")
    if isinstance(delta, str) and str(data.get("type")).endswith("output_text.delta"):
        return delta, None
    if isinstance(delta, dict):
        return delta, delta.get("stop_reason") or delta.get("finish_reason")
    if isinstance(data.get("output"), list):
        reason = typed(data.get("incomplete_details"), dict).get("reason")
        if not reason and data.get("status", "completed") == "completed":
            reason = "stop"
        return data["output"], reason or None
    if isinstance(message, dict) and data.get("type") != "message_start" and "role" in message:
        return message.get("content"), finish
    if data.get("type") == "message" or isinstance(data.get("content"), str):
        return data.get("content"), finish
    text = _first_of(data, ("response", "generated_text", "completion"))
    return (text, finish) if isinstance(text, str) else None


def _first_of(fields: Mapping[str, Any], names: Iterable[str]) -> object:
    """Returns the first of these fields that there is; None if there is none."""
    for name in names:
        if name in fields:
            return fields[name]
    return None


_PROMPT = ("prompt_tokens", "input_tokens", "promptTokenCount", "prompt_eval_count")
_COMPLETION = ("completion_tokens", "output_tokens", "candidatesTokenCount", "eval_count")
_CACHED = ("cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens", "cachedContentTokenCount")


def read_usage(reported: object) -> Usage | None:
    """Returns the tokens that an endpoint reports; None without plausible numbers."""
    fields = typed(reported, dict)
    fields = typed(fields.get("tokens"), dict) or fields
    prompt = count(_first_of(fields, _PROMPT))
    completion = count(_first_of(fields, _COMPLETION))
    if not prompt or completion is None:
        return None  # nothing sent cannot be
    details = typed(fields.get("prompt_tokens_details") or fields.get("input_tokens_details"), dict)
    details = details | fields
    cached = 0
    for name in _CACHED:
        tokens = count(details.get(name))
        if tokens:
            cached = tokens
            break
    if "cache_read_input_tokens" in fields and "input_tokens" in fields:  # Anthropic's leave out what is cached
        prompt += cached + (count(fields.get("cache_creation_input_tokens")) or 0)
    thought = count(fields.get("thoughtsTokenCount")) or 0  # Gemini's leave out thoughts, which are paid
    return Usage(prompt, completion + thought, cached_tokens=min(cached, prompt))
