"""A picture in the terminal, made of half blocks: two rows of pixels in a row of text.

A cell shows the upper pixel as the foreground of ``▀`` and the lower one as its background. Runs of equal cells
become one segment, and only the cells under changed pixels are drawn again, so that a board that changes in two places
costs two small regions.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.strip import Strip
from textual.widget import Widget

RGBImage = NDArray[np.uint8]
Cell = tuple[int, int]
Labels = Mapping[Cell, tuple[str, Style]]
Rectangle = tuple[int, int, int, int]

HALF_BLOCK = "▀"
NO_COLOUR = -1  # of the lower half of a cell that has none


class PixelCanvas(Widget):
    """Shows an RGB picture, centred where the widget is larger; what does not fit is cut off at the right and below."""

    DEFAULT_CSS = "PixelCanvas { width: 1fr; height: 1fr; }"

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._picture: RGBImage = np.zeros((0, 0, 3), dtype=np.uint8)
        self._labels: Labels = {}
        self._subtitle = ""
        self._only: Region | None = None

    def show(self, buffer: RGBImage, labels: Labels | None = None, dirty: Iterable[Rectangle] | None = None) -> None:
        """Shows `buffer`, a uint8 array (height, width, 3).

        The canvas keeps the array, not a copy: it may be painted further in place and shown again. `labels` puts a
        character of one cell's width over cells (column, row) of the picture; a label without a background takes the
        mean colour of the two pixels beneath. `dirty` lists the changed pixel rectangles (x, y, width, height); None
        means everything. Changed labels need not be listed.
        """
        labels = dict(labels or {})
        resized = buffer.shape != self._picture.shape
        regions = [*map(_covering, dirty or ()), *_changed_labels(self._labels, labels)]
        self._picture, self._labels = buffer, labels
        if resized or dirty is None:
            self.refresh(layout=resized)
        elif regions:
            origin = self.origin
            self.refresh(*(region.translate(origin) for region in regions))

    def show_subtitle(self, text: str) -> None:
        """Writes into the lower border and redraws only that; Textual would redraw the whole picture."""
        if text != self._subtitle:
            self._subtitle = text
            self._only = Region(0, self.content_size.height, self.content_size.width, 1)
            self.border_subtitle = Content(text)
            self._only = None

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Redraws as Textual does, but only the lower border while a subtitle is written."""
        regions = regions if self._only is None else (self._only,)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @property
    def picture_size(self) -> Size:
        """The picture's size in cells."""
        height, width = self._picture.shape[:2]
        return Size(width, (height + 1) // 2)

    @property
    def origin(self) -> Offset:
        """The cell of the widget's content that holds the picture's top left corner."""
        room, picture = self.content_size, self.picture_size
        return Offset(max(0, (room.width - picture.width) // 2), max(0, (room.height - picture.height) // 2))

    def text_of(self, row: int) -> str:
        """Returns the labels in a row of the picture as text, with spaces between."""
        chars = {column: char for (column, at), (char, _) in self._labels.items() if at == row}
        return "".join(chars.get(column, " ") for column in range(max(chars, default=-1) + 1))

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        """Returns the picture's width, for ``width: auto``."""
        return self.picture_size.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Returns the picture's height in cells, for ``height: auto``."""
        return self.picture_size.height

    def render_line(self, y: int) -> Strip:
        """Returns one row of the widget's content."""
        width, blank = self.content_size.width, self.rich_style
        left, top = self.origin
        row = y - top
        if not 0 <= row < self.picture_size.height:
            return Strip.blank(width, blank)
        labels = {column: label for (column, at), label in self._labels.items() if at == row}
        strip = Strip([Segment(" " * left, blank), *row_segments(self._picture[2 * row : 2 * row + 2], labels)])
        if 2 * row + 1 == len(self._picture):
            strip = strip.apply_style(blank)  # half a row is left, which shows the widget's own ground
        return strip.adjust_cell_length(width, blank)


def row_segments(pixels: RGBImage, labels: Mapping[int, tuple[str, Style]]) -> list[Segment]:
    """Returns one or two rows of pixels (1 or 2, width, 3) as segments, with labels by column.

    The lower half of a single last row has no colour.
    """
    rgb = pixels.astype(np.int64) @ np.array([1 << 16, 1 << 8, 1])
    upper, lower = rgb[0], rgb[1] if len(rgb) > 1 else np.full_like(rgb[0], NO_COLOUR)
    changes = np.flatnonzero((np.diff(upper) != 0) | (np.diff(lower) != 0)) + 1
    width = len(upper)
    cuts = {0, width, *changes.tolist()}
    cuts.update(cut for column in labels if 0 <= column < width for cut in (column, column + 1))
    edges = sorted(cuts)
    return [
        _run(int(upper[start]), int(lower[start]), end - start, labels.get(start)) for start, end in pairwise(edges)
    ]


def _run(upper: int, lower: int, length: int, label: tuple[str, Style] | None) -> Segment:
    if label is not None:
        char, style = label
        return Segment(char, _mean_ground(upper, lower) + style)
    # A cell of one colour is a space: many fonts leave a hairline between the halves of a block.
    return Segment((" " if upper == lower else HALF_BLOCK) * length, _half_block(upper, lower))


@lru_cache(maxsize=4096)
def _half_block(upper: int, lower: int) -> Style:
    return Style(color=_colour(upper), bgcolor=None if lower == NO_COLOUR else _colour(lower))


@lru_cache(maxsize=1024)
def _mean_ground(upper: int, lower: int) -> Style:
    below = upper if lower == NO_COLOUR else lower
    halves = zip(upper.to_bytes(3, "big"), below.to_bytes(3, "big"), strict=True)
    return Style(bgcolor=Color.from_rgb(*((a + b) // 2 for a, b in halves)))


def _colour(rgb: int) -> Color:
    return Color.from_rgb(*rgb.to_bytes(3, "big"))


def _covering(rectangle: Rectangle) -> Region:
    """Returns the cells that a rectangle of pixels touches."""
    x, y, width, height = rectangle
    top, bottom = y // 2, (y + height + 1) // 2
    return Region(x, top, width, bottom - top)


def _changed_labels(old: Labels, new: Labels) -> list[Region]:
    return [Region(*cell, 1, 1) for cell in old.keys() | new.keys() if old.get(cell) != new.get(cell)]
