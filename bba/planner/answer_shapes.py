"""Rewrites answers in JSON, in tags or in one line as labelled lines, which `bba.planner.plan_labels` reads."""

import ast
import json
import re
from collections.abc import Iterator

_MOST = 8_000  # characters of a JSON answer; a longer one is none
_TAGS = "plan|answer|action|skill|choice|output|response|final_answer|final"
_FIRST_TAG = re.compile(rf"(?<![:=])(?<![:=][ \"'])<(?:{_TAGS})>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_TAGS})>", re.IGNORECASE)
_TYPESET = re.compile(r"\\(?:boxed|text|textbf|mathbf|mathrm)\b")
_INLINE = re.compile(
    r"(?<=[^\s;|,/])[ \t;|,/]{1,8}[*_]{0,3}"
    r"(?=(?:(?:plan|intention) for p(?:layer)? ?[0-9]|teammate (?:role belief|strategy hypothesis))[^\n:]{0,20}:)",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])")


def as_lines(text: str) -> str:
    """Returns a response with each labelled part on a line of its own."""
    text = _TYPESET.sub("", text)
    text = _TAG.sub("\n", _FIRST_TAG.sub("\nanswer: ", text)) if _FIRST_TAG.search(text) else _TAG.sub(" ", text)
    begin, end = text.find("{"), text.rfind("}")
    found = _object(text[begin : end + 1]) if 0 <= begin < end else None
    if found:
        text = "\n".join([text[:begin], *_flat(found, ()), text[end + 1 :]])
    return _INLINE.sub("\n", text)


def _object(text: str) -> dict[str, object] | None:
    """Returns the JSON object in a text; one in Python's spelling counts, too. None if it is neither."""
    if len(text) > _MOST:
        return None
    readers = (json.loads,) if "\\" in text else (json.loads, ast.literal_eval)  # which warns of escapes
    for read in readers:
        try:
            value = read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(value, dict):
            return {str(key): inner for key, inner in value.items()}
    return None


def _flat(value: object, path: tuple[str, ...]) -> Iterator[str]:
    """Yields a line for each value in an object, labelled with the words of its keys."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, (*path, _CAMEL.sub(" ", str(key)).replace("_", " ").replace("-", " ")))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _flat(inner, path)
    else:
        yield f"{' '.join(path)}: {' '.join(str(value).split())}"
