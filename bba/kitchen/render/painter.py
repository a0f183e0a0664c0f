"""A scene as a picture: an RGB array that a terminal, a window or a file can show.

A tile's look is a stack of sprites over its floor or counter, a thin bar where something is counted, and marks where
something is pointed out. Every look is drawn once and kept as a block of pixels; painting is copying blocks, then
drawing the two cooks over them.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kitchen.constants import TILE_CHARS, TILE_NAMES
from bba.kitchen.render.overlays import NO_OVERLAYS, Overlay, Overlays, Tile, draw_overlays
from bba.kitchen.render.sprites import SPRITE_SIZE, RGBImage, compose, item_layers, overlay, resize, sprite_named, stamp
from bba.kitchen.scene import ObjectView, PlayerView, Scene

Offsets = tuple[tuple[int, int], tuple[int, int]]

STILL: Offsets = ((0, 0), (0, 0))
MAX_STACK = 4  # the tallest pile of plates that is drawn

STAGE_LOOKS = {"cooking": "_cooking", "ready": "", "warning": "_warning", "burning": "_warning"}
STAGE_EFFECTS = {"warning": "effects/smoke_", "burning": "effects/fire_"}
# Where a cook's hands are, in pixels of the art from the top left of its sprite.
HANDS = {"south": (2, 4), "east": (4, 4), "west": (0, 4), "north": (4, 3)}

BAR_GROUND = (18, 19, 24)
BAR_COLOURS = {
    "unready": (98, 178, 255),
    "unrinsed": (98, 178, 255),
    "cooking": (98, 178, 255),
    "ready": (79, 214, 122),
    "warning": (255, 190, 61),
    "burning": (240, 62, 46),
}


class ProgressMark(NamedTuple):
    """How far something has got: `filled` of the tile's pixels in a row, coloured by `state`."""

    filled: int
    state: str


class TileLook(NamedTuple):
    """What a tile shows over its own ground."""

    layers: tuple[str, ...]
    bar: ProgressMark | None = None


def _object_look(item: ObjectView, frame: int, size: int) -> TileLook:
    name = item.name.removeprefix("chopped_") if item.state == "unready" else item.name
    layers = item_layers(name + (STAGE_LOOKS.get(item.state, "") if item.tile in ("grill", "pot") else ""))
    if effect := STAGE_EFFECTS.get(item.state):
        layers += (f"{effect}{frame % 2}",)
    return TileLook(layers, _bar(item, size))


