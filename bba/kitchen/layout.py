"""Layouts: the map of a kitchen with its timing and order rules, read from a TOML file, and the grid of it that the
kernels read.

Map characters are those of `bba.kitchen.constants.TILE_CHARS`, plus ``1`` and ``2`` for floor where players 0 and 1
start. Coordinates are ``(x, y)``, origin at the top left. Messages count rows and columns of the map from 1.

Tiles are numbered in reading order: tile ``y * width + x``. Distances are computed once per layout.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, model_validator

from bba.config.options import StepsOrNone
from bba.errors import BBAError, instead
from bba.files import data_dir, hex_digest, parse_toml, read_text, read_toml
from bba.kitchen import constants
from bba.plugins.loading import plugin_layout
from bba.validation import checked

Position = tuple[int, int]
DIRECTION_OFFSETS = ((0, -1), (0, 1), (1, 0), (-1, 0))  # north, south, east, west
OVERCOOKED_LAYOUT = re.compile(r"""\s*\{.*["']grid["']\s*:""", re.DOTALL)  # a dictionary of Python; no TOML begins so
REQUIRED_STATIONS = "MZRTUBGPWDS"
TILE_NAME_OF_CHAR = dict(zip(constants.TILE_CHARS, constants.TILE_NAMES, strict=True))
LARGEST_SIDE = 40  # tiles of a map in each direction


def parse_kitchen(path: Path) -> dict[str, Any]:
    """Returns the content of a kitchen's file.

    Raises:
        BBAError: the file cannot be read or is not valid TOML; the message says so of a layout of Overcooked-AI.
    """
    text = read_text(path)
    if OVERCOOKED_LAYOUT.match(text):
        name = path.with_suffix(".layout")
        raise BBAError(
            f"{path}: not valid TOML, but a layout of Overcooked-AI; "
            f"rename it to {name}, then bba-tui kitchen import {name}"
        )
    return parse_toml(path)


class Timing(BaseModel, frozen=True, extra="forbid"):
    """Durations: chops and rinses in interactions; cooking, ready and warning in steps."""

    chops: Annotated[int, Field(ge=1, le=100)] = 2
    rinses: Annotated[int, Field(ge=1, le=100)] = 3
    cooking: Annotated[int, Field(ge=1, le=10_000)] = 80
    ready: Annotated[int, Field(ge=1, le=10_000)] = 80
    warning: Annotated[int, Field(ge=1, le=10_000)] = 60


class OrderRules(BaseModel, frozen=True, extra="forbid"):
    """How many orders are active, how long they last, and what a streak earns.

    `active` lists ``[from step, number of active orders]``; `life` is in steps; `multipliers` are the factors on
    the tip for a streak of 1, 2, 3, …; the last one holds for longer streaks.
    """

    life: Annotated[int, Field(ge=1, le=100_000)] = 600
    active: tuple[tuple[StepsOrNone, Annotated[int, Field(ge=1, le=constants.MAX_ORDERS)]], ...] = (
        (0, 2),
        (551, 3),
        (701, 4),
    )
    multipliers: tuple[Annotated[int, Field(ge=0, le=1000)], ...] = (1, 2, 2, 2, 5)

    @model_validator(mode="after")
    def _check(self) -> Self:
        steps = [step for step, _ in self.active]
        counts = [count for _, count in self.active]
        if steps[:1] != [0] or steps != sorted(set(steps)) or counts != sorted(counts):
            raise ValueError("orders.active must start at step 0; its steps must ascend and its numbers not fall")
        if not self.multipliers:
            raise ValueError("orders.multipliers must name at least one number")
        return self


class Layout(BaseModel, frozen=True, extra="forbid", populate_by_name=True):
    """One kitchen. Immutable and hashable; `Layout.load` reads a shipped one by name or a file by path."""

    name: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[\w-]+$")]
    rows: Annotated[tuple[str, ...], Field(alias="map")]
    pass_counters: tuple[Position, ...] = ()
    extinguisher: Position
    plates: Annotated[int, Field(ge=1, le=20)] = 4
    timing: Timing = Timing()
    orders: OrderRules = OrderRules()

    def __hash__(self) -> int:
        return hash((self.name, self.rows))

    @staticmethod
    def names() -> list[str]:
        """The layouts that ship with the project, in alphabetical order."""
        return sorted(file.stem for file in data_dir("configs/layouts").glob("*.toml"))

    @staticmethod
    def load(name_or_path: "str | Path | Layout") -> "Layout":
        """Loads a shipped layout by name, any layout file by path, or one of a plug-in, as `mine:KITCHENS/attic`.

        A layout is returned as it is.

        Raises:
            BBAError: no such layout or file, or an invalid file; the message names file, row and column.
        """
        if isinstance(name_or_path, Layout):
            return name_or_path
        text = str(name_or_path)
        if text in Layout.names():
            return _shipped(text)
        plugin_file = plugin_layout(text)
        if plugin_file is not None:
            return read_toml(plugin_file, Layout)
        if text.endswith(".layout"):
            line = f"bba-tui kitchen import {text}"
            raise BBAError(f"{text}: a kitchen is a .toml file; {line} makes one of a layout of Overcooked-AI")
        if not text.endswith(".toml") and "/" not in text:
            if Path(text).is_file():
                raise BBAError(f"{text}: a kitchen's file ends in .toml")
            raise BBAError(f"layout: no layout named {text!r}; {instead(text, Layout.names())}, or give a .toml file")
        path = Path(text)
        return checked(Layout, parse_kitchen(path), path)

    @model_validator(mode="before")
    @classmethod
    def _split_map(cls, data: object) -> object:
        """Splits the map into rows; TOML files give it as one multi-line string."""
        if isinstance(data, dict) and isinstance(data.get("map"), str):
            return data | {"map": tuple(data["map"].rstrip("\n").split("\n"))}
        return data

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_shape()
        self._check_starts()
        self._check_reach()
        self._check_counters()
        return self

    @property
    def width(self) -> int:
        """Tiles from west to east."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """Tiles from north to south."""
        return len(self.rows)

    @property
    def starts(self) -> tuple[Position, Position]:
        """The start positions of players 0 and 1."""
        starts = {char: position for position, char in self.tiles() if char in "12"}
        return starts["1"], starts["2"]

    def tiles(self) -> Iterator[tuple[Position, str]]:
        """Yields the position and the map character of every tile, in reading order."""
        return (((x, y), char) for y, row in enumerate(self.rows) for x, char in enumerate(row))

    def char(self, position: Position) -> str:
        """Returns the map character at a position; "X" outside the map."""
        x, y = position
        return self.rows[y][x] if 0 <= y < self.height and 0 <= x < self.width else "X"

    def is_counter(self, position: Position) -> bool:
        """Whether there is a counter at a position."""
        x, y = position
        return 0 <= y < self.height and 0 <= x < self.width and self.rows[y][x] == "X"

    def is_floor(self, position: Position) -> bool:
        """Whether a player can stand there."""
        return self.char(position) in " 12"

    def reachable(self, start: Position) -> frozenset[Position]:
        """Returns the floor tiles that can be walked to from `start`."""
        return connected(start, self.is_floor)

    def touches(self, position: Position, floor: frozenset[Position]) -> bool:
        """Whether some tile of `floor` lies beside `position`."""
        return any(neighbour in floor for neighbour in neighbours(position))

    def _check_shape(self) -> None:
        if not self.rows or not self.rows[0]:
            raise ValueError("map row 1, column 1: the map is empty")
        if self.width > LARGEST_SIDE or self.height > LARGEST_SIDE:
            raise ValueError(f"map: {self.width}x{self.height} tiles; at most {LARGEST_SIDE}x{LARGEST_SIDE}")
        for y, row in enumerate(self.rows, 1):
            if len(row) != self.width:
                column = min(len(row), self.width) + 1
                raise ValueError(f"map row {y}, column {column}: ragged, {len(row)} tiles where row 1 has {self.width}")
        for position, char in self.tiles():
            if char not in constants.TILE_CHARS + "12":
                raise ValueError(
                    f"{position_text(position)}: unknown character {char!r}; allowed are ' XMZRTUBGPWDS12'"
                )

    def _check_starts(self) -> None:
        for player, char in enumerate("12"):
            places = [position for position, tile in self.tiles() if tile == char]
            if not places:
                raise ValueError(f"map row 1, column 1: no start for cook {char} anywhere (character {char!r})")
            if len(places) > 1:
                raise ValueError(f"{position_text(places[1])}: a second start for player {player} (character {char!r})")

    def _check_reach(self) -> None:
        floor = self.reachable(self.starts[0]) | self.reachable(self.starts[1])
        for position, char in self.tiles():
            if char in REQUIRED_STATIONS and not self.touches(position, floor):
                raise ValueError(f"{position_text(position)}: nobody can reach this {TILE_NAME_OF_CHAR[char]}")
        present = {char for _, char in self.tiles()}
        for char in REQUIRED_STATIONS:
            if char not in present:
                name = TILE_NAME_OF_CHAR[char]
                raise ValueError(f"map row 1, column 1: no {name} anywhere ({char!r}); every kitchen needs one")

    def _check_counters(self) -> None:
        sides = [self.reachable(start) for start in self.starts]
        for position in self.pass_counters:
            if not self.is_counter(position) or not all(self.touches(position, side) for side in sides):
                raise ValueError(
                    f"pass_counters: {position_text(position)}: not a counter that both players' floors touch"
                )
        if not self.is_counter(self.extinguisher) or not any(self.touches(self.extinguisher, side) for side in sides):
            raise ValueError(f"extinguisher: {position_text(self.extinguisher)}: not a counter that a player can reach")


@cache
def _shipped(name: str) -> Layout:
    """Reads a shipped layout once; always the same object, so that caches can use it as a key."""
    return read_toml(data_dir("configs/layouts") / f"{name}.toml", Layout)


def layout_digest(layout: Layout) -> str:
    """Returns a hash of a layout's map and rules without its name, 16 hex digits; it identifies trained weights."""
    return hex_digest(layout.model_dump_json(by_alias=True, exclude={"name"}).encode())


def connected(start: Position, is_inside: Callable[[Position], bool]) -> frozenset[Position]:
    """Returns the positions inside that can be reached from one of them, from neighbour to neighbour."""
    seen = {start}
    front = [start]
    while front:
        new = [position for position in neighbours(front.pop()) if position not in seen and is_inside(position)]
        seen.update(new)
        front.extend(new)
    return frozenset(seen)


def neighbours(position: Position) -> list[Position]:
    """Returns the four positions beside a position: north, south, east, west (possibly outside the map)."""
    x, y = position
    return [(x + dx, y + dy) for dx, dy in DIRECTION_OFFSETS]


def position_text(position: Position) -> str:
    """Returns a position as text, counted from 1 as editors do."""
    return f"map row {position[1] + 1}, column {position[0] + 1}"


UNREACHABLE = 9999  # the distance to a place that cannot be walked to

# Indices into `Grid.params`.
CHOPS, RINSES, READY_AT, WARNING_AT, BURNING_AT, PLATES, ORDER_LIFE = range(7)
ORDER_STARTS = 7  # then, for 1 to MAX_ORDERS active orders, the first step at which that many are active
STREAK_FACTORS = ORDER_STARTS + constants.MAX_ORDERS  # then the tip's factor for a streak of 1, 2, …


class Grid(NamedTuple):
    """The arrays of a layout with T tiles. They are read-only by convention."""

    kind: NDArray[np.int32]  # (T,) kind of each tile, see `bba.kitchen.constants`
    is_pass_counter: NDArray[np.int32]  # (T,) 1 on pass counters
    neighbour: NDArray[np.int32]  # (T, 4) the tile to the north, south, east and west; -1 outside the map
    distance: NDArray[np.int16]  # (T, T) walking distance between floor tiles; UNREACHABLE where there is no path
    distance_to_adjacent: NDArray[np.int16]  # (T, T) of a station and a floor tile, in either order: to one beside it
    distance_around: NDArray[np.int16]  # (T, T, T) [usable station, blocked, floor]: the same with one blocked
    stations: NDArray[np.int32]  # tiles that can be used from some floor tile, in reading order
    stoves: NDArray[np.int32]  # grills and pots
    params: NDArray[np.int32]  # the layout's timing, plates and order rules, see above


@lru_cache(maxsize=64)
def grid_of(layout: Layout) -> Grid:
    """The arrays of a layout (cached: the same layout gives the same object)."""
    chars = "".join(layout.rows).replace("1", " ").replace("2", " ")
    kind = np.array([constants.TILE_CHARS.index(char) for char in chars], np.int32)
    neighbour = _neighbours(layout)
    # In the place of what is outside the map, a station: none is walked on.
    around = np.where(neighbour >= 0, neighbour, np.argmax(kind != constants.FLOOR))
    distance = _walking_distances(kind, around)
    distance_to_adjacent = distance[around].min(axis=1)
    distance_to_adjacent[kind == constants.FLOOR] = UNREACHABLE
    is_pass_counter = np.zeros(len(kind), np.int32)
    is_pass_counter[[y * layout.width + x for x, y in layout.pass_counters]] = 1
    usable = (kind != constants.FLOOR) & (distance_to_adjacent.min(axis=1) < UNREACHABLE)
    return Grid(
        kind=kind,
        is_pass_counter=is_pass_counter,
        neighbour=neighbour,
        distance=distance,
        distance_to_adjacent=np.minimum(distance_to_adjacent, distance_to_adjacent.T),  # read along either row
        distance_around=_distances_around(kind, around, distance_to_adjacent, np.flatnonzero(usable)),
        stations=np.flatnonzero(usable).astype(np.int32),
        stoves=np.flatnonzero((kind == constants.GRILL) | (kind == constants.POT)).astype(np.int32),
        params=_params(layout),
    )


def _neighbours(layout: Layout) -> NDArray[np.int32]:
    tiles = np.arange(layout.width * layout.height, dtype=np.int32).reshape(layout.height, layout.width)
    framed = np.pad(tiles, 1, constant_values=-1)
    shifted = [np.roll(framed, (-dy, -dx), axis=(0, 1))[1:-1, 1:-1].ravel() for dx, dy in DIRECTION_OFFSETS]
    return np.stack(shifted, axis=1)


def _walking_distances(kind: NDArray[np.int32], around: NDArray[np.int32]) -> NDArray[np.int16]:
    table = np.full((len(kind), len(kind)), UNREACHABLE, np.int16)
    floor = np.flatnonzero(kind == constants.FLOOR)
    table[floor, floor] = 0
    while True:  # every round lets all paths grow by one step; stations stay unreachable
        grown = np.minimum(table[:, floor], table[:, around[floor]].min(axis=2) + 1)
        if (grown == table[:, floor]).all():
            return table
        table[:, floor] = grown


def _distances_around(
    kind: NDArray[np.int32], around: NDArray[np.int32], unblocked: NDArray[np.int16], stations: NDArray[np.intp]
) -> NDArray[np.int16]:
    """Returns the distances with one floor tile blocked, all at once: every round lets all paths grow by one step."""
    tiles = len(kind)
    floor = np.flatnonzero(kind == constants.FLOOR)
    adjacent = unblocked[np.ix_(stations, floor)] == 0
    shape = (len(stations), len(floor), tiles)  # [station, blocked, floor]
    distance = np.full(shape, UNREACHABLE, np.int16)
    distance[:, :, floor] = np.where(adjacent, 0, UNREACHABLE)[:, None, :]
    blocked = np.arange(len(floor))
    distance[:, blocked, floor] = UNREACHABLE
    for _ in range(len(floor)):
        grown = np.minimum(distance[:, :, floor], distance[:, :, around[floor]].min(axis=3) + 1)
        grown[:, blocked, blocked] = UNREACHABLE
        if (grown == distance[:, :, floor]).all():
            break
        distance[:, :, floor] = grown
    table = np.full((tiles, tiles, tiles), UNREACHABLE, np.int16)
    table[np.ix_(stations, floor)] = distance
    return table


def _params(layout: Layout) -> NDArray[np.int32]:
    timing = layout.timing
    orders = layout.orders
    ready = timing.cooking
    warning = ready + timing.ready
    never = np.iinfo(np.int32).max
    active_from = [
        next((step for step, count in orders.active if count >= number), never)
        for number in range(1, constants.MAX_ORDERS + 1)
    ]
    return np.array(
        [
            timing.chops,
            timing.rinses,
            ready,
            warning,
            warning + timing.warning,
            layout.plates,
            orders.life,
            *active_from,
            *orders.multipliers,
        ],
        np.int32,
    )
