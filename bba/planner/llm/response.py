"""Reads the responses of an endpoint: an answer from a body, or what an HTTP error means for the run."""

import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Annotated

from pydantic import BaseModel, Field, NonNegativeInt, ValidationError

from bba.errors import BBAError
from bba.files import first_problem
from bba.planner.chat import Reply, Usage
from bba.planner.llm.request import AttemptFailed

_THINKING = re.compile(r"\s*<think>.*?</think>", re.DOTALL)  # some local models write their reasoning first
RETRYABLE_STATUS = {408, 409, 425, 429}  # and everything from 500
REQUEST_ERRORS = {"context_length_exceeded", "content_filter", "content_policy_violation"}
BODY_TOO_LARGE = 413
QUOTA_SPENT = "insufficient_quota"  # sent with status 429, but waiting does not help
HINTS = {
    401: "set OPENAI_API_KEY or BBA_API_KEY to a key that it takes",
    403: "check the key (OPENAI_API_KEY or BBA_API_KEY), --base-url and --model",
    404: "check --base-url and --model",
}
MAX_MESSAGE_CHARS = 200  # characters of an endpoint's message that are shown


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: NonNegativeInt | None = None
    completion_tokens: NonNegativeInt | None = None


class _Completion(BaseModel):
    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: _Usage | None = None


def read_completion(body: bytes) -> Reply:
    """Returns the answer in a body; its usage is None if the endpoint does not report it.

    Raises:
        AttemptFailed: the body is invalid, or the answer is refused, cut off or empty.
    """
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError as error:
        raise AttemptFailed(f"what the endpoint sent is no answer: {first_problem(error)}", retryable=True) from None
    choice, usage = completion.choices[0], _usage(completion.usage)
    text = _THINKING.sub("", choice.message.content or "", count=1)
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise AttemptFailed("the model refuses to answer", retryable=False, usage=usage)
    if choice.finish_reason == "length":
        raise AttemptFailed("the answer was cut off; allow more --max-tokens", retryable=False, usage=usage)
    if not text.strip():
        raise AttemptFailed("the answer is empty", retryable=True, usage=usage)
    return Reply(text, usage)


def _usage(reported: _Usage | None) -> Usage | None:
    if reported is None or reported.prompt_tokens is None or reported.completion_tokens is None:
        return None
    return Usage(reported.prompt_tokens, reported.completion_tokens)


def http_error(status: int, text: str, code: str | None, headers: Mapping[str, str]) -> BBAError:
    """Returns the error for a response with this status.

    Args:
        status: 300 or more.
        text: the endpoint's message as one line.
        code: the endpoint's error code, if it gives one.
        headers: with case-insensitive names, as in HTTP libraries.
    """
    status_text = f"{status}: {text}" if text else str(status)
    if code == QUOTA_SPENT:
        return BBAError(f"planner openai: nothing is left on the account ({status_text})")
    if status in RETRYABLE_STATUS or status >= 500:
        return AttemptFailed(status_text, retryable=True, wait=retry_after(headers))
    if status == BODY_TOO_LARGE or code in REQUEST_ERRORS:
        return AttemptFailed(status_text, retryable=False)
    hint = HINTS.get(status)
    return BBAError(f"planner openai: the endpoint refuses ({status_text})" + (f"; {hint}" if hint else ""))


def error_text(body: object) -> str:
    """Returns the message in the body of an error."""
    text = body.get("message") or body.get("detail") if isinstance(body, Mapping) else body
    return "" if text is None else str(text)


def one_line(text: str) -> str:
    """Returns a text as one short line of printable characters."""
    line = "".join(filter(str.isprintable, " ".join(text.split())))
    return line if len(line) <= MAX_MESSAGE_CHARS else line[:MAX_MESSAGE_CHARS] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds of a ``Retry-After`` header, a number or a date; None if there is none or it is invalid."""
    requested = headers.get("retry-after")
    if requested is None:
        return None
    try:
        seconds = float(requested)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(requested).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)
