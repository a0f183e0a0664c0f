"""Sends a terminal the runs of cells that change, where Textual sends more.

Textual draws a line anew from where a changed widget begins in it. On a screen that changes in many small places ten
times a second, most of these bytes say what the terminal shows already, which matters over SSH. What is written to the
terminal goes through here, by Textual's own way for other drivers.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Self

from rich.cells import cell_len
from rich.style import Style
from textual.color import Color
from textual.containers import Vertical
from textual.driver import Driver
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

# A move of the cursor, a text with its style, and other sequences, among them a clear screen.
CURSOR_MOVE = r"\x1b\[(\d+);(\d+)H"
RESET = "\x1b[0m"
OTHER_CODE = r"(\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b?[^\n])"
FRAME_BEGIN = re.compile(CURSOR_MOVE)  # with a move it begins
TOKEN = re.compile(rf"(\x1b\[[\d;]*m)?([^\x00-\x1f]+)|(\x1b\[[\d;]*m)|{CURSOR_MOVE}|{OTHER_CODE}")
HARMLESS = re.compile(r"\x1b\[\?2026[hl]|\x1b\]22;.*|\x07")  # a frame begins or ends, the mouse's shape, the bell

Cell = tuple[str, str] | None  # a character and its style, as an escape sequence has it; None for an unknown one
# A text, its style, the cells that it takes, these cells; or where the cursor moves to; or another sequence.
Token = tuple[str, str, int, list[Cell], tuple[int, int] | None, str]


class TerminalCells:
    """What a terminal shows, as far as it is known from what it was sent."""

    def __init__(self) -> None:
        self._rows: defaultdict[int, list[Cell]] = defaultdict(list)

    def forget(self) -> None:
        """Knows of no cell any more what it shows, as after a change of the terminal's size."""
        for cells in self._rows.values():
            cells.clear()

    def changed(self, data: str) -> str:
        """Returns what is to be sent so that the terminal shows what it would after this: a frame, or a sequence."""
        if not FRAME_BEGIN.match(data):
            if not HARMLESS.fullmatch(data):
                self.forget()
            return data
        sent: list[str] = []
        row = 0
        column = 0
        cells_of_row = self._rows[row]
        at = (0, 0)  # where the terminal's cursor is
        inked = ""  # the style in which it writes
        for text, style, width, cells, move, sequence in chain.from_iterable(map(_tokens, data.split(RESET))):
            if text:
                if cells_of_row[column : column + width] != cells:  # most of it is shown, which is soon seen
                    cells_of_row += [None] * (column + width - len(cells_of_row))
                    cells_of_row[column : column + width] = cells
                    if width != len(cells):  # characters take two cells: from here on no cell is known
                        cells_of_row.clear()
                    if at != (row, column):
                        sent.append(f"\x1b[{row};{column}H")
                    if style != inked:
                        sent.append(f"\x1b[0;{style}m" if style else RESET)
                    sent.append(text)
                    at = (row, column + width)
                    inked = style
                column += width
            elif move:
                row, column = move
                cells_of_row = self._rows[row]
            else:
                sent.append(sequence)
                if not HARMLESS.fullmatch(sequence):
                    self.forget()
        if inked:
            sent.append(RESET)
        if row and at != (row, column):
            sent.append(f"\x1b[{row};{column}H")
        return "".join(sent)


@lru_cache(maxsize=8192)
def _tokens(data: str) -> list[Token]:
    tokens = list[Token]()
    style = ""
    for text_style, text, new_style, row, column, sequence in TOKEN.findall(data):
        style_sequence = text_style or new_style
        if style_sequence:
            style = style_sequence[2:-1]
        if text:
            tokens.append((text, style, cell_len(text), [(char, style) for char in text], None, ""))
        elif row:
            tokens.append(("", "", 0, [], (int(row), int(column)), sequence))
        elif sequence:
            tokens.append(("", "", 0, [], None, sequence))
    return tokens


