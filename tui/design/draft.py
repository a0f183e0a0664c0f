"""A kitchen while it is drawn: any map, with or without mistakes, and the tool, the cursor, undo and redo.

Every change gives a new draft.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Self

from pydantic import ValidationError
from textual.geometry import clamp

from bba.errors import BBAError
from bba.files import first_problem
from bba.kitchen import TILE_CHARS, Layout, Position

FLOOR, COUNTER = " X"
STARTS = "12"
# marks on counters, beside the characters of the map
PASS = "pass"
EXTINGUISHER = "extinguisher"
KNOWN = TILE_CHARS + STARTS
# tiles across and down
SMALLEST = 3
LARGEST = 40
OFF_THE_MAP = (-1, -1)
NO_EXTINGUISHER = "no extinguisher anywhere; every kitchen needs one on a counter"


@dataclass(frozen=True, slots=True)
class Draft:
    """A map that is drawn, which need not be a kitchen yet.

    Attributes:
        rows: the map, one character a tile; all rows have the same length, 1 or more.
        pass_counters: counters marked as such.
        extinguisher: where it starts; None for nowhere yet.
        rest: what a layout file holds beside the map: plates, timing, orders.
    """

    rows: tuple[str, ...]
    pass_counters: frozenset[Position] = frozenset()
    extinguisher: Position | None = None
    rest: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, layout: Layout) -> Self:
        """Returns a finished kitchen as a draft."""
        rest = layout.model_dump(mode="json", include={"plates", "timing", "orders"})
        return cls(layout.rows, frozenset(layout.pass_counters), layout.extinguisher, rest)

    @property
    def width(self) -> int:
        """Tiles from west to east."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """Tiles from north to south."""
        return len(self.rows)

    def has(self, at: Position) -> bool:
        """Whether a position is on the map."""
        return 0 <= at[0] < self.width and 0 <= at[1] < self.height

    def tiles(self) -> Iterator[tuple[Position, str]]:
        """Yields the position and the character of every tile, in reading order."""
        return (((x, y), char) for y, row in enumerate(self.rows) for x, char in enumerate(row))

    @property
    def counters(self) -> list[Position]:
        """Where counters are, in reading order."""
        return [at for at, char in self.tiles() if char == COUNTER]

    # --- the kitchen -------------------------------------------------------------------------------------------
    def layout(self, name: str) -> Layout:
        """Returns the finished kitchen.

        Raises:
            BBAError: the map has a mistake; the message says where and which.
        """
        marks = {"pass_counters": sorted(self.pass_counters), "extinguisher": self.extinguisher or OFF_THE_MAP}
        try:
            return Layout.model_validate({**self.rest, **marks, "name": name, "map": self.rows})
        except ValidationError as error:
            problem = first_problem(error)
        lacking = self.extinguisher is None and problem.startswith(EXTINGUISHER)
        raise BBAError(NO_EXTINGUISHER if lacking else problem)

    @property
    def mistake(self) -> str:
        """The first mistake in the map; "" where it is a kitchen."""
        try:
            self.layout("draft")
        except BBAError as error:
            return str(error)
        return ""

    def sketch(self) -> Layout:
        """Returns the map as it is, unchecked: for painting, and where both cooks have a start for an analysis.

        Marks outside of the map, which a file may name, are left out.
        """
        rows = tuple("".join(char if char in KNOWN else COUNTER for char in row) for row in self.rows)
        return Layout.model_construct(
            name="draft",
            rows=rows,
            pass_counters=tuple(sorted(filter(self.has, self.pass_counters))),
            extinguisher=self.extinguisher if self.extinguisher and self.has(self.extinguisher) else OFF_THE_MAP,
        )

    def number_of(self, tool: str) -> int:
        """Returns how many tiles there are of a kind, a character of the map, or of a mark."""
        marks = {PASS: len(self.pass_counters), EXTINGUISHER: int(self.extinguisher is not None)}
        return marks.get(tool, sum(row.count(tool) for row in self.rows))

    # --- drawing -----------------------------------------------------------------------------------------------
    def drawn(self, at: Position, tool: str) -> Self:
        """Returns the map with a tile or a mark drawn; a mark makes its tile a counter, a start is moved."""
        if tool == PASS:
            return replace(self._with_tile(at, COUNTER), pass_counters=self.pass_counters ^ {at})
        if tool == EXTINGUISHER:
            return replace(self._with_tile(at, COUNTER), extinguisher=at)
        rows = tuple(row.replace(tool, FLOOR) for row in self.rows) if tool in STARTS else self.rows
        return replace(self, rows=rows)._with_tile(at, tool)

    def _with_tile(self, at: Position, char: str) -> Self:
        """Returns the map with one tile changed; marks stay on counters only."""
        x, y = at
        row = self.rows[y]
        rows = (*self.rows[:y], f"{row[:x]}{char}{row[x + 1 :]}", *self.rows[y + 1 :])
        if char == COUNTER:
            return replace(self, rows=rows)
        extinguisher = None if self.extinguisher == at else self.extinguisher
        return replace(self, rows=rows, pass_counters=self.pass_counters - {at}, extinguisher=extinguisher)

    # --- rows and columns --------------------------------------------------------------------------------------
    def resized(self, how: str, at: int) -> Self:
        """Returns the map with one more row or column after one of them, or without that one.

        A new row or column is floor where that has floor, else counters. Marks stay on their tiles.

        Args:
            how: with_column, without_column, with_row or without_row.
            at: the number of the row or column.
        """
        across = how.endswith("column")
        more = how.startswith("with_")
        lines = list(zip(*self.rows, strict=True)) if across else [tuple(row) for row in self.rows]
        lines[at : at + 1] = (
            [lines[at], tuple(FLOOR if char in FLOOR + STARTS else COUNTER for char in lines[at])] if more else []
        )
        rows = tuple(map("".join, zip(*lines, strict=True) if across else lines))

        def moved(place: Position) -> Position:
            beyond = (1 if more else -1) * (place[0 if across else 1] > at)
            return (place[0] + beyond, place[1]) if across else (place[0], place[1] + beyond)

        kept = [place for place in (*self.pass_counters, self.extinguisher) if place is not None]
        stay = {place: moved(place) for place in kept if more or place[0 if across else 1] != at}
        passes = frozenset(stay[place] for place in self.pass_counters if place in stay)
        extinguisher = stay.get(self.extinguisher) if self.extinguisher is not None else None
        return replace(self, rows=rows, pass_counters=passes, extinguisher=extinguisher)


# Counters around, and both cooks in it.
EMPTY_ROOM = Draft(("XXXXXXXXXX", *["X        X"] * 2, "X   12   X", *["X        X"] * 2, "XXXXXXXXXX"))


class Drawing:
    """A draft that is drawn on, with the drafts before it and those that were undone.

    Args:
        draft: what is drawn at first, which counts as saved.

    Attributes:
        draft: the draft as it is now.
        tool: what is drawn: a character of the map or a mark.
        cursor: the tile on which it is drawn.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._saved = self.draft
        # all of them, those that were undone last, and which one it is now
        self._drafts = [draft]
        self._at = 0
        self.tool = FLOOR
        self.cursor: Position = (1, 1)
        self._in_stroke = False  # whether the stroke has changed anything yet

    @property
    def unsaved(self) -> bool:
        """Whether the draft differs from the one that was saved last."""
        return self.draft != self._saved

    def saved(self) -> None:
        """Notes that the draft has been saved as it is."""
        self._saved = self.draft

    def draw(self, *, same_stroke: bool = False) -> None:
        """Draws with the tool under the cursor; what belongs to the stroke before is undone together with it."""
        self._in_stroke = self._in_stroke and same_stroke
        self._change(self.draft.drawn(self.cursor, self.tool))

    def move(self, right: int, down: int) -> None:
        """Moves the cursor by so many tiles, within the map."""
        x, y = self.cursor
        self.cursor = clamp(x + right, 0, self.draft.width - 1), clamp(y + down, 0, self.draft.height - 1)

    def stroke(self, right: int, down: int) -> None:
        """Draws under the cursor and on the next tile, to which the cursor goes."""
        self.draw()
        before = self.cursor
        self.move(right, down)
        if self.cursor != before:  # a mark that is drawn twice is gone
            self.draw(same_stroke=True)

    def resize(self, how: str) -> bool:
        """Adds or takes out a row or column at the cursor; returns whether the size allows it.

        Args:
            how: with_column, without_column, with_row or without_row.
        """
        along_x = how.endswith("column")
        size = self.draft.width if along_x else self.draft.height
        if not SMALLEST <= size + (1 if how.startswith("with_") else -1) <= LARGEST:
            return False
        self.replace(self.draft.resized(how, self.cursor[0 if along_x else 1]))
        return True

    def replace(self, draft: Draft) -> None:
        """Draws another kitchen in the place of this one, which can be undone."""
        self._in_stroke = False
        self._change(draft)

    def travel(self, by: int) -> bool:
        """Undoes the last stroke (-1), or draws again what was undone last (1); returns whether there is one."""
        there = 0 <= self._at + by < len(self._drafts)
        if there:
            self._show(self._at + by)
        return there

    def _change(self, draft: Draft) -> None:
        """Shows another draft after the one that is shown; in its place if both belong to one stroke."""
        if draft == self.draft:
            return
        at = self._at if self._in_stroke else self._at + 1
        self._drafts[at:] = [draft]
        self._show(at)
        self._in_stroke = True

    def _show(self, at: int) -> None:
        self._at = at
        self.draft = self._drafts[at]
        self.move(0, 0)  # the map may have become smaller
