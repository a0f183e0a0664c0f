"""A row of text as two rows of pixels, in half blocks, with characters over some of its cells.

A cell shows the upper pixel as the foreground of ``▀`` and the lower one as its background. Runs of equal cells become
one segment.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

RGBImage = NDArray[np.uint8]

HALF_BLOCK = "▀"
_WEIGHTS = np.array([1 << 16, 1 << 8, 1])  # of red, green and blue in a colour's number
_HALF = 24  # bits of a cell's number that hold the lower pixel's colour; the bits above hold the upper one's


def row_segments(pixels: RGBImage, labels: Mapping[int, tuple[str, Style]]) -> list[Segment]:
    """Returns one or two rows of pixels (1 or 2, width, 3) as segments, with labels by column.

    The lower half of a single last row is black.
    """
    colours = pixels @ _WEIGHTS
    cells = colours[0] << _HALF
    if len(colours) > 1:
        cells |= colours[1]
    changes = np.flatnonzero(cells[1:] != cells[:-1]) + 1
    width, values = len(cells), cells.tolist()
    edges = {0, width, *changes.tolist()}
    edges.update(edge for column in labels if 0 <= column < width for edge in (column, column + 1))
    segments: list[Segment] = []
    for start, end in pairwise(sorted(edges)):
        label = labels.get(start)
        if label is None:
            segments.append(_run(values[start], end - start))
        else:
            _add_label(segments, label[0], _over(values[start], label[1]))
    return segments


def _add_label(segments: list[Segment], char: str, style: Style) -> None:
    """Adds a character; to the last segment if it looks the same."""
    if segments and segments[-1].style is style:
        segments[-1] = Segment(segments[-1].text + char, style)
    else:
        segments.append(Segment(char, style))


@lru_cache(maxsize=4096)
def _run(cell: int, length: int) -> Segment:
    upper, lower = _halves(cell)
    # A cell of one colour is a space: many fonts leave a hairline between the halves of a block.
    return Segment((" " if upper == lower else HALF_BLOCK) * length, _half_block(cell))


@lru_cache(maxsize=4096)
def _half_block(cell: int) -> Style:
    upper, lower = _halves(cell)
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))


@lru_cache(maxsize=4096)
def _over(cell: int, style: Style) -> Style:
    """Returns a label's style over a cell; without a background of its own, on the mean colour of the two pixels."""
    upper, lower = _halves(cell)
    mean = Color.from_rgb(*((a + b) // 2 for a, b in zip(upper, lower, strict=True)))
    return Style(bgcolor=mean) + style


def _halves(cell: int) -> tuple[bytes, bytes]:
    upper, lower = divmod(cell, 1 << _HALF)
    return upper.to_bytes(3, "big"), lower.to_bytes(3, "big")