def sparing_driver(driver: type[Driver], cells: TerminalCells) -> type[Driver]:
    """Returns a driver that sends the changed cells only."""

    def write(self: Driver, data: str) -> None:
        driver.write(self, cells.changed(data))

    return type(driver.__name__, (driver,), {"write": write})


class KeepsLines(Widget):
    """A widget whose lines are made again only where they changed.

    For every change Textual asks all widgets around it for all their lines. Here they are kept until the widget is
    refreshed or has another size or style; of rows that are refreshed the content is made again.
    """

    _kept_for: tuple[Region, Size] | None = None  # the part and the size that lines are kept of; None for no lines
    _outdated: frozenset[int] = frozenset()  # the rows of the content that are to be made again
    # Both ends of its lines; the room between them, and its colour and style where nothing is.
    _sides: tuple[Strip, Strip, Size, Color, Style] | None = None

    def render_lines(self, crop: Region) -> list[Strip]:
        """Returns the lines of a part of the widget."""
        kept_for = (crop, self.outer_size)
        outdated = self._outdated
        self._outdated = frozenset()
        if kept_for != self._kept_for or (outdated and crop.size != self.outer_size):
            self._kept_for = kept_for
            self._kept_lines = super().render_lines(crop)
            self._sides = None
        elif outdated:
            self._make_again(outdated)
        return self._kept_lines

    def _make_again(self, rows: frozenset[int]) -> None:
        lines = self._kept_lines
        top, _, bottom, left = self.gutter
        filters = self.get_line_filters()
        if self._sides is None:
            room = self.content_size
            line = lines[top]
            background = self.background_colors[1]
            ground = Style(bgcolor=background.rich_color)
            self._sides = line.crop(0, left), line.crop(left + room.width), room, background, ground
        start, end, room, background, ground = self._sides
        console = self.app.console
        for row in rows.intersection(range(len(lines) - top - bottom)):
            content = self.content_pieces(row, room)
            free = room.width - sum(piece.cell_length for piece in content)
            pieces = [piece for piece in (*content, Strip.blank(free, ground)) if piece.cell_length]
            for line_filter in filters:
                pieces = [piece.apply_filter(line_filter, background) for piece in pieces]
            parts = start, *pieces, end
            for part in parts:
                part.render(console)  # what is rendered already need not be when it is joined
            lines[top + row] = Strip.join(parts)

    def content_pieces(self, row: int, room: Size) -> Sequence[Strip]:  # noqa: ARG002 - for what fits itself in
        """Returns a row of the content, which has so much room, in pieces beside each other."""
        return (self.render_line(row),)

    def refresh_rows(self, rows: Iterable[int]) -> None:
        """Has rows of the content drawn again, whole lines of the widget, which spares Textual to cut them."""
        kept_for = self._kept_for
        left = self.gutter.left
        width = self.outer_size.width
        self._outdated |= frozenset(rows)
        # Rows below each other are drawn as one region.
        first_rows = sorted(row for row in self._outdated if row - 1 not in self._outdated)
        last_rows = sorted(row for row in self._outdated if row + 1 not in self._outdated)
        regions = [
            Region(-left, first, width, last - first + 1) for first, last in zip(first_rows, last_rows, strict=True)
        ]
        self.refresh(*regions)
        self._kept_for = kept_for

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Has the widget drawn again."""
        self._kept_for = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Returns Textual's filters without that for dim text and the terminal's own colours: here are none."""
        filters = super().get_line_filters()
        return [line_filter for line_filter in filters if not isinstance(line_filter, ANSIToTruecolor)]

    def notify_style_update(self) -> None:
        """Has the widget drawn again in its new styles."""
        self._kept_for = None
        super().notify_style_update()


class BareColumn(Vertical):
    """Widgets below each other on the ground of the screen, which draws it for all."""

    def render_lines(self, crop: Region) -> list[Strip]:  # noqa: ARG002 - Textual's signature
        """Returns no line: what the widgets leave free is the screen's."""
        return []
