"""Sends a terminal the cells that change, where Textual sends more.

Textual draws a line anew from where a changed widget begins in it. On a screen that changes in many small places ten
times a second, most of these bytes say what the terminal shows already, which matters over SSH. What is written to the
terminal goes through here, by Textual's own way for other drivers.
"""

import re
import sys
from collections.abc import Iterator

from rich.cells import cell_len
from textual.driver import Driver

# A move of the cursor, a style, a text, and what is neither: other sequences, among them a clear screen.
CURSOR_MOVE, STYLE_CODE, PLAIN_TEXT = r"\x1b\[(\d+);(\d+)H", r"\x1b\[([\d;]*)m", r"([^\x00-\x1f]+)"
OTHER_CODE = r"(\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b?[^\n])"
FRAME_BEGIN = re.compile(CURSOR_MOVE)  # with a move it begins
TOKEN = re.compile(f"{CURSOR_MOVE}|{STYLE_CODE}|{PLAIN_TEXT}|\n|{OTHER_CODE}")
HARMLESS = re.compile(r"\x1b\[\?2026[hl]|\x1b\]22;.*|\x07")  # a frame begins or ends, the mouse's shape, the bell
LEAST_RUN = 3  # equal cells between two changes from which it takes fewer bytes to leave them out

Cell = tuple[str, str] | None  # a character and its style, as an escape sequence has it; None for an unknown one


class TerminalCells:
    """What a terminal shows, as far as it is known from what it was sent."""

    def __init__(self) -> None:
        self._rows: dict[int, list[Cell]] = {}

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
        for move_row, move_column, new_style, text, other in TOKEN.findall(data):
            if move_row:
                row, column = int(move_row), int(move_column)
            elif text:
                width = cell_len(text)
                for first, last in self._write(row, column, text, style, wide=width != len(text)):
                    if at != (row, column + first):
                        sent.append(f"\x1b[{row};{column + first}H")
                    if style != inked:
                        sent.append(f"\x1b[0;{style}m" if style else "\x1b[0m")
                    sent.append(text[first:last])
                    at, inked = (row, column + (last if width == len(text) else width)), style
                column += width
            elif other:
                sent.append(other)
                if not HARMLESS.fullmatch(other):
                    self.forget()
            else:
                style = "" if new_style == "0" else new_style
        if inked:
            sent.append("\x1b[0m")
        return "".join((*sent, f"\x1b[{row};{column}H" if row and at != (row, column) else ""))

    def _write(self, row: int, column: int, text: str, style: str, *, wide: bool) -> Iterator[tuple[int, int]]:
        """Takes note of a text; yields which parts of it change anything: all of it, if characters take two cells."""
        if wide:
            self._rows.pop(row, None)
            yield 0, len(text)
            return
        known = self._rows.setdefault(row, [])
        known += [None] * (column + len(text) - len(known))
        cells: list[Cell] = [(char, style) for char in text]
        before = known[column : column + len(text)]
        if before == cells:
            return
        known[column : column + len(text)] = cells
        changes = [place for place, (old, new) in enumerate(zip(before, cells, strict=True)) if old != new]
        first = changes[0]
        for place, following in zip(changes, (*changes[1:], sys.maxsize), strict=True):
            if following > place + LEAST_RUN:
                yield first, place + 1
                first = following


def sparing_driver(driver: type[Driver], cells: TerminalCells) -> type[Driver]:
    """Returns a driver that sends the changed cells only; on Windows, whose consoles get no whole frames, the same."""
    if sys.platform == "win32":
        return driver

    def write(self: Driver, data: str) -> None:
        driver.write(self, cells.changed(data))

    return type(driver.__name__, (driver,), {"write": write})
