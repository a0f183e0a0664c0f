"""How the watch screen divides a terminal between the kitchen, the columns of panels and the timeline."""

from typing import NamedTuple

from textual.geometry import Size

from bba.kitchen import Layout
from tui.style.base_screen import BARS, FRAME, HEIGHTS, side_width
from tui.widgets.board_picture import picture_size, tile_size

WIDE = 160  # columns of the terminal from which the timeline lies under kitchen and panels
COLUMN = (36, 46)  # cells of a column of panels beside others: the least, and the most that it can be read with
SINGLE = 44  # the least of a single column on such a terminal
STRIP, STRIP_FROM = 6, 36  # rows of the timeline with its frame, on terminals of so many rows or more
STRIP_LEAST = 2  # rows of the timeline on smaller ones; where there are no more, neither has a frame
STRIP_MOST = 20  # rows beyond which it grows no further; the kitchen gets the rest
PANELS = 32  # rows that a column with both gates takes
FOOTNOTE = PANELS + 6  # rows from which the symbols are explained below them


class WatchRoom(NamedTuple):
    """Sizes in cells.

    Attributes:
        kitchen: the room of the kitchen, with its frame.
        tile: the tiles' edge in pixels.
        columns: the number of columns of panels, 1 or 2.
        rows: rows of these columns.
        wide: whether the timeline lies under kitchen and panels, not under the kitchen alone.
        framed: whether kitchen and timeline have frames.
    """

    kitchen: Size
    tile: int
    columns: int
    rows: int
    wide: bool
    framed: bool = True

    @property
    def height_class(self) -> str:
        """The class of screens by which the style sheet hides panels, for a terminal of these rows."""
        return next(name for rows, name in reversed(HEIGHTS) if self.rows + BARS >= rows)


def watch_room(layout: Layout, terminal: Size) -> WatchRoom:
    """Divides a terminal: the largest tiles come first, then two columns of panels, then what each of them can use."""
    body = Size(terminal.width, terminal.height - BARS)
    if terminal.width < WIDE:
        return _upright(layout, body)
    return max((_wide(layout, body, columns) for columns in (2, 1)), key=lambda room: room.tile)


def _upright(layout: Layout, body: Size) -> WatchRoom:
    """Returns the room with one column of panels over the whole height, and the timeline under the kitchen."""
    strip = STRIP + FRAME if body.height + BARS >= STRIP_FROM else STRIP_LEAST
    side = side_width(body.width)
    tile = tile_size(layout, Size(body.width - side - FRAME, body.height - strip))
    picture = picture_size(layout, tile)
    framed = body.height - picture.height >= STRIP_LEAST + 2 * FRAME
    frame = FRAME if framed else 0
    width = max(picture.width + frame, body.width - max(side, COLUMN[1]))
    return WatchRoom(Size(width, picture.height + frame), tile, 1, body.height, wide=False, framed=framed)


def _wide(layout: Layout, body: Size, columns: int) -> WatchRoom:
    """Returns the room with the timeline under kitchen and panels, which have so many columns."""
    least = columns * COLUMN[0] if columns > 1 else SINGLE
    tile = tile_size(layout, Size(body.width - least - FRAME, body.height - STRIP - FRAME))
    picture = picture_size(layout, tile)
    side = min(body.width - picture.width - FRAME, columns * COLUMN[1])
    rows = max(picture.height + FRAME, min(PANELS, body.height - STRIP), body.height - STRIP_MOST)
    return WatchRoom(Size(body.width - side, rows), tile, columns, rows, wide=True)
