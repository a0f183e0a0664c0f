"""Overlays on the painted map: the planned paths of the players, and outlines of tiles.

An overlay belongs to one tile and is drawn over what the tile shows.
"""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kitchen.constants import EAST, NORTH, SOUTH, WEST
from bba.kitchen.controller import Route
from bba.kitchen.layout import DIRECTION_OFFSETS, Position

Colour = tuple[int, int, int]
Block = NDArray[np.uint8]  # the pixels of one tile, shape (n, n, 3)

LINES_PER_TILE = 8  # lines are an eighth of a tile thick, at least one pixel


class PathOverlay(NamedTuple):
    """The part of a path on one tile: lines from near the middle of the tile to some of its sides.

    Attributes:
        lane: 0 or 1; two paths over one tile run side by side.
        sides: the sides (NORTH, …) where the path enters and leaves the tile.
        colour: RGB.
    """

    lane: int
    sides: tuple[int, ...]
    colour: Colour


class TileOutline(NamedTuple):
    """An outline inside the edge of a tile. Of two on one tile, the later one is drawn at the bottom and the right."""

    colour: Colour


Overlay = PathOverlay | TileOutline
Overlays = Mapping[Position, tuple[Overlay, ...]]

NO_OVERLAYS: Overlays = MappingProxyType({})


def path_overlays(lane: int, route: Route, colour: Colour) -> dict[Position, Overlay]:
    """Returns a route as lines over its floor tiles and an outline of its target."""
    stops = (*route.path, route.target)
    ahead = [_side(here, there) for here, there in pairwise(stops)]
    behind = [(), *((_side(there, here),) for here, there in pairwise(route.path))]
    lines = {
        tile: PathOverlay(lane, (*came, goes), colour)
        for tile, came, goes in zip(route.path, behind, ahead, strict=True)
    }
    return lines | {route.target: TileOutline(colour)}


def _side(here: Position, there: Position) -> int:
    """Returns the direction from a tile to its neighbour."""
    return DIRECTION_OFFSETS.index((there[0] - here[0], there[1] - here[1]))


def draw_overlays(block: Block, overlays: tuple[Overlay, ...]) -> None:
    """Draws overlays over the pixels of a tile, in place."""
    outlines = [overlay.colour for overlay in overlays if isinstance(overlay, TileOutline)]
    for overlay in overlays:
        if isinstance(overlay, PathOverlay):
            _draw_path(block, overlay)
    if outlines:
        thick = max(1, len(block) // LINES_PER_TILE)
        block[:thick] = block[:, :thick] = outlines[0]
        block[-thick:] = block[:, -thick:] = outlines[-1]


def _draw_path(block: Block, path: PathOverlay) -> None:
    size = len(block)
    thick = max(1, size // LINES_PER_TILE)
    start = (size - thick) // 2 + (thick if path.lane else -thick)
    end = start + thick
    along = {NORTH: slice(0, end), WEST: slice(0, end), SOUTH: slice(start, size), EAST: slice(start, size)}
    across = slice(start, end)
    for side in path.sides:
        rows, columns = (along[side], across) if side in (NORTH, SOUTH) else (across, along[side])
        block[rows, columns] = path.colour
