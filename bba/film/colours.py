"""The palette of a film, at most 255 colours: exact for its boards, nearly exact for its strip."""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK, rgb

INKS = (DARK.text, DARK.dim, DARK.warn)  # colours of text
FILLS = (DARK.ground, DARK.good, DARK.bad, DARK.faint, *DARK.roles)
SHADES = 6  # steps from background to text colour, for antialiasing
MOST = 255  # colours; one more number marks transparent pixels


class FilmPalette:
    """The palette of a film.

    Args:
        boards: the pictures of its boards, uint8 arrays (height, width, 3).
    """

    def __init__(self, boards: Iterable[RGBImage]) -> None:
        own = np.array(list(_strip_colours()), np.uint8)
        counts = Counter(colour for board in boards for colour in np.unique(_packed(board)).tolist())
        commonest = np.array([colour for colour, _ in counts.most_common(MOST - len(own))])
        self._chosen = np.concatenate((own, _unpacked(commonest)))
        self._seen = np.array(sorted(counts))
        self._numbers = np.array([self._closest(one) for one in _unpacked(self._seen)], np.uint8)
        self._model = Image.new("P", (1, 1))
        self._model.putpalette(self.palette)

    @property
    def palette(self) -> bytes:
        """Red, green and blue of every colour, in the order of their numbers."""
        return self._chosen.tobytes()

    @property
    def ground(self) -> int:
        """The number of the background colour."""
        return self.nearest(DARK.panel)

    def nearest(self, colour: str) -> int:
        """Returns the number of the colour nearest to "#rrggbb"."""
        return self._closest(np.array(rgb(colour), np.uint8))

    def numbers(self, board: RGBImage) -> NDArray[np.uint8]:
        """Returns one of the boards as colour numbers, (height, width)."""
        return self._numbers[np.searchsorted(self._seen, _packed(board))]

    def reduced(self, picture: Image.Image) -> NDArray[np.uint8]:
        """Returns any picture as numbers of the nearest colours."""
        return np.asarray(picture.quantize(palette=self._model, dither=Image.Dither.NONE))

    def _closest(self, colour: NDArray[np.uint8]) -> int:
        distances: NDArray[np.intp] = np.abs(self._chosen.astype(np.intp) - colour).sum(axis=1)
        return int(distances.argmin())


def _strip_colours() -> Iterable[tuple[int, ...]]:
    ground = np.array(rgb(DARK.panel))
    for ink in INKS:
        for shade in range(1, SHADES + 1):
            yield tuple((ground + (np.array(rgb(ink)) - ground) * shade // SHADES).tolist())
    yield rgb(DARK.panel)
    yield from (rgb(fill) for fill in FILLS)


def _packed(picture: RGBImage) -> NDArray[np.int64]:
    """Returns one number a pixel: its red, green and blue bytes."""
    packed: NDArray[np.int64] = picture.astype(np.int64) @ np.array([1 << 16, 1 << 8, 1])
    return packed


def _unpacked(packed: NDArray[np.int64]) -> NDArray[np.uint8]:
    return np.stack((packed >> 16, packed >> 8 & 255, packed & 255), axis=1).astype(np.uint8)
