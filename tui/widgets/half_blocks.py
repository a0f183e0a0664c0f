"""Cells of text as two rows of pixels each, in half blocks, with characters over some of them.

A cell shows the upper pixel as the foreground of ``▀`` and the lower one as its background; runs of equal cells become
one segment. A cell is one number: the upper pixel's colour in the upper 24 bits, the lower one's in the lower 24, and
above them whether there is no lower pixel.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

RGBImage = NDArray[np.uint8]
Cells = NDArray[np.int64]

HALF_BLOCK = "▀"
BITS = 24  # of a colour
HALF = 1 << (2 * BITS)  # of a cell without a lower pixel, which shows the ground there
GAP = 3  # equal cells between two changes from which it takes fewer bytes to leave them out


def cells_of(picture: RGBImage) -> Cells:
    """Returns the cells (rows, width) of a picture (height, width, 3); a single last row has no lower half."""
    height, width = picture.shape[:2]
    colours = np.zeros((height + height % 2, width), np.int64)
    pixels = picture.astype(np.int64)
    colours[:height] = (pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]
    cells: Cells = (colours[::2] << BITS) | colours[1::2]
    if height % 2:
        cells[-1] |= HALF
    return cells


def runs(changed: NDArray[np.bool_]) -> Iterator[tuple[int, int, int]]:
    """Yields where cells changed, (rows, width): row, first column and number of columns."""
    here, first, last = -1, 0, 0
    for row, column in zip(*(places.tolist() for places in np.nonzero(changed)), strict=True):
        if row != here or column > last + GAP:
            if here >= 0:
                yield here, first, last + 1 - first
            here, first = row, column
        last = column
    if here >= 0:
        yield here, first, last + 1 - first


def segments_of(cells: Sequence[int], labels: Mapping[int, tuple[str, Style]]) -> list[Segment]:
    """Returns the cells of a row as segments, with labels by column."""
    segments: list[Segment] = []
    start, width = 0, len(cells)
    for column, cell in enumerate(cells):
        label = labels.get(column)
        if label is not None:
            _add_label(segments, label[0], _over(cell, label[1]))
            start = column + 1
        elif column + 1 == width or cells[column + 1] != cell or column + 1 in labels:
            segments.append(_run(cell, column + 1 - start))
            start = column + 1
    return segments


def _add_label(segments: list[Segment], char: str, style: Style) -> None:
    """Adds a character; to the last segment if it looks the same."""
    if segments and segments[-1].style is style:
        segments[-1] = Segment(segments[-1].text + char, style)
    else:
        segments.append(Segment(char, style))


@lru_cache(maxsize=8192)
def _run(cell: int, length: int) -> Segment:
    upper, lower = _halves(cell)
    # A cell of one colour is a space: many fonts leave a hairline between the halves of a block.
    return Segment((" " if upper == lower else HALF_BLOCK) * length, _half_block(cell))


@lru_cache(maxsize=4096)
def _half_block(cell: int) -> Style:
    upper, lower = _halves(cell)
    return Style(color=Color.from_rgb(*upper), bgcolor=None if lower is None else Color.from_rgb(*lower))


@lru_cache(maxsize=4096)
def _over(cell: int, style: Style) -> Style:
    """Returns a label's style over a cell; without a background of its own, on the mean colour of the two pixels."""
    upper, lower = _halves(cell)
    mean = Color.from_rgb(*((a + b) // 2 for a, b in zip(upper, lower or upper, strict=True)))
    return Style(bgcolor=mean) + style


def _halves(cell: int) -> tuple[bytes, bytes | None]:
    upper, lower = divmod(cell % HALF, 1 << BITS)
    return upper.to_bytes(3, "big"), None if cell >= HALF else lower.to_bytes(3, "big")
