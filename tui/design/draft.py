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
from bba.kitchen import TILE_CHARS, Layout, Position
from bba.validation import first_problem

FLOOR = " "
COUNTER = "X"
STARTS = "12"
# marks on counters, beside the characters of the map
PASS = "pass"
EXTINGUISHER = "extinguisher"
KNOWN = TILE_CHARS + STARTS
SMALLEST = 3  # tiles across and down
LARGEST = 40  # tiles across and down
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
        for y, row in enumerate(self.rows):
            for x, char in enumerate(row):
                yield (x, y), char

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
        fields = {
            **self.rest,
            "pass_counters": sorted(self.pass_counters),
            "extinguisher": self.extinguisher or OFF_THE_MAP,
            "name": name,
            "map": self.rows,
        }
        try:
            return Layout.model_validate(fields)
        except ValidationError as error:
            problem = first_problem(error)
        if self.extinguisher is None and problem.startswith(EXTINGUISHER):
            raise BBAError(NO_EXTINGUISHER)
        raise BBAError(problem)

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
        rows = []
        for row in self.rows:
            rows.append("".join(char if char in KNOWN else COUNTER for char in row))
        on_the_map = self.extinguisher is not None and self.has(self.extinguisher)
        return Layout.model_construct(
            name="draft",
            rows=tuple(rows),
            pass_counters=tuple(sorted(at for at in self.pass_counters if self.has(at))),
            extinguisher=self.extinguisher if on_the_map else OFF_THE_MAP,
        )

    def number_of(self, tool: str) -> int:
        """Returns how many tiles there are of a kind, a character of the map, or of a mark."""
        if tool == PASS:
            return len(self.pass_counters)
        if tool == EXTINGUISHER:
            return 0 if self.extinguisher is None else 1
        return sum(row.count(tool) for row in self.rows)

    # --- drawing -----------------------------------------------------------------------------------------------
    def drawn(self, at: Position, tool: str) -> Self:
        """Returns the map with a tile or a mark drawn; a mark makes its tile a counter, a start is moved."""
        if tool == PASS:
            return replace(self._with_tile(at, COUNTER), pass_counters=self.pass_counters ^ {at})
        if tool == EXTINGUISHER:
            return replace(self._with_tile(at, COUNTER), extinguisher=at)
        rows = self.rows
        if tool in STARTS:
            rows = tuple(row.replace(tool, FLOOR) for row in rows)
        return replace(self, rows=rows)._with_tile(at, tool)

    def _with_tile(self, at: Position, char: str) -> Self:
        """Returns the map with one tile changed; marks stay on counters only."""
        x, y = at
        row = self.rows[y]
        new_row = row[:x] + char + row[x + 1 :]
        rows = (*self.rows[:y], new_row, *self.rows[y + 1 :])
        if char == COUNTER:
            return replace(self, rows=rows)
        extinguisher = None if self.extinguisher == at else self.extinguisher
        return replace(self, rows=rows, pass_counters=self.pass_counters - {at}, extinguisher=extinguisher)

    # --- rows and columns --------------------------------------------------------------------------------------
    def resized(self, change: str, at: int) -> Self:
        """Returns the map with one more row or column after one of them, or without that one.

        A new row or column is floor where that has floor, else counters. Marks stay on their tiles.

        Args:
            change: with_column, without_column, with_row or without_row.
            at: the number of the row or column.
        """
        if change.endswith("column"):
            return self._transposed().resized(change.replace("column", "row"), at)._transposed()
        more = change == "with_row"
        rows = list(self.rows)
        if more:
            new_row = "".join(FLOOR if char in FLOOR + STARTS else COUNTER for char in rows[at])
            rows.insert(at + 1, new_row)
        else:
            del rows[at]

        def moved(place: Position) -> Position | None:
            x, y = place
            if y == at and not more:
                return None
            if y > at:
                y += 1 if more else -1
            return x, y

        moved_counters = [moved(place) for place in self.pass_counters]
        return replace(
            self,
            rows=tuple(rows),
            pass_counters=frozenset(place for place in moved_counters if place is not None),
            extinguisher=None if self.extinguisher is None else moved(self.extinguisher),
        )

    def _transposed(self) -> Self:
        """Returns the map with rows as columns and columns as rows."""
        return replace(
            self,
            rows=tuple("".join(column) for column in zip(*self.rows, strict=True)),
            pass_counters=frozenset((y, x) for x, y in self.pass_counters),
            extinguisher=None if self.extinguisher is None else (self.extinguisher[1], self.extinguisher[0]),
        )


# Counters around, and both cooks in it.
EMPTY_ROOM = Draft(
    (
        "XXXXXXXXXX",
        "X        X",
        "X        X",
        "X   12   X",
        "X        X",
        "X        X",
        "XXXXXXXXXX",
    )
)


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
        self._saved = draft
        self._drafts = [draft]  # all drafts in order, the undone ones at the end
        self._at = 0  # the place of the present draft among them
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
        """Draws with the tool under the cursor; a change of the `same_stroke` is undone together with the last one."""
        self._in_stroke = self._in_stroke and same_stroke
        self._change(self.draft.drawn(self.cursor, self.tool))

    def move(self, right: int, down: int) -> None:
        """Moves the cursor by so many tiles, within the map."""
        x, y = self.cursor
        x = clamp(x + right, 0, self.draft.width - 1)
        y = clamp(y + down, 0, self.draft.height - 1)
        self.cursor = x, y

    def stroke(self, right: int, down: int) -> None:
        """Draws under the cursor and on the next tile, to which the cursor goes."""
        self.draw()
        start = self.cursor
        self.move(right, down)
        if self.cursor != start:  # a mark that is drawn twice is gone
            self.draw(same_stroke=True)

    def resize(self, change: str) -> bool:
        """Adds or takes out a row or column at the cursor; returns whether the size allows it.

        Args:
            change: with_column, without_column, with_row or without_row.
        """
        x, y = self.cursor
        if change.endswith("column"):
            size = self.draft.width
            at = x
        else:
            size = self.draft.height
            at = y
        new_size = size + 1 if change.startswith("with_") else size - 1
        if not SMALLEST <= new_size <= LARGEST:
            return False
        self.replace(self.draft.resized(change, at))
        return True

    def replace(self, draft: Draft) -> None:
        """Draws another kitchen in the place of this one, which can be undone."""
        self._in_stroke = False
        self._change(draft)

    def travel(self, by: int) -> bool:
        """Undoes the last stroke (-1), or draws again what was undone last (1); returns whether there is one."""
        at = self._at + by
        exists = 0 <= at < len(self._drafts)
        if exists:
            self._show(at)
        return exists

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
