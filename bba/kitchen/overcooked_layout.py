"""Reads the grid of a layout file of Overcooked-AI, which is a Python dictionary.

Nothing in the file is run: it is parsed as Python, and the text under the key "grid" is taken.
"""

import ast
import re
import warnings
from pathlib import Path

from bba.errors import BBAError
from bba.files import read_text
from bba.kitchen.layout import LARGEST_SIDE, position_text

SUFFIX = ".layout"
LARGEST_FILE = 64 * 2**10  # characters
FLOOR, COUNTER, POT, ONIONS, TOMATOES, DISHES, WINDOW = " XPOTDS"  # of their grids
CHARACTERS = FLOOR + COUNTER + POT + ONIONS + TOMATOES + DISHES + WINDOW
COOKS = 2


def read_grid(path: Path) -> tuple[str, ...]:
    """Returns the rows of the grid in a layout file of Overcooked-AI: one character of theirs a tile.

    Rows have the same length; `1` and `2` are where the cooks start.

    Raises:
        BBAError: the file cannot be read, holds no grid, or holds one that no kitchen of two cooks can be made from.
    """
    grid = _grid_text(path, read_text(path))
    rows = tuple(row.strip() for row in grid.strip().splitlines())  # as Overcooked-AI reads them
    _check(path, rows)
    return rows


def _grid_text(path: Path, text: str) -> str:
    """Returns what stands under the key "grid"."""
    if len(text) > LARGEST_FILE:
        raise BBAError(f"{path}: larger than {LARGEST_FILE // 2**10} KiB; no layout of Overcooked-AI is")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about texts in which a backslash stands
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BBAError(f"{path}: not a layout of Overcooked-AI, which is a Python dictionary with a grid") from None
    if not isinstance(tree, ast.Dict):
        raise BBAError(f"{path}: not a layout of Overcooked-AI, which is a Python dictionary with a grid")
    values = [
        value
        for key, value in zip(tree.keys, tree.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "grid"
    ]
    if not values:
        raise BBAError(f"{path}: grid: missing; a layout of Overcooked-AI has one")
    lines = values[-1].elts if isinstance(values[-1], ast.List | ast.Tuple) else [values[-1]]
    texts = [line.value for line in lines if isinstance(line, ast.Constant) and isinstance(line.value, str)]
    if len(texts) != len(lines):
        raise BBAError(f"{path}: grid: should be a text of several lines")
    return "\n".join(texts)


def _check(path: Path, rows: tuple[str, ...]) -> None:
    if not rows or not rows[0]:
        raise BBAError(f"{path}: grid: empty")
    if max(len(rows), *map(len, rows)) > LARGEST_SIDE:
        raise BBAError(f"{path}: grid: more than {LARGEST_SIDE} tiles long; kitchens have at most that")
    for y, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise BBAError(f"{path}: grid row {y + 1}: {len(row)} tiles where row 1 has {len(rows[0])}")
        unknown = next((x for x, tile in enumerate(row) if tile not in CHARACTERS and not tile.isdecimal()), None)
        if unknown is not None:
            place = position_text((unknown, y)).removeprefix("map ")
            raise BBAError(
                f"{path}: grid {place}: unknown character {row[unknown]!r}; allowed are {CHARACTERS!r}, 1, 2"
            )
    starts = re.findall(r"\d", "".join(rows))
    if any(int(start) > COOKS for start in starts):
        raise BBAError(f"{path}: grid: {len(starts)} cooks; kitchens have two, so leave 1 and 2 only")
    twice = next((start for start in starts if starts.count(start) > 1 or start == "0"), None)
    if twice is not None:
        raise BBAError(f"{path}: grid: the start {twice!r} should be 1 or 2, and each once")
