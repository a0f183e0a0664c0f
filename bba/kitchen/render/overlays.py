"""What is pointed out on the board: the ways that cooks mean to go, and tiles in a frame.

A mark belongs to one tile and is drawn over whatever the tile shows, in pixels of that tile.
"""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kitchen.constants import EAST, NORTH, SOUTH, WEST
from bba.kitchen.layout import DIRECTION_OFFSETS
from bba.kitchen.route import Route

Tile = tuple[int, int]
Colour = tuple[int, int, int]
Block = NDArray[np.uint8]

EIGHTH = 8  # lines are an eighth of a tile thick, at least one pixel


class PathOverlay(NamedTuple):
    """A piece of a cook's way: from near the middle of the tile to the sides (NORTH, …) where it comes in and goes on.

    Attributes:
        lane: 0 or 1; two ways over one tile run side by side.
        sides: where it meets the tile's edge.
        colour: its RGB.
    """

    lane: int
    sides: tuple[int, ...]
    colour: Colour


class TileOutline(NamedTuple):
    """A frame within the tile's edge. Where a tile has two, the later one keeps to the right and below."""

    colour: Colour


Overlay = PathOverlay | TileOutline
Overlays = Mapping[Tile, tuple[Overlay, ...]]

NO_OVERLAYS: Overlays = MappingProxyType({})


def path_overlays(lane: int, route: Route, colour: Colour) -> dict[Tile, Overlay]:
    """A route as a line over its floor tiles and a frame around its target."""
    stops = (*route.way, route.target)
    ahead = [_side(here, there) for here, there in pairwise(stops)]
    behind = [(), *((_side(there, here),) for here, there in pairwise(route.way))]
    lines = {
        tile: PathOverlay(lane, (*came, goes), colour)
        for tile, came, goes in zip(route.way, behind, ahead, strict=True)
    }
    return lines | {route.target: TileOutline(colour)}


def _side(here: Tile, there: Tile) -> int:
    """On which side of a tile its neighbour lies."""
    return DIRECTION_OFFSETS.index((there[0] - here[0], there[1] - here[1]))


def draw_overlays(block: Block, marks: tuple[Overlay, ...]) -> None:
    """Draw marks over a tile's pixels (n, n, 3), in place."""
    frames = [mark.colour for mark in marks if isinstance(mark, TileOutline)]
    for mark in marks:
        if isinstance(mark, PathOverlay):
            _draw_line(block, mark)
    if frames:
        _draw_frame(block, frames[0], frames[-1])


def _draw_line(block: Block, line: PathOverlay) -> None:
    size = len(block)
    thick = max(1, size // EIGHTH)
    start = (size - thick) // 2 + (thick if line.lane else -thick)
    end = start + thick
    along = {NORTH: slice(0, end), WEST: slice(0, end), SOUTH: slice(start, size), EAST: slice(start, size)}
    across = slice(start, end)
    for side in line.sides:
        rows, columns = (along[side], across) if side in (NORTH, SOUTH) else (across, along[side])
        block[rows, columns] = line.colour


def _draw_frame(block: Block, first: Colour, last: Colour) -> None:
    thick = max(1, len(block) // EIGHTH)
    block[:thick] = block[:, :thick] = first
    block[-thick:] = block[:, -thick:] = last
