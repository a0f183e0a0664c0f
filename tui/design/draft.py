"""A kitchen while it is drawn: any map, with or without mistakes. Every change gives a new draft."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Self

from pydantic import ValidationError

from bba.errors import BBAError
from bba.files import first_problem
from bba.kitchen import Layout
from bba.kitchen.constants import TILE_CHARS
from bba.kitchen.layout import Position

FLOOR, COUNTER = " X"
STARTS = "12"
PASS, EXTINGUISHER = "pass", "extinguisher"  # marks on counters, beside the characters of the map
KNOWN = TILE_CHARS + STARTS
SMALLEST, LARGEST = 3, 40  # tiles across and down
NOWHERE = (-1, -1)
NO_EXTINGUISHER = "no extinguisher anywhere; every kitchen needs one on a counter"
EMPTY = ("XXXXXXXXXX", *["X        X"] * 2, "X   12   X", *["X        X"] * 2, "XXXXXXXXXX")


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
    def empty(cls) -> Self:
        """Returns a room with counters around and both cooks in it."""
        return cls(EMPTY)

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

    # --- the kitchen -------------------------------------------------------------------------------------------
    def layout(self, name: str) -> Layout:
        """Returns the finished kitchen.

        Raises:
            BBAError: the map has a mistake; the message says where and which.
        """
        marks = {"pass_counters": sorted(self.pass_counters), "extinguisher": self.extinguisher or NOWHERE}
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
            extinguisher=self.extinguisher if self.extinguisher and self.has(self.extinguisher) else NOWHERE,
        )

    def number_of(self, tool: str) -> int:
        """Returns how many tiles there are of a kind, a character of the map, or of a mark."""
        if tool == PASS:
            return len(self.pass_counters)
        if tool == EXTINGUISHER:
            return int(self.extinguisher is not None)
        return sum(row.count(tool) for row in self.rows)

    # --- drawing -----------------------------------------------------------------------------------------------
    def drawn(self, at: Position, tool: str) -> Self:
        """Returns the map with a tile or a mark drawn; a mark makes its tile a counter, a start is moved."""
        if tool == PASS:
            others = self.pass_counters ^ {at}
            return replace(self._with_tile(at, COUNTER), pass_counters=others)
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
    def with_column(self, x: int) -> Self:
        """Returns the map with one more column, right of column `x`: floor where that has floor, else counters."""
        rows = tuple(f"{row[: x + 1]}{_like(row[x])}{row[x + 1 :]}" for row in self.rows)
        return self._moved(rows, lambda at: (at[0] + (at[0] > x), at[1]))

    def without_column(self, x: int) -> Self:
        """Returns the map without column `x`."""
        rows = tuple(row[:x] + row[x + 1 :] for row in self.rows)
        return self._moved(rows, lambda at: None if at[0] == x else (at[0] - (at[0] > x), at[1]))

    def with_row(self, y: int) -> Self:
        """Returns the map with one more row, below row `y`: floor where that has floor, else counters."""
        rows = (*self.rows[: y + 1], "".join(map(_like, self.rows[y])), *self.rows[y + 1 :])
        return self._moved(rows, lambda at: (at[0], at[1] + (at[1] > y)))

    def without_row(self, y: int) -> Self:
        """Returns the map without row `y`."""
        rows = self.rows[:y] + self.rows[y + 1 :]
        return self._moved(rows, lambda at: None if at[1] == y else (at[0], at[1] - (at[1] > y)))

    def _moved(self, rows: tuple[str, ...], place: Callable[[Position], Position | None]) -> Self:
        """Returns other rows, with the marks where `place` puts them; None takes a mark away."""
        found = (place(at) for at in self.pass_counters)
        extinguisher = place(self.extinguisher) if self.extinguisher is not None else None
        return replace(
            self, rows=rows, pass_counters=frozenset(at for at in found if at is not None), extinguisher=extinguisher
        )


def _like(char: str) -> str:
    return FLOOR if char in FLOOR + STARTS else COUNTER
