"""Tile appearances: which sprites, progress bar and overlays a tile shows, and how they are drawn."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bba.kitchen.render.overlays import Overlay, draw_overlays
from bba.kitchen.render.scaling import resize
from bba.kitchen.render.sprites import SPRITE_SIZE, RGBImage, compose, item_layers
from bba.kitchen.scene import ObjectView

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


class ProgressBar(NamedTuple):
    """A progress bar: the first `filled` pixels of the tile's width, coloured by `state`."""

    filled: int
    state: str


class TileAppearance(NamedTuple):
    """What a tile shows over its floor or counter: sprites, lowest first, and a progress bar."""

    layers: tuple[str, ...]
    bar: ProgressBar | None = None


def object_appearance(item: ObjectView, frame: int, size: int) -> TileAppearance:
    """Returns the appearance of an item at an animation frame, for tiles of `size` pixels."""
    name = item.name.removeprefix("chopped_") if item.state == "unready" else item.name
    layers = item_layers(name + (STAGE_SUFFIXES.get(item.state, "") if item.tile in ("grill", "pot") else ""))
    if effect := STAGE_EFFECTS.get(item.state):
        layers += (f"{effect}{frame % 2}",)
    return TileAppearance(layers, _bar(item, size))


def _bar(item: ObjectView, size: int) -> ProgressBar | None:
    if item.state == "burning":
        return ProgressBar(size, item.state)
    if not item.total or item.state not in BAR_COLOURS:
        return None
    return ProgressBar(min(size, size * item.progress // item.total), item.state)


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
        block[edge:] = BAR_GROUND
        block[edge:, : appearance.bar.filled] = BAR_COLOURS[appearance.bar.state]
    return block
