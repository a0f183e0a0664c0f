"""Sprites: read from text files, drawn over each other, and made ready for blending.

A file ``assets/sprites/*.toml`` holds a palette and square sprites of 8 (or ``size``) rows, one character for a pixel.
A sprite is named ``"<file>/<name>"``, such as ``"items/meat"``. It is enlarged and reduced without blurring it.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from bba.errors import BBAError
from bba.files import data_dir, read_toml

RGBImage = NDArray[np.uint8]  # (height, width, 3)
RGBAImage = NDArray[np.uint8]  # (height, width, 4)
Palette = dict[Annotated[str, Field(pattern="^.$")], Annotated[str, Field(pattern="^#[0-9a-fA-F]{6}$")]]

SPRITE_SIZE = 8  # pixels of a sprite's edge
COMPONENTS = ("tortilla", "chopped_steak", "fried_mushroom", "boiled_rice")  # of food on a plate, lowest first
SHARP = 8  # a picture is enlarged so many times before its pixels are picked; a power of two


def resize(pixels: NDArray[Any], size: int) -> NDArray[np.float32]:
    """Resizes a square picture (n, n, channels).

    A multiple of n repeats pixels and a divisor of n averages them. For any other size each pixel is one of the
    picture's own colours, so that nothing blurs: the picture is enlarged along its edges, and evenly spaced pixels of
    that are taken.
    """
    n = len(pixels)
    if size % n == 0:
        return pixels.repeat(size // n, axis=0).repeat(size // n, axis=1).astype(np.float32)
    if n % size == 0:
        pool = n // size
        return pixels.reshape(size, pool, size, pool, -1).mean(axis=(1, 3), dtype=np.float32)
    large = pixels
    while len(large) < SHARP * n:
        large = doubled(large)
    picked = (np.arange(size) * 2 + 1) * len(large) // (2 * size)
    return large[picked][:, picked].astype(np.float32)


def doubled(pixels: NDArray[Any]) -> NDArray[Any]:
    """Returns a picture of twice the size (2 n, 2 n, channels), with smooth diagonals and no new colour.

    Each pixel becomes four. One of the four takes the colour of its two outer neighbours where these are equal to each
    other and differ from the neighbours on the other two sides (the rule known as EPX or Scale2x).
    """
    around = np.pad(pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    up = around[:-2, 1:-1]
    right = around[1:-1, 2:]
    down = around[2:, 1:-1]
    left = around[1:-1, :-2]
    large = pixels.repeat(2, axis=0).repeat(2, axis=1)
    for corner, first, second, third, fourth in (
        (large[::2, ::2], left, up, right, down),
        (large[::2, 1::2], up, right, down, left),
        (large[1::2, 1::2], right, down, left, up),
        (large[1::2, ::2], down, left, up, right),
    ):
        takes = _same(first, second) & ~_same(second, third) & ~_same(first, fourth)
        corner[takes] = first[takes]
    return large


def _same(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray((first == second).all(axis=-1))


@cache
def load_sprites(folder: Path | None = None) -> Mapping[str, RGBAImage]:
    """Loads all sprites of a folder (default: the project's own) as ``{"<file>/<name>": uint8 array (n, n, 4)}``.

    Raises:
        BBAError: no sprite file, or a damaged one; the message names the file and the sprite.
    """
    folder = folder or data_dir("assets/sprites")
    sprites = {
        f"{path.stem}/{name}": pixels
        for path in sorted(folder.glob("*.toml"))
        for name, pixels in _read_file(path).items()
    }
    if not sprites:
        raise BBAError(f"{folder}: no sprite files (*.toml) here")
    return sprites


class SpriteFile(BaseModel, extra="forbid"):
    """A file of sprites: the rows of each by its name, the colours of their characters, and of recoloured copies."""

    palette: Palette
    sprites: dict[str, str]
    recolour: dict[str, Palette] = {}
    size: int = SPRITE_SIZE


def _read_file(path: Path) -> dict[str, RGBAImage]:
    file = read_toml(path, SpriteFile)
    variants = {f"{name}_": file.palette | changed for name, changed in file.recolour.items()} or {"": file.palette}
    return {
        prefix + name: _draw(f"{path}: sprite {prefix + name!r}", rows.split(), file.size, palette)
        for prefix, palette in variants.items()
        for name, rows in file.sprites.items()
    }


def _draw(where: str, lines: list[str], size: int, palette: Palette) -> RGBAImage:
    if len(lines) != size or any(len(line) != size for line in lines):
        raise BBAError(f"{where} wants {size} rows of {size} characters")
    colours = {char: (*bytes.fromhex(colour[1:]), 255) for char, colour in palette.items()} | {".": (0, 0, 0, 0)}
    if unknown := set("".join(lines)) - colours.keys():
        raise BBAError(f"{where} uses {min(unknown)!r}, which its palette lacks")
    return np.array([[colours[char] for char in line] for line in lines], dtype=np.uint8)


@lru_cache(maxsize=256)
def item_layers(name: str, file: str = "items") -> tuple[str, ...]:
    """Returns the sprites of a file ("items", or "held" for the small ones) that make up an item, lowest first."""
    if f"{file}/{name}" in load_sprites():
        return (f"{file}/{name}",)
    parts = name.removesuffix("-plate").split("-")
    return (f"{file}/clean_plate", *(f"{file}/on_{part}" for part in COMPONENTS if part in parts))


def compose(layers: Iterable[str]) -> RGBAImage:
    """Draws sprites over each other, lowest first: uint8 array (8, 8, 4). Raises BBAError for an unknown name."""
    canvas = np.zeros((SPRITE_SIZE, SPRITE_SIZE, 4), dtype=np.uint8)
    for name in layers:
        draw_sprite(canvas, sprite_named(name), (0, 0))
    return canvas


def sprite_named(name: str) -> RGBAImage:
    """Returns one sprite: uint8 array (n, n, 4). Raises BBAError for an unknown name."""
    sprite = load_sprites().get(name)
    if sprite is None:
        raise BBAError(f"{data_dir('assets/sprites')}: no sprite named {name!r}")
    return sprite


def draw_sprite(canvas: RGBAImage, sprite: RGBAImage, at: tuple[int, int]) -> None:
    """Draws a sprite onto the canvas with its top left at (x, y); parts outside are cut off."""
    x, y = at
    n = len(sprite)
    area = canvas[y : y + n, x : x + n]
    np.copyto(area, sprite[: area.shape[0], : area.shape[1]], where=sprite[: area.shape[0], : area.shape[1], 3:] > 0)


def premultiplied(canvas: RGBAImage, size: int) -> NDArray[np.float32]:
    """Resizes an RGBA image to `size`, with colours premultiplied by alpha, which is 0 to 1, ready for blending."""
    sharp = canvas.astype(np.float32)
    sharp[..., 3] /= 255
    return resize(sharp, size)
