"""A picture in the terminal, made of half blocks: two rows of pixels in a row of text.

Only the cells under changed pixels are drawn again, so that a board that changes in two places costs two small regions.
"""

from collections.abc import Iterable, Mapping
from typing import Self

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.strip import Strip
from textual.widget import Widget

from tui.style.compositor import filtered
from tui.widgets.half_blocks import RGBImage, row_segments

Cell = tuple[int, int]
Labels = Mapping[Cell, tuple[str, Style]]
Rectangle = tuple[int, int, int, int]


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
        means those that differ from the array before, or everything in the same array. Changed labels need not be
        listed.
        """
        labels = dict(labels or {})
        resized = buffer.shape != self._picture.shape
        if dirty is None and not resized and buffer is not self._picture:
            dirty = _differing(self._picture, buffer)
        regions = [*map(_covering, dirty or ())]
        regions += [cell for cell in _changed_labels(self._labels, labels) if not _any_holds(regions, cell)]
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
        return self._row(y, 0, self.content_size.width)

    def render_part(self, part: Region) -> list[Strip]:
        """Returns some cells of the widget's content."""
        return filtered(self, (self._row(row, part.x, part.right) for row in part.line_range))

    def _row(self, y: int, start: int, end: int) -> Strip:
        """Returns the cells of a row from one column up to another."""
        blank, (left, top), picture = self.visual_style.rich_style, self.origin, self._picture
        row, first, last = y - top, max(0, start - left), min(picture.shape[1], end - left)
        if not 0 <= row < (len(picture) + 1) // 2 or first >= last:
            return Strip.blank(end - start, blank)
        labels = {column - first: label for (column, at), label in self._labels.items() if at == row}
        segments = [Segment(" " * (left - start), blank)] if start <= left else []
        segments += row_segments(picture[2 * row : 2 * row + 2, first:last], labels)
        return Strip(segments, max(0, left - start) + last - first).adjust_cell_length(end - start, blank)


def _covering(rectangle: Rectangle) -> Region:
    """Returns the cells that a rectangle of pixels touches."""
    x, y, width, height = rectangle
    top, bottom = y // 2, (y + height + 1) // 2
    return Region(x, top, width, bottom - top)


def _differing(before: RGBImage, now: RGBImage) -> list[Rectangle]:
    """Returns in each row that differs the pixels from the first to the last one that do."""
    differs = (before != now).any(axis=2)
    rows = np.flatnonzero(differs.any(axis=1)).tolist()
    ends = [np.flatnonzero(differs[row])[[0, -1]].tolist() for row in rows]
    return [(first, row, last + 1 - first, 1) for row, (first, last) in zip(rows, ends, strict=True)]


def _any_holds(regions: Iterable[Region], cell: Region) -> bool:
    return any(region.contains_region(cell) for region in regions)


def _changed_labels(old: Labels, new: Labels) -> list[Region]:
    return [Region(*cell, 1, 1) for cell in old.keys() | new.keys() if old.get(cell) != new.get(cell)]
