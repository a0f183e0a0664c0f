"""A game as an animated GIF: the board in the project's pixel art above a strip with the ego's belief.

The strip shows the step and score, the posterior as six bars, and over all steps of the film the posterior, the true
role of the partner, the role of the ego, replans and deliveries. At a replan the board is framed for some steps, and
the strip says for some more what led to it. A picture is one frame of a film, as a PNG.

Of each frame only the part that changed is written. Pillow's own ``save(save_all=True)`` keeps all frames in memory
until the end, a gigabyte for an episode. So its encoder is called for one changed part at a time.
"""

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.GifImagePlugin import getdata, getheader

from bba.analysis.replans import last_replan
from bba.film.strip import FilmStrip
from bba.kitchen.render.painter import Painter
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK, rgb
from bba.play import GameConfig, Trace

Indices = NDArray[np.uint8]

INKS = (DARK.text, DARK.dim, DARK.warn)  # colours of text
FILLS = (DARK.ground, DARK.good, DARK.bad, DARK.faint, *DARK.roles)
SHADES = 6  # steps from background to text colour, for antialiasing
MOST_COLOURS = 255  # colours; one more number marks transparent pixels
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


class FilmPalette:
    """The palette of a film, at most `MOST` colours: exact for its boards, nearly exact for its strip.

    Args:
        boards: the pictures of its boards, uint8 arrays (height, width, 3).
    """

    def __init__(self, boards: Iterable[RGBImage]) -> None:
        own = np.array(list(_strip_colours()), np.uint8)
        counts = Counter(colour for board in boards for colour in np.unique(_packed(board)).tolist())
        commonest = np.array([colour for colour, _ in counts.most_common(MOST_COLOURS - len(own))])
        self._chosen = np.concatenate((own, _unpacked(commonest)))
        self._seen = np.array(sorted(counts))
        self._numbers = np.array([self._closest(one) for one in _unpacked(self._seen)], np.uint8)
        self._model = Image.new("P", (1, 1))
        self._model.putpalette(self.palette)

    @property
    def palette(self) -> bytes:
        """Red, green and blue of every colour, in the order of their numbers."""
        return self._chosen.tobytes()

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


ART_PIXELS = 8  # pixels a tile of the painted board; the film shows each of them as a square
LARGEST, ROOM = 8, (640, 480)  # the largest edge of that square, and the pixels that the board may take
NARROWEST_FILM = 560  # pixels that the strip needs
FLASH, BORDER = 6, 6  # steps for which a replan is shown, and the width of its frame in pixels
FLICKER_FRAMES = 3  # steps for each picture of fire and smoke
LAST_FRAME_MS = 2000  # ms for which the last frame is shown
QUICKEST = 20  # ms; programs slow down frames that are shorter


def to_gif(trace: Trace, steps: range, speed: float) -> bytes:
    """Returns the film of these steps as a GIF file, at `speed` steps a second."""
    colours = FilmPalette(boards_of(trace, steps))
    return film(_pictures(trace, steps, colours, covered=steps), steps, speed, colours)


def to_png(trace: Trace, steps: range) -> bytes:
    """Returns the picture of the film after the last of these steps as a PNG file; its timeline covers the steps."""
    last = steps[-1:]
    colours = FilmPalette(boards_of(trace, last))
    return picture(next(_pictures(trace, last, colours, covered=steps)), colours)


def boards_of(trace: Trace, steps: range) -> Iterator[RGBImage]:
    """Yields the painted board after each of these steps."""
    painter = Painter(trace.config.layout.rows, ART_PIXELS, trace.config.layout.pass_counters)
    return (painter.paint(trace.scene(step), step // FLICKER_FRAMES) for step in steps)


def film(pictures: Iterator[Indices], steps: range, speed: float, colours: FilmPalette) -> bytes:
    """Returns a GIF file of a picture for each step, at `speed` steps a second; the last one stays for a while."""
    pause = max(QUICKEST, round(1000 * steps.step / speed))
    frames = (
        GIFFrame(picture, LAST_FRAME_MS if step == steps[-1] else pause)
        for step, picture in zip(steps, pictures, strict=True)
    )
    return encode(frames, colours.palette)


def picture(pixels: Indices, colours: FilmPalette) -> bytes:
    """Returns a picture as a PNG file."""
    image, file = Image.fromarray(pixels).convert("P"), io.BytesIO()
    image.putpalette(colours.palette)
    image.save(file, format="PNG", optimize=True)
    return file.getvalue()


def edge(config: GameConfig) -> int:
    """Returns the edge of a pixel of the board in pixels of the film."""
    width, height = ART_PIXELS * config.layout.width, ART_PIXELS * config.layout.height
    return max(1, min(LARGEST, ROOM[0] // width, ROOM[1] // height))


def _pictures(trace: Trace, steps: range, colours: FilmPalette, *, covered: range) -> Iterator[Indices]:
    """Yields the frame of each step: the board centred above the strip, whose timeline covers the steps `covered`."""
    scale = edge(trace.config)
    width, height = (scale * ART_PIXELS * tiles for tiles in (trace.config.layout.width, trace.config.layout.height))
    whole = max(width, NARROWEST_FILM)
    strip = FilmStrip(trace, covered, whole)
    left = (whole - width) // 2
    for step, board in zip(steps, map(colours.numbers, boards_of(trace, steps)), strict=True):
        replan = last_replan(trace, step, FLASH)
        shown = np.full((height + strip.height, whole), colours.nearest(DARK.panel), np.uint8)
        shown[:height, left : left + width] = board.repeat(scale, axis=0).repeat(scale, axis=1)
        if replan:
            surround(shown[:height, left : left + width], colours.nearest(DARK.warn))
        shown[height:] = colours.reduced(strip.draw(step, replan))
        yield shown


def surround(picture: Indices, colour: int) -> None:
    """Draws a frame into a picture."""
    inner = picture[BORDER:-BORDER, BORDER:-BORDER].copy()
    picture[:] = colour
    picture[BORDER:-BORDER, BORDER:-BORDER] = inner
