"""Sizes of pictures: sprites enlarged and reduced without blurring them, as far as their size allows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
        pooled: NDArray[np.float32] = pixels.reshape(size, pool, size, pool, -1).mean(axis=(1, 3), dtype=np.float32)
        return pooled
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
    up, right, down, left = around[:-2, 1:-1], around[1:-1, 2:], around[2:, 1:-1], around[1:-1, :-2]
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


def _same(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray((one == other).all(axis=-1))
