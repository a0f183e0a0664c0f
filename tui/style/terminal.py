"""Sends a terminal the cells that change, where Textual sends more.

Textual draws a line anew from where a changed widget begins in it. On a screen that changes in many small places ten
times a second, most of these bytes say what the terminal shows already, which matters over SSH. What is written to the
terminal goes through here, by Textual's own way for other drivers.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from rich.cells import cell_len
from textual.driver import Driver

# A move of the cursor, a text with its style and that one's end, and other sequences, among them a clear screen.
CURSOR_MOVE, PLAIN_TEXT = r"\x1b\[(\d+);(\d+)H", r"([^\x00-\x1f]+)"
STYLED_TEXT = rf"(\x1b\[[\d;]*m){PLAIN_TEXT}?(\x1b\[0m)?"
OTHER_CODE = r"(\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b?[^\n])"
FRAME_BEGIN = re.compile(CURSOR_MOVE)  # with a move it begins
TOKEN = re.compile(f"{STYLED_TEXT}|{CURSOR_MOVE}|{PLAIN_TEXT}|\n|{OTHER_CODE}")
UNSTYLED = ("\x1b[0m", "\x1b[m")
HARMLESS = re.compile(r"\x1b\[\?2026[hl]|\x1b\]22;.*|\x07")  # a frame begins or ends, the mouse's shape, the bell
LEAST_RUN = 3  # equal cells between two changes from which it takes fewer bytes to leave them out

Cell = tuple[str, str] | None  # a character and its style, as an escape sequence has it; None for an unknown one


class TerminalCells:
    """What a terminal shows, as far as it is known from what it was sent."""

    def __init__(self) -> None:
        self._rows: defaultdict[int, list[Cell]] = defaultdict(list)

    def forget(self) -> None:
        """Knows of no cell any more what it shows, as after a change of the terminal's size."""
        self._rows.clear()

    def changed(self, data: str) -> str:
        """Returns what is to be sent so that the terminal shows what it would after this: a frame, or a sequence."""
        if not FRAME_BEGIN.match(data):
            if not HARMLESS.fullmatch(data):
                self.forget()
            return data
        sent: list[str] = []
        row, column, style = 0, 0, ""
        at, inked = (0, 0), ""  # where the terminal's cursor is, and in which style it writes
        for new_style, styled, style_end, move_row, move_column, plain, other in TOKEN.findall(data):
            if new_style:
                style = "" if new_style in UNSTYLED else new_style[2:]
            if text := styled or plain:
                width, cells = _cells_of(text, style)
                shown = self._rows[row][column : column + width] == cells  # most of it is, which is soon seen
                for first, last in () if shown else self._write(row, column, width, cells):
                    if at != (row, column + first):
                        sent.append(f"\x1b[{row};{column + first}H")
                    if style != inked:
                        sent.append(f"\x1b[0;{style}" if style else "\x1b[0m")
                    sent.append(text[first:last])
                    at, inked = (row, column + (last if width == len(text) else width)), style
                column += width
            elif move_row:
                row, column = int(move_row), int(move_column)
            elif other:
                sent.append(other)
                if not HARMLESS.fullmatch(other):
                    self.forget()
            if style_end:
                style = ""
        if inked:
            sent.append("\x1b[0m")
        return "".join((*sent, f"\x1b[{row};{column}H" if row and at != (row, column) else ""))

    def _write(self, row: int, column: int, width: int, cells: list[Cell]) -> Iterator[tuple[int, int]]:
        """Takes note of a text; yields its parts that are not shown: all of it, if characters take two cells."""
        if width != len(cells):
            self._rows.pop(row, None)
            yield 0, len(cells)
            return
        known = self._rows[row]
        known += [None] * (column + width - len(known))
        before = known[column : column + width]
        known[column : column + width] = cells
        changes = [place for place, (old, new) in enumerate(zip(before, cells, strict=True)) if old != new]
        first = changes[0]
        for place, following in zip(changes, (*changes[1:], sys.maxsize), strict=True):
            if following > place + LEAST_RUN:
                yield first, place + 1
                first = following


@lru_cache(maxsize=8192)
def _cells_of(text: str, style: str) -> tuple[int, list[Cell]]:
    """Returns how many cells a text takes, and its characters with their style."""
    return cell_len(text), [(char, style) for char in text]


def sparing_driver(driver: type[Driver], cells: TerminalCells) -> type[Driver]:
    """Returns a driver that sends the changed cells only; on Windows, whose consoles get no whole frames, the same."""
    if sys.platform == "win32":
        return driver

    def write(self: Driver, data: str) -> None:
        driver.write(self, cells.changed(data))

    return type(driver.__name__, (driver,), {"write": write})
