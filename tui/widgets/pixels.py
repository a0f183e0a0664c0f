"""A picture in the terminal, made of half blocks: two rows of pixels in a row of text.

Only the cells that changed are drawn again, so that a board that changes in two places costs two small regions.
"""

from collections.abc import Mapping
from typing import Self

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.strip import Strip
from textual.widget import Widget

from tui.style.compositor import filtered
from tui.widgets.half_blocks import HALF, Cells, RGBImage, cells_of, runs, segments_of

Cell = tuple[int, int]
Labels = Mapping[Cell, tuple[str, Style]]


class PixelCanvas(Widget):
    """Shows an RGB picture, centred where the widget is larger; what does not fit is cut off at the right and below."""

    DEFAULT_CSS = "PixelCanvas { width: 1fr; height: 1fr; }"

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._cells: Cells = cells_of(np.zeros((0, 0, 3), dtype=np.uint8))
        self._labels: Labels = {}
        self._subtitle = ""
        self._only: Region | None = None

    def show(self, picture: RGBImage, labels: Labels | None = None) -> None:
        """Shows `picture`, a uint8 array (height, width, 3), of which no part is kept.

        `labels` puts a character of one cell's width over cells (column, row) of the picture; a label without a
        background takes the mean colour of the two pixels beneath.
        """
        cells, labels = cells_of(picture), dict(labels or {})
        before, written = self._cells, self._labels
        self._cells, self._labels = cells, labels
        if cells.shape != before.shape:
            self.refresh(layout=True)
            return
        changed = before != cells
        for (column, row), _ in written.items() ^ labels.items():
            if 0 <= row < changed.shape[0] and 0 <= column < changed.shape[1]:
                changed[row, column] = True
        if regions := [Region(column, row, length, 1) for row, column, length in runs(changed)]:
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
        rows, columns = self._cells.shape
        return Size(columns, rows)

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
        return self._rows(Region(0, y, self.content_size.width, 1))[0]

    def render_part(self, part: Region) -> list[Strip]:
        """Returns some cells of the widget's content."""
        return filtered(self, self._rows(part))

    def _rows(self, part: Region) -> list[Strip]:
        blank, (left, top), (rows, columns) = self.visual_style.rich_style, self.origin, self._cells.shape
        first, end = max(0, part.x - left), min(columns, part.right - left)
        before = [Segment(" " * (left - part.x), blank)] if part.x <= left else []
        return [
            Strip([*before, *self._segments(row, first, end, blank)]).adjust_cell_length(part.width, blank)
            if 0 <= row < rows and first < end
            else Strip.blank(part.width, blank)
            for row in range(part.y - top, part.bottom - top)
        ]

    def _segments(self, row: int, first: int, end: int, ground: Style) -> list[Segment]:
        labels = {
            column - first: self._labels[column, row] for column in range(first, end) if (column, row) in self._labels
        }
        segments = segments_of(self._cells[row, first:end].tolist(), labels)
        return list(Segment.apply_style(segments, ground)) if self._cells[row, first] >= HALF else segments
