"""Text from outside, made so that every file, database and terminal can take it.

JSON and Python let a text hold one half of a character (a lone surrogate), which no encoding has. It comes from models
whose answers are cut between two tokens, from pieces of a stream, from plug-ins, and from names of files that are not
UTF-8.
"""

from codecs import BOM_UTF8
from typing import Any


def encodable(text: str) -> str:
    """Returns a text with the two halves of a character put together, and U+FFFD in the place of a lone half."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def encodable_values(value: Any) -> Any:
    """Returns a value read from JSON with all its texts made encodable, the keys of its objects too."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return [encodable_values(inner) for inner in value]
    if isinstance(value, dict):
        return {encodable_values(key): encodable_values(inner) for key, inner in value.items()}
    return value


def without_mark(data: bytes) -> bytes:
    """Returns the bytes of a text without the byte order mark of UTF-8, where they begin with one."""
    return data.removeprefix(BOM_UTF8)
