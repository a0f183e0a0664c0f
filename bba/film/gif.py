"""Encodes an animated GIF from frames of palette numbers; only the changed part of each frame is written.

Pillow's own ``save(save_all=True)`` keeps all frames in memory until the end, a gigabyte for an episode. So its encoder
is called for one changed part at a time.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.GifImagePlugin import getdata, getheader

Indices = NDArray[np.uint8]

CLEAR = 255  # the palette number of a pixel that does not change


class GIFFrame(NamedTuple):
    """A picture as palette numbers below `CLEAR`, (height, width), and its duration in ms."""

    pixels: Indices
    duration: int


def encode(frames: Iterable[GIFFrame], palette: bytes) -> bytes:
    """Returns the file, which repeats for ever.

    Args:
        frames: at least one picture, all of the same size.
        palette: red, green and blue of up to 255 colours.
    """
    parts: list[bytes] = []
    before: Indices | None = None
    for frame in frames:
        if before is None:
            first = _image(frame.pixels, palette)
            parts += getheader(first, info={"loop": 0})[0]
            parts += getdata(first, duration=frame.duration)
        else:
            parts += _difference(before, frame, palette)
        before = frame.pixels
    return b"".join([*parts, b";"])


def _difference(before: Indices, frame: GIFFrame, palette: bytes) -> list[bytes]:
    """Returns the changed rectangle; pixels in it that did not change are `CLEAR`, which compresses well."""
    changed = frame.pixels != before
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):  # a frame without a change
        rows = columns = np.zeros(1, np.intp)
    top, left = int(rows[0]), int(columns[0])
    area = slice(top, int(rows[-1]) + 1), slice(left, int(columns[-1]) + 1)
    cut = np.where(changed[area], frame.pixels[area], CLEAR).astype(np.uint8)
    return getdata(_image(cut, palette), (left, top), duration=frame.duration, transparency=CLEAR, disposal=1)


def _image(pixels: Indices, palette: bytes) -> Image.Image:
    image = Image.fromarray(pixels).convert("P")
    image.putpalette(palette.ljust(3 * (CLEAR + 1), b"\0"))
    return image
