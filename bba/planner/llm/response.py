"""Parses the body of a chat completion, and rejects bodies without a usable answer."""

import re
from typing import Annotated

from pydantic import BaseModel, Field, NonNegativeInt, ValidationError

from bba.files import first_problem
from bba.planner.chat import Reply, Usage
from bba.planner.llm.request import AttemptFailed

_THINKING = re.compile(r"\s*<think>.*?</think>", re.DOTALL)  # some local models write their reasoning first


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
