"""Reads JSON values of the types that are expected, and nothing of other types."""

from collections.abc import Mapping, Sequence
from typing import Any

from bba.planner.llm.response import one_line

MOST = 10**8  # tokens of one answer; an endpoint that reports more is not believed


def mapping(value: object) -> Mapping[str, Any]:
    """Returns an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> Sequence[Any]:
    """Returns a list; an empty one for anything else."""
    return value if isinstance(value, list) else ()


def string(value: object) -> str:
    """Returns a text; "" for anything else."""
    return value if isinstance(value, str) else ""


def word(value: object) -> str | None:
    """Returns a text as one short line; None for anything else."""
    return one_line(value) or None if isinstance(value, str) else None


def count(value: object) -> int | None:
    """Returns a number of tokens; None for what cannot be one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST:
        return None
    return int(value)


def text_of(content: object) -> str:
    """Returns the text of a content: a text, or parts of which some are text."""
    if isinstance(content, dict):
        return string(content.get("text") or content.get("content"))
    if isinstance(content, list):
        return "".join(map(text_of, content))
    return string(content)


def function_of(call: object) -> Mapping[str, Any]:
    """Returns the function of a tool call."""
    return mapping(mapping(call).get("function"))
