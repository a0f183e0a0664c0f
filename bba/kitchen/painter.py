"""A scene as a picture: an RGB array that a terminal, a window or a file can show.

The art is text, in ``assets/sprites/*.toml``: a palette and square sprites of 8 (or ``size``) rows, one character a
pixel. A sprite is known here as ``"<file>/<name>"``, such as ``"items/meat"``. A tile's look is a stack of sprites
over its floor or counter, and a thin bar where something is counted. Every look is drawn once and kept as a block of
pixels; painting is copying blocks, then drawing the two cooks over them.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.errors import BBAError
from bba.kitchen.codes import TILE_CHARS, TILE_NAMES
from bba.kitchen.scene import ObjectView, PlayerView, Scene
from bba.resources import data_dir

Picture = NDArray[np.uint8]
Tile = tuple[int, int]
Offsets = tuple[tuple[int, int], tuple[int, int]]

STILL: Offsets = ((0, 0), (0, 0))
SPRITE_SIZE = 8  # pixels a tile edge in the art
MAX_STACK = 4  # the tallest pile of plates that is drawn

# Later components lie over earlier ones.
COMPONENTS = ("tortilla", "chopped_steak", "fried_mushroom", "boiled_rice")
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


class Bar(NamedTuple):
    """How far something has got: `filled` of the tile's pixels in a row, coloured by `state`."""

    filled: int
    state: str


class Look(NamedTuple):
    """What a tile shows over its own ground."""

    layers: tuple[str, ...]
    bar: Bar | None = None


# --- the art ---------------------------------------------------------------------------------------------------
@cache
def load_sprites(folder: Path | None = None) -> Mapping[str, Picture]:
    """All sprites of a folder (default: the project's own) as ``{"<file>/<name>": uint8 array (n, n, 4), RGBA}``.

    Raises BBAError naming the file and the sprite for a file that is missing or damaged.
    """
    folder = folder or data_dir("assets/sprites")
    sprites: dict[str, Picture] = {}
    for path in sorted(folder.glob("*.toml")):
        sprites |= {f"{path.stem}/{name}": pixels for name, pixels in _read_file(path).items()}
    if not sprites:
        raise BBAError(f"{folder}: no sprite files (*.toml) here")
    return sprites


def _read_file(path: Path) -> dict[str, Picture]:
    try:
        text = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BBAError(f"{path}: cannot be read as TOML: {error}") from error
    palette, art = _table(path, text, "palette"), _table(path, text, "sprites")
    size = text.get("size", SPRITE_SIZE)
    recolours = _table(path, text, "recolour", default={})
    variants = {f"{name}_": palette | _table(path, recolours, name) for name in recolours} or {"": palette}
    return {
        prefix + name: _draw(f"{path}: sprite {prefix + name!r}", rows, size, _rgba(path, colours))
        for prefix, colours in variants.items()
        for name, rows in art.items()
    }