def _bar(item: ObjectView, size: int) -> ProgressMark | None:
    if item.state == "burning":
        return ProgressMark(size, item.state)
    if not item.total or item.state not in BAR_COLOURS:
        return None
    return ProgressMark(min(size, size * item.progress // item.total), item.state)


def _chef_art(seat: int, player: PlayerView) -> RGBImage:
    """One cook with what it holds, as in the art: uint8 array (8, 8, 4)."""
    facing = "east" if player.facing == "west" else player.facing
    body = sprite_named(f"chefs/player{seat}_{facing}")
    body = body[:, ::-1] if player.facing == "west" else body
    canvas = np.zeros_like(body)
    overlay(canvas, body, (0, 0))
    for name in item_layers(player.held, "held") if player.held else ():
        overlay(canvas, sprite_named(name), HANDS[player.facing])
    return canvas


class Painter:
    """Paints scenes of one layout.

    `rows` are the layout's map rows (one character a tile, all of one length), `size` is the edge of a tile in pixels
    (best a multiple of 4: multiples of 8 show the art as drawn, others averaged), `pass_counters` are tiles to mark.
    """

    def __init__(self, rows: Sequence[str], size: int = 8, pass_counters: Iterable[Tile] = frozenset()) -> None:
        if size < 1:
            raise ValueError(f"size is {size}; wants at least 1 pixel a tile")
        self.size = size
        self.width, self.height = len(rows[0]), len(rows)
        self._tiles = [[TILE_NAMES[TILE_CHARS.index(" " if char in "12" else char)] for char in row] for row in rows]
        self._stacks = [(x, y) for x, y in self._all_tiles() if self._tiles[y][x] == "plate_stack"]
        passes = frozenset(pass_counters)
        self._ground = {tile: self._ground_layers(tile, tile in passes) for tile in self._all_tiles()}
        self._blocks: dict[tuple[tuple[str, ...], TileLook | None, tuple[Overlay, ...]], RGBImage] = {}
        self._chefs: dict[tuple[int, str, str | None], NDArray[np.float32]] = {}
        self._background = np.zeros((self.height * size, self.width * size, 3), dtype=np.uint8)
        for tile in self._all_tiles():
            self._put(self._background, tile, None)

    def paint(self, scene: Scene, frame: int = 0, offsets: Offsets = STILL, marks: Overlays = NO_OVERLAYS) -> RGBImage:
        """The whole scene: uint8 array (height · size, width · size, 3).

        `frame` counts the frames of fire and smoke (two, in turn); `offsets` shifts each cook by (x, y) pixels, at
        most one tile; `marks` lie over the tiles and under the cooks.
        """
        picture = self._background.copy()
        looks = self._looks(scene, frame)
        for tile in looks.keys() | marks.keys():
            self._put(picture, tile, looks.get(tile), marks.get(tile, ()))
        self._put_chefs(picture, scene, offsets)
        return picture

    def update(
        self,
        picture: RGBImage,
        previous: Scene,
        scene: Scene,
        frame: int = 0,
        offsets: Offsets = STILL,
        marks: Overlays = NO_OVERLAYS,
        marked: Overlays = NO_OVERLAYS,
    ) -> list[Tile]:
        """Bring a painted picture of `previous`, at any frame and offsets and with the marks `marked`, up to date.

        The picture changes in place, into what `paint` would give. Returns the tiles whose pixels changed.
        """
        now, was = self._looks(scene, frame), self._looks(previous, frame + 1)
        # `was` at the other frame makes everything that flickers count as changed.
        tiles = {tile for tile in now.keys() | was.keys() if now.get(tile) != was.get(tile)}
        tiles |= {tile for tile in marks.keys() | marked.keys() if marks.get(tile) != marked.get(tile)}
        tiles |= self._around_chefs(previous) | self._around_chefs(scene)
        before = {tile: self._area(picture, tile).copy() for tile in sorted(tiles)}
        for tile in before:
            self._put(picture, tile, now.get(tile), marks.get(tile, ()))
        self._put_chefs(picture, scene, offsets)
        return [tile for tile, pixels in before.items() if (pixels != self._area(picture, tile)).any()]

    def rectangle(self, tile: Tile) -> tuple[int, int, int, int]:
        """The tile's place in the picture: x, y, width, height in pixels."""
        return tile[0] * self.size, tile[1] * self.size, self.size, self.size

    def _all_tiles(self) -> Iterable[Tile]:
        return product(range(self.width), range(self.height))

    def _ground_layers(self, tile: Tile, is_pass: bool) -> tuple[str, ...]:
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

    def _looks(self, scene: Scene, frame: int) -> dict[Tile, TileLook]:
        pile = TileLook((f"tiles/plate_stack_{min(scene.dirty_plates, MAX_STACK)}",))
        looks = dict.fromkeys(self._stacks, pile)
        looks.update({item.position: _object_look(item, frame, self.size) for item in scene.objects})
        return looks

    def _area(self, picture: RGBImage, tile: Tile) -> RGBImage:
        x, y, n, _ = self.rectangle(tile)
        return picture[y : y + n, x : x + n]

    def _put(self, picture: RGBImage, tile: Tile, look: TileLook | None, marks: tuple[Overlay, ...] = ()) -> None:
        key = self._ground[tile], look, marks
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = self._draw_block(*key)
        self._area(picture, tile)[:] = block

    def _draw_block(self, ground: tuple[str, ...], look: TileLook | None, marks: tuple[Overlay, ...]) -> RGBImage:
        layers = ground + (look.layers if look else ())
        block = resize(compose(layers)[..., :3], self.size).round().astype(np.uint8)
        draw_overlays(block, marks)
        if look and look.bar:  # over a frame: how far it has got must not be hidden
            edge = self.size - max(1, self.size // SPRITE_SIZE)
            block[edge:] = BAR_GROUND
            block[edge:, : look.bar.filled] = BAR_COLOURS[look.bar.state]
        return block

    def _around_chefs(self, scene: Scene) -> set[Tile]:
        """The tiles that a cook can touch: its own and, as it slides by up to one tile, those around."""
        return {
            (x + dx, y + dy)
            for x, y in (player.position for player in scene.players)
            for dx, dy in product((-1, 0, 1), repeat=2)
            if 0 <= x + dx < self.width and 0 <= y + dy < self.height
        }

    def _put_chefs(self, picture: RGBImage, scene: Scene, offsets: Offsets) -> None:
        places = [
            (player.position[1] * self.size + dy, player.position[0] * self.size + dx, seat)
            for seat, (player, (dx, dy)) in enumerate(zip(scene.players, offsets, strict=True))
        ]
        for y, x, seat in sorted(places):  # who stands further south is nearer to the eye
            _lay_over(picture, self._chef(seat, scene.players[seat]), x, y)

    def _chef(self, seat: int, player: PlayerView) -> NDArray[np.float32]:
        key = seat, player.facing, player.held
        chef = self._chefs.get(key)
        if chef is None:
            chef = self._chefs[key] = stamp(_chef_art(seat, player), self.size)
        return chef


def _lay_over(picture: RGBImage, chef: NDArray[np.float32], x: int, y: int) -> None:
    """Blend a cook's stamp into the picture with its top left at (x, y); what lies outside is left off."""
    top, left = max(0, -y), max(0, -x)
    area = picture[y + top : y + len(chef), x + left : x + len(chef)]
    part = chef[top : top + area.shape[0], left : left + area.shape[1]]
    area[:] = (part[..., :3] + area * (1 - part[..., 3:])).round()
