"""Finds the line of a key in a TOML file, for messages: Python's parser does not tell lines."""

import re
from collections.abc import Iterator

from human.study.model import Place

HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.-]+)\s*\]")
KEY = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*[=.]""")
QUOTES = ('"""', "'''")


def line_of(text: str, place: Place) -> int | None:
    """Returns the line (from 1) of a key, or of the table that lacks it; None where there is neither.

    Args:
        text: the file.
        place: the key with those above it, as ("questions", 2, "points") or ("breaks", "longest"); a list of tables is
            counted from 0.
    """
    if not place:
        return None
    listed = len(place) > 1 and isinstance(place[1], int)
    table, keys = ((place[0], place[1]), place[2:]) if listed else ((place[0], 0), place[1:])
    found = None
    for number, here, key in _keys(text):
        if here is None and not listed and key == place[0]:
            return number
        if here == table:
            found = found or number
            if keys and key == keys[0]:
                return number
    return found if found or not listed else line_of(text, place[:1])


def _keys(text: str) -> Iterator[tuple[int, tuple[str, int] | None, str]]:
    """Yields the line of each header and key, the table around it (list and position), and the key ("": a header)."""
    here: tuple[str, int] | None = None
    counts: dict[str, int] = {}
    open_quotes = ""
    for number, line in enumerate(text.splitlines(), 1):
        if open_quotes:
            open_quotes = "" if open_quotes in line else open_quotes
            continue
        if header := HEADER.match(line):
            name = header[2]
            counts[name] = counts.get(name, -1) + 1
            here = (name, counts[name])
            yield number, here, ""
        elif key := KEY.match(line):
            yield number, here, key[1]
        open_quotes = next((quotes for quotes in QUOTES if line.count(quotes) % 2), "")
