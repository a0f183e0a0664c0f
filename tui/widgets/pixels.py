"""A picture in the terminal, of which only the rows that changed are drawn again, with characters over some cells.

It is made of half blocks, two rows of pixels in a row of text: a cell shows the upper pixel as the foreground of ``▀``
and the lower one as its background; runs of equal cells become one segment. A cell is one number: the upper pixel's
colour in the upper 24 bits, the lower one's in the lower 24, and above them whether there is no lower pixel.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.filter import dim_color
from textual.geometry import Offset, Size
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

from tui.style import KeepsLines

RGBImage = NDArray[np.uint8]
Cells = NDArray[np.int64]

HALF_BLOCK = "▀"
BITS = 24  # of a colour
PIECE = 20  # cells of a row that are made together
PIECES = 512  # pieces that are kept
CELL = np.dtype(np.int64).itemsize  # bytes
HALF = 1 << (2 * BITS)  # of a cell without a lower pixel, which shows the ground there


def cells_of(picture: RGBImage) -> Cells:
    """Returns the cells (rows, width) of a picture (height, width, 3); a single last row has no lower half."""
    height, width = picture.shape[:2]
    odd = height % 2
    colours = np.zeros((height + odd, width), np.int64)
    pixels = picture.astype(np.int64)
    red = pixels[..., 0]
    green = pixels[..., 1]
    blue = pixels[..., 2]
    colours[:height] = (red << 16) | (green << 8) | blue
    upper = colours[::2]
    lower = colours[1::2]
    cells: Cells = (upper << BITS) | lower
    if odd:
        cells[-1] |= HALF
    return cells


def segments_of(cells: Sequence[int], labels: Mapping[int, tuple[str, Style]]) -> list[Segment]:
    """Returns the cells of a row as segments, with labels by column."""
    segments: list[Segment] = []
    labels_in_row = map(labels.get, range(len(cells)))
    for (cell, label), run in groupby(zip(cells, labels_in_row, strict=True)):
        length = len(list(run))
        if label is None:
            segments.append(_run(cell, length))
        else:
            char, style = label
            _add_label(segments, char * length, _over(cell, style))
    return segments


def _strip_of(cells: bytes, labels: tuple[tuple[int, tuple[str, Style]], ...]) -> Strip:
    """Returns some cells of a row, with labels by column."""
    segments = segments_of(np.frombuffer(cells, np.int64).tolist(), dict(labels))
    return Strip(segments, len(cells) // CELL)


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
    char = " " if upper == lower else HALF_BLOCK
    return Segment(char * length, _half_block(cell))


@lru_cache(maxsize=4096)
def _half_block(cell: int) -> Style:
    upper, lower = _halves(cell)
    if lower is None:
        return Style(color=Color.from_rgb(*upper))
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))


@lru_cache(maxsize=4096)
def _over(cell: int, style: Style) -> Style:
    """Returns a label's style over a cell; without a background of its own, on the mean colour of the two pixels."""
    upper, lower = _halves(cell)
    if lower is None:
        lower = upper
    red, green, blue = ((a + b) // 2 for a, b in zip(upper, lower, strict=True))
    mean = Color.from_rgb(red, green, blue)
    over = Style(bgcolor=mean) + style
    if over.dim and over.color:
        return over + Style(color=dim_color(mean, over.color), dim=False)
    return over


def _halves(cell: int) -> tuple[bytes, bytes | None]:
    """Returns the upper and the lower pixel, RGB; None for a lower one that does not exist."""
    upper, lower = divmod(cell % HALF, 1 << BITS)
    upper_pixel = upper.to_bytes(3, "big")
    if cell >= HALF:
        return upper_pixel, None
    return upper_pixel, lower.to_bytes(3, "big")


Cell = tuple[int, int]  # column and row
Label = tuple[str, Style]
Labels = Mapping[Cell, Label]
LabelsByRow = dict[int, dict[int, Label]]  # the labels of each row by their columns


def written(text: str, column: int, row: int, style: Style) -> dict[Cell, Label]:
    """Returns labels for a text that begins at a cell."""
    return {(column + place, row): (char, style) for place, char in enumerate(text)}


class PixelCanvas(KeepsLines):
    """Shows an RGB picture, centred where the widget is larger; what does not fit is cut off at the right and below."""

    DEFAULT_CSS = "PixelCanvas { width: 1fr; height: 1fr; }"

    subtitle = var("", init=False)

    def __init__(self, *above: Widget, id: str | None = None) -> None:
        super().__init__(*above, id=id)
        self._cells: Cells = cells_of(np.zeros((0, 0, 3), dtype=np.uint8))
        self._labels: LabelsByRow = {}
        self._strip_of = lru_cache(maxsize=PIECES)(_strip_of)

    def show(self, picture: RGBImage, labels: Labels | None = None) -> None:
        """Shows `picture`, a uint8 array (height, width, 3), of which no part is kept.

        `labels` puts a character of one cell's width over cells (column, row) of the picture; a label without a
        background takes the mean colour of the two pixels beneath.
        """
        old_cells = self._cells
        old_labels = self._labels
        new_cells = cells_of(picture)
        new_labels: LabelsByRow = {}
        if labels:
            for (column, row), label in labels.items():
                new_labels.setdefault(row, {})[column] = label
        self._cells = new_cells
        self._labels = new_labels
        if new_cells.shape != old_cells.shape:
            self.refresh(layout=True)
            return
        labelled_rows = old_labels.keys() | new_labels.keys()
        changed_rows = {row for row in labelled_rows if old_labels.get(row) != new_labels.get(row)}
        differs = (old_cells != new_cells).any(axis=1)
        changed_rows.update(np.flatnonzero(differs).tolist())
        if changed_rows:
            top = self.origin.y
            self.refresh_rows(top + row for row in changed_rows)

    def on_resize(self) -> None:
        self._paint()

    def notify_style_update(self) -> None:
        """Paints in the colours of another theme."""
        super().notify_style_update()
        self._paint()

    def _paint(self) -> None:
        """Paints the picture; a canvas whose pictures come from outside has nothing to paint."""

    def watch_subtitle(self, text: str) -> None:
        """Writes into the lower border, if it is new; Textual would draw everything again all the same."""
        self.border_subtitle = Content(text)

    @property
    def picture_size(self) -> Size:
        """The picture's size in cells."""
        rows, columns = self._cells.shape
        return Size(columns, rows)

    @property
    def origin(self) -> Offset:
        """The cell of the widget's content that holds the picture's top left corner."""
        return self._origin_in(self.content_size)

    def _origin_in(self, room: Size) -> Offset:
        picture = self.picture_size
        column = max(0, (room.width - picture.width) // 2)
        row = max(0, (room.height - picture.height) // 2)
        return Offset(column, row)

    def text_of(self, row: int) -> str:
        """Returns the labels in a row of the picture as text, with spaces between."""
        labels = self._labels.get(row, {})
        last_column = max(labels, default=-1)
        return "".join(labels[column][0] if column in labels else " " for column in range(last_column + 1))

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        """Returns the picture's width, for ``width: auto``."""
        return self.picture_size.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Returns the picture's height in cells, for ``height: auto``."""
        return self.picture_size.height

    def render_line(self, y: int) -> Strip:
        return Strip.join(self.content_pieces(y, self.content_size))

    def content_pieces(self, row: int, room: Size) -> list[Strip]:
        """Returns a row of the content; pieces that were drawn before come from a cache."""
        rows, columns = self._cells.shape
        margin, top = self._origin_in(room)
        blank = self.visual_style.rich_style
        y = row - top
        end = min(columns, room.width)
        if not (0 <= y < rows and end):
            return [Strip.blank(room.width, blank)]
        labels = self._labels.get(y, {})
        cells = self._cells[y].tobytes()
        pieces = [Strip.blank(margin, blank)]
        # No border parts two labels, which may be letters of one word.
        borders = [column for column in range(PIECE, end, PIECE) if column not in labels or column - 1 not in labels]
        for first, last in pairwise([0, *borders, end]):
            piece_cells = cells[first * CELL : last * CELL]
            piece_labels = [(column - first, label) for column, label in labels.items() if first <= column < last]
            pieces.append(self._strip_of(piece_cells, tuple(piece_labels)))
        if self._cells[y, 0] >= HALF:
            pieces = [piece.apply_style(blank) for piece in pieces]
        right_margin = room.width - margin - end
        pieces.append(Strip.blank(right_margin, blank))
        return pieces