def _table(path: Path, text: dict[str, Any], name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
    table = text.get(name, default)
    if not isinstance(table, dict):
        raise BBAError(f"{path}: wants a table [{name}]")
    return table


def _rgba(path: Path, palette: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    for char, colour in palette.items():
        if len(char) != 1 or not re.fullmatch(r"#[0-9a-fA-F]{6}", str(colour)):
            raise BBAError(f'{path}: palette entry {char!r} is {colour!r}; wants one character = "#rrggbb"')
    return {char: (*bytes.fromhex(colour[1:]), 255) for char, colour in palette.items()} | {".": (0, 0, 0, 0)}


def _draw(where: str, rows: Any, size: Any, colours: dict[str, tuple[int, ...]]) -> Picture:
    lines = str(rows).split()
    if len(lines) != size or any(len(line) != size for line in lines):
        raise BBAError(f"{where} wants {size} rows of {size} characters")
    if unknown := set("".join(lines)) - colours.keys():
        raise BBAError(f"{where} uses {min(unknown)!r}, which its palette lacks")
    return np.array([[colours[char] for char in line] for line in lines], dtype=np.uint8)


@lru_cache(maxsize=256)
def item_layers(name: str, sheet: str = "items") -> tuple[str, ...]:
    """The sprites of `sheet` ("items", or "held" for the small ones) that make up the item, lowest first."""
    if f"{sheet}/{name}" in load_sprites():
        return (f"{sheet}/{name}",)
    parts = name.removesuffix("-plate").split("-")
    return (f"{sheet}/clean_plate", *(f"{sheet}/on_{part}" for part in COMPONENTS if part in parts))


def compose(layers: Iterable[str]) -> Picture:
    """The sprites laid over each other, lowest first: uint8 array (8, 8, 4). Raises BBAError for an unknown name."""
    canvas = np.zeros((SPRITE_SIZE, SPRITE_SIZE, 4), dtype=np.uint8)
    for name in layers:
        _overlay(canvas, _sprite(name), (0, 0))
    return canvas


def _sprite(name: str) -> Picture:
    sprite = load_sprites().get(name)
    if sprite is None:
        raise BBAError(f"{data_dir('assets/sprites')}: no sprite named {name!r}")
    return sprite


def _overlay(canvas: Picture, sprite: Picture, at: tuple[int, int]) -> None:
    (x, y), n = at, len(sprite)
    area = canvas[y : y + n, x : x + n]
    np.copyto(area, sprite[: area.shape[0], : area.shape[1]], where=sprite[: area.shape[0], : area.shape[1], 3:] > 0)


def resize(pixels: NDArray[Any], size: int) -> NDArray[np.float32]:
    """A square picture (n, n, channels) at another size: pixels repeated, and averaged where `size` is no multiple."""
    common = math.lcm(len(pixels), size)
    large = np.repeat(np.repeat(pixels, common // len(pixels), axis=0), common // len(pixels), axis=1)
    pool = common // size
    resized: NDArray[np.float32] = large.reshape(size, pool, size, pool, -1).mean(axis=(1, 3), dtype=np.float32)
    return resized


def _stamp(canvas: Picture, size: int) -> NDArray[np.float32]:
    """RGBA at `size`, colours multiplied by their coverage, which is 0 to 1: ready to be laid over a picture."""
    sharp = canvas.astype(np.float32)
    sharp[..., 3] /= 255
    return resize(sharp, size)


# --- what a scene looks like -----------------------------------------------------------------------------------
def _object_look(item: ObjectView, frame: int, size: int) -> Look:
    name = item.name.removeprefix("chopped_") if item.state == "unready" else item.name
    layers = item_layers(name + (STAGE_LOOKS.get(item.state, "") if item.tile in ("grill", "pot") else ""))
    if effect := STAGE_EFFECTS.get(item.state):
        layers += (f"{effect}{frame % 2}",)
    return Look(layers, _bar(item, size))


def _bar(item: ObjectView, size: int) -> Bar | None:
    if item.state == "burning":
        return Bar(size, item.state)
    if not item.total or item.state not in BAR_COLOURS:
        return None
    return Bar(min(size, size * item.progress // item.total), item.state)


def _chef_art(seat: int, player: PlayerView) -> Picture:
    """One cook with what it holds, as in the art: uint8 array (8, 8, 4)."""
    facing = "east" if player.facing == "west" else player.facing
    body = _sprite(f"chefs/player{seat}_{facing}")
    body = body[:, ::-1] if player.facing == "west" else body
    canvas = np.zeros_like(body)
    _overlay(canvas, body, (0, 0))
    for name in item_layers(player.held, "held") if player.held else ():
        _overlay(canvas, _sprite(name), HANDS[player.facing])
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
        self._blocks: dict[tuple[tuple[str, ...], Look | None], Picture] = {}
        self._chefs: dict[tuple[int, str, str | None], NDArray[np.float32]] = {}
        self._background = np.zeros((self.height * size, self.width * size, 3), dtype=np.uint8)
        for tile in self._all_tiles():
            self._put(self._background, tile, None)

    def paint(self, scene: Scene, frame: int = 0, offsets: Offsets = STILL) -> Picture:
        """The whole scene: uint8 array (height · size, width · size, 3).

        `frame` counts the frames of fire and smoke (two, in turn); `offsets` shifts each cook by (x, y) pixels, at
        most one tile.
        """
        picture = self._background.copy()
        for tile, look in self._looks(scene, frame).items():
            self._put(picture, tile, look)
        self._put_chefs(picture, scene, offsets)
        return picture

    def update(
        self, picture: Picture, previous: Scene, scene: Scene, frame: int = 0, offsets: Offsets = STILL
    ) -> list[Tile]:
        """Bring a painted picture of `previous`, at any frame and offsets, up to date in place.

        Returns the tiles whose pixels changed; afterwards the picture is what `paint` would give.
        """
        now, was = self._looks(scene, frame), self._looks(previous, frame + 1)
        # `was` at the other frame makes everything that flickers count as changed.
        tiles = {tile for tile in now.keys() | was.keys() if now.get(tile) != was.get(tile)}
        tiles |= self._around_chefs(previous) | self._around_chefs(scene)
        before = {tile: self._area(picture, tile).copy() for tile in sorted(tiles)}
        for tile in before:
            self._put(picture, tile, now.get(tile))
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

    def _looks(self, scene: Scene, frame: int) -> dict[Tile, Look]:
        pile = Look((f"tiles/plate_stack_{min(scene.dirty_plates, MAX_STACK)}",))
        looks = dict.fromkeys(self._stacks, pile)
        looks.update({item.position: _object_look(item, frame, self.size) for item in scene.objects})
        return looks

    def _area(self, picture: Picture, tile: Tile) -> Picture:
        x, y, n, _ = self.rectangle(tile)
        return picture[y : y + n, x : x + n]

    def _put(self, picture: Picture, tile: Tile, look: Look | None) -> None:
        key = self._ground[tile], look
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = self._draw_block(*key)
        self._area(picture, tile)[:] = block

    def _draw_block(self, ground: tuple[str, ...], look: Look | None) -> Picture:
        layers = ground + (look.layers if look else ())
        block = resize(compose(layers)[..., :3], self.size).round().astype(np.uint8)
        if look and look.bar:
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

    def _put_chefs(self, picture: Picture, scene: Scene, offsets: Offsets) -> None:
        places = [
            (player.position[1] * self.size + dy, player.position[0] * self.size + dx, seat)
            for seat, (player, (dx, dy)) in enumerate(zip(scene.players, offsets, strict=True))
        ]
        for y, x, seat in sorted(places):  # who stands further south is nearer to the eye
            _lay_over(picture, self._chef(seat, scene.players[seat]), x, y)

    def _chef(self, seat: int, player: PlayerView) -> NDArray[np.float32]:
        key = seat, player.facing, player.held
        stamp = self._chefs.get(key)
        if stamp is None:
            stamp = self._chefs[key] = _stamp(_chef_art(seat, player), self.size)
        return stamp


def _lay_over(picture: Picture, stamp: NDArray[np.float32], x: int, y: int) -> None:
    """Blend a stamp into the picture with its top left at (x, y); what lies outside is left off."""
    top, left = max(0, -y), max(0, -x)
    area = picture[y + top : y + len(stamp), x + left : x + len(stamp)]
    part = stamp[top : top + area.shape[0], left : left + area.shape[1]]
    area[:] = (part[..., :3] + area * (1 - part[..., 3:])).round()
