"""Painting: turns a scene into an RGB image for a terminal, a window or a file.

A tile shows a stack of sprites over its floor or counter, a thin progress bar where something is counted, and overlays.
Every combination is drawn once and cached as a block of pixels. Painting copies blocks and then draws both players.
An overlay belongs to one tile: it is a part of a planned path or an outline.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from bba.kitchen.constants import EAST, NORTH, SOUTH, TILE_CHARS, TILE_NAMES, WEST, Float32Array
from bba.kitchen.controller import Route
from bba.kitchen.kitchen import ObjectView, Scene
from bba.kitchen.layout import DIRECTION_OFFSETS, Position
from bba.kitchen.render.sprites import (
    SPRITE_SIZE,
    RGBImage,
    compose,
    draw_sprite,
    item_layers,
    premultiplied,
    resize,
    sprite_named,
)

STAGE_SUFFIXES = {"cooking": "_cooking", "ready": "", "warning": "_warning", "burning": "_warning"}
STAGE_EFFECTS = {"warning": "effects/smoke_", "burning": "effects/fire_"}

BAR_GROUND = (18, 19, 24)
BAR_COLOURS = {
    "unready": (98, 178, 255),
    "unrinsed": (98, 178, 255),
    "cooking": (98, 178, 255),
    "ready": (79, 214, 122),
    "warning": (255, 190, 61),
    "burning": (240, 62, 46),
}
LINES_PER_TILE = 8  # lines are an eighth of a tile thick, at least one pixel
MAX_STACK = 4  # plates on the tallest stack that is drawn

Colour = tuple[int, int, int]
Offsets = tuple[tuple[int, int], tuple[int, int]]
STILL: Offsets = ((0, 0), (0, 0))

# Where the held item is drawn, in sprite pixels from the top left of the player's sprite.
HELD_OFFSETS = {"south": (2, 4), "east": (4, 4), "west": (0, 4), "north": (4, 3)}

# A bubble over a tile, its tail on the south side.
BUBBLE = (".bbbbbb.", "bbbbbbbb", "bbbbbbbb", "bbbbbbbb", "bbbbbbbb", ".bbbbbb.", "...bb...", "...b....")
BUBBLE_GROUND = (222, 230, 242)
# tail: quarters of a turn to the left, and the top left corner of the small picture in it
BUBBLE_TURNS = {SOUTH: (0, (2, 1)), EAST: (1, (1, 2)), NORTH: (2, (2, 3)), WEST: (3, (3, 2))}


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


class ThoughtOverlay(NamedTuple):
    """A bubble over a tile with the picture of what a cook thinks of.

    Attributes:
        sprites: the picture, lowest sprite first.
        tail: the side (NORTH, …) on which the cook is that thinks.
    """

    sprites: tuple[str, ...]
    tail: int


Overlay = PathOverlay | TileOutline | ThoughtOverlay
Overlays = Mapping[Position, tuple[Overlay, ...]]

NO_OVERLAYS: Overlays = MappingProxyType({})


class TileAppearance(NamedTuple):
    """What a tile shows over its floor or counter.

    Attributes:
        layers: sprites, lowest first.
        bar: the progress bar: its first so many pixels of the tile's width are coloured by a state; None for none.
    """

    layers: tuple[str, ...]
    bar: tuple[int, str] | None = None


def object_appearance(item: ObjectView, frame: int, size: int) -> TileAppearance:
    """Returns the appearance of an item at an animation frame, for tiles of `size` pixels."""
    name = item.name.removeprefix("chopped_") if item.state == "unready" else item.name
    layers = item_layers(name + (STAGE_SUFFIXES.get(item.state, "") if item.tile in ("grill", "pot") else ""))
    if effect := STAGE_EFFECTS.get(item.state):
        layers += (f"{effect}{frame % 2}",)
    if item.state == "burning":
        return TileAppearance(layers, (size, item.state))
    if not item.total or item.state not in BAR_COLOURS:
        return TileAppearance(layers)
    return TileAppearance(layers, (min(size, size * item.progress // item.total), item.state))


@lru_cache(maxsize=4096)
def draw_tile(
    ground: tuple[str, ...], appearance: TileAppearance | None, overlays: tuple[Overlay, ...], size: int
) -> RGBImage:
    """Draws a tile: uint8 array (size, size, 3), to be copied, as it is cached.

    `ground` are the sprites of its floor or counter, lowest first.
    """
    layers = ground + (appearance.layers if appearance else ())
    block = resize(compose(layers)[..., :3], size).round().astype(np.uint8)
    draw_overlays(block, overlays)
    if appearance and appearance.bar:  # over an outline, so that the progress stays visible
        edge = size - max(1, size // SPRITE_SIZE)
        filled, state = appearance.bar
        block[edge:] = BAR_GROUND
        block[edge:, :filled] = BAR_COLOURS[state]
    return block


def path_overlays(lane: int, route: Route, colour: Colour) -> dict[Position, Overlay]:
    """Returns a route as lines over its floor tiles and an outline of its target."""
    stops = (*route.path, route.target)
    ahead = [_side(here, there) for here, there in pairwise(stops)]
    behind = [(), *((_side(there, here),) for here, there in pairwise(route.path))]
    lines: dict[Position, Overlay] = {
        tile: PathOverlay(lane, (*came, goes), colour)
        for tile, came, goes in zip(route.path, behind, ahead, strict=True)
    }
    return lines | {route.target: TileOutline(colour)}


def _side(here: Position, there: Position) -> int:
    """Returns the direction from a tile to its neighbour."""
    return DIRECTION_OFFSETS.index((there[0] - here[0], there[1] - here[1]))


def draw_overlays(block: RGBImage, overlays: tuple[Overlay, ...]) -> None:
    """Draws overlays over the pixels of a tile, in place."""
    outlines = [overlay.colour for overlay in overlays if isinstance(overlay, TileOutline)]
    for overlay in overlays:
        if isinstance(overlay, PathOverlay):
            _draw_path(block, overlay)
        elif isinstance(overlay, ThoughtOverlay):
            _draw_thought(block, overlay)
    if outlines:
        thick = max(1, len(block) // LINES_PER_TILE)
        block[:thick] = outlines[0]
        block[:, :thick] = outlines[0]
        block[-thick:] = outlines[-1]
        block[:, -thick:] = outlines[-1]


def _draw_path(block: RGBImage, path: PathOverlay) -> None:
    size = len(block)
    thick = max(1, size // LINES_PER_TILE)
    start = (size - thick) // 2 + (thick if path.lane else -thick)
    end = start + thick
    along = {NORTH: slice(0, end), WEST: slice(0, end), SOUTH: slice(start, size), EAST: slice(start, size)}
    across = slice(start, end)
    for side in path.sides:
        rows, columns = (along[side], across) if side in (NORTH, SOUTH) else (across, along[side])
        block[rows, columns] = path.colour


def _draw_thought(block: RGBImage, thought: ThoughtOverlay) -> None:
    _blend(block, _bubble(thought, len(block)), 0, 0)


@lru_cache(maxsize=64)
def _bubble(thought: ThoughtOverlay, size: int) -> Float32Array:
    """Returns a bubble with its picture, premultiplied, for tiles of `size` pixels: float array (size, size, 4)."""
    turns, corner = BUBBLE_TURNS[thought.tail]
    shape = np.rot90(np.array([[char == "b" for char in row] for row in BUBBLE]), turns)
    canvas = np.zeros((SPRITE_SIZE, SPRITE_SIZE, 4), dtype=np.uint8)
    canvas[shape] = (*BUBBLE_GROUND, 255)
    for name in thought.sprites:
        draw_sprite(canvas, sprite_named(name), corner)
    return premultiplied(canvas, size)


@lru_cache(maxsize=1024)
def _player_sprite(seat: int, facing: str, held: str | None, size: int) -> Float32Array:
    """Returns a player with its held item, premultiplied, for tiles of `size` pixels: float array (size, size, 4)."""
    body = sprite_named(f"chefs/player{seat}_{'east' if facing == 'west' else facing}")
    body = body[:, ::-1] if facing == "west" else body
    canvas = np.zeros_like(body)
    draw_sprite(canvas, body, (0, 0))
    for name in item_layers(held, "held") if held else ():
        draw_sprite(canvas, sprite_named(name), HELD_OFFSETS[facing])
    return premultiplied(canvas, size)


class Painter:
    """Paints scenes of one layout.

    Args:
        rows: the layout's map rows, one character per tile.
        size: edge of a tile in pixels, 1 or more. Multiples of 8 repeat the pixels of the sprites, 4, 2 and 1
            average them, and others take some of them.
        pass_counters: counters that get the mark of a pass counter.
    """

    def __init__(self, rows: Sequence[str], size: int = 8, pass_counters: Iterable[Position] = frozenset()) -> None:
        if size < 1:
            raise ValueError(f"size is {size}; wants at least 1 pixel a tile")
        self.size = size
        self.width = len(rows[0])
        self.height = len(rows)
        self._tiles = [[TILE_NAMES[TILE_CHARS.index(" " if char in "12" else char)] for char in row] for row in rows]
        tiles = list(product(range(self.width), range(self.height)))
        passes = frozenset(pass_counters)
        self._plate_stacks = [(x, y) for x, y in tiles if self._tiles[y][x] == "plate_stack"]
        self._ground = {tile: self._ground_layers(tile, tile in passes) for tile in tiles}
        self._background = np.zeros((self.height * size, self.width * size, 3), dtype=np.uint8)
        for tile in tiles:
            self._put_tile(self._background, tile, None)

    def paint(
        self, scene: Scene, frame: int = 0, offsets: Offsets = STILL, overlays: Overlays = NO_OVERLAYS
    ) -> RGBImage:
        """Paints the whole scene: uint8 array (height · size, width · size, 3).

        Args:
            scene: what to paint.
            frame: animation frame of fire and smoke, which have two.
            offsets: shifts each player by (x, y) pixels, at most one tile.
            overlays: drawn over the tiles and under the players.
        """
        image = self._background.copy()
        appearances = self._appearances(scene, frame)
        for tile in appearances.keys() | overlays.keys():
            self._put_tile(image, tile, appearances.get(tile), overlays.get(tile, ()))
        self._put_players(image, scene, offsets)
        return image

    def update(
        self,
        image: RGBImage,
        previous: Scene,
        scene: Scene,
        frame: int = 0,
        offsets: Offsets = STILL,
        overlays: Overlays = NO_OVERLAYS,
        previous_overlays: Overlays = NO_OVERLAYS,
        previous_offsets: Offsets = STILL,
    ) -> None:
        """Updates an image of `previous`, at any frame, in place to what `paint` would return."""
        # The other frame for the previous scene makes everything animated count as changed.
        appearances = self._appearances(scene, frame)
        previous_appearances = self._appearances(previous, frame + 1)
        tiles = _differing(appearances, previous_appearances) | _differing(overlays, previous_overlays)
        tiles |= self._covered(previous, previous_offsets) | self._covered(scene, offsets)
        for tile in tiles:
            self._put_tile(image, tile, appearances.get(tile), overlays.get(tile, ()))
        self._put_players(image, scene, offsets)

    def _ground_layers(self, tile: Position, is_pass: bool) -> tuple[str, ...]:
        x, y = tile
        name = self._tiles[y][x]
        if name == "floor":
            shaded = y > 0 and self._tiles[y - 1][x] != "floor"
            return (f"tiles/floor_{(x + y) % 2}",) + (("tiles/shadow",) if shaded else ())
        open_below = y + 1 == self.height or self._tiles[y + 1][x] == "floor"
        counter = "tiles/counter_front" if open_below else "tiles/counter"
        if name.endswith("_dispenser"):
            return counter, "tiles/crate", f"items/{name.removesuffix('_dispenser')}"
        if name == "plate_stack":
            return counter, "tiles/plate_stack_0"
        if name == "counter":
            return (counter, "tiles/pass_mark") if is_pass else (counter,)
        return counter, f"tiles/{name}"

    def _appearances(self, scene: Scene, frame: int) -> dict[Position, TileAppearance]:
        stack = TileAppearance((f"tiles/plate_stack_{min(scene.dirty_plates, MAX_STACK)}",))
        appearances = dict.fromkeys(self._plate_stacks, stack)
        appearances.update({item.position: object_appearance(item, frame, self.size) for item in scene.objects})
        return appearances

    def _area(self, image: RGBImage, tile: Position) -> RGBImage:
        x = tile[0] * self.size
        y = tile[1] * self.size
        return image[y : y + self.size, x : x + self.size]

    def _put_tile(
        self,
        image: RGBImage,
        tile: Position,
        appearance: TileAppearance | None,
        overlays: tuple[Overlay, ...] = (),
    ) -> None:
        self._area(image, tile)[:] = draw_tile(self._ground[tile], appearance, overlays, self.size)

    def _covered(self, scene: Scene, offsets: Offsets) -> set[Position]:
        """Returns the tiles that players stand on, or partly over as they are shifted."""
        return {
            (column, row)
            for (x, y), (dx, dy) in zip((player.position for player in scene.players), offsets, strict=True)
            for column, row in product(
                (x + dx // self.size, x - -dx // self.size), (y + dy // self.size, y - -dy // self.size)
            )
            if 0 <= column < self.width and 0 <= row < self.height
        }

    def _put_players(self, image: RGBImage, scene: Scene, offsets: Offsets) -> None:
        corners = [
            (player.position[1] * self.size + dy, player.position[0] * self.size + dx, seat)
            for seat, (player, (dx, dy)) in enumerate(zip(scene.players, offsets, strict=True))
        ]
        for y, x, seat in sorted(corners):  # a player further south is drawn in front
            player = scene.players[seat]
            _blend(image, _player_sprite(seat, player.facing, player.held, self.size), x, y)


def _differing(first: Mapping[Position, Any], second: Mapping[Position, Any]) -> set[Position]:
    """Returns the tiles whose entries differ."""
    return {tile for tile in first.keys() | second.keys() if first.get(tile) != second.get(tile)}


def _blend(image: RGBImage, sprite: Float32Array, x: int, y: int) -> None:
    """Blends a premultiplied sprite into the image with its top left at (x, y); parts outside are cut off."""
    top = max(0, -y)
    left = max(0, -x)
    area = image[y + top : y + len(sprite), x + left : x + len(sprite)]
    part = sprite[top : top + area.shape[0], left : left + area.shape[1]]
    area[:] = (part[..., :3] + area * (1 - part[..., 3:])).round()
