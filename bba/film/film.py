"""A game as an animated GIF: the board in the project's pixel art above a strip with the ego's belief.

The strip shows the step and score, the posterior as six bars, and over all steps of the film the posterior, the true
role of the partner, the role of the ego, replans and deliveries. At a replan the board is framed for some steps, and
the strip says for some more what led to it. A picture is one frame of a film, as a PNG.
"""

import io
from collections.abc import Iterator

import numpy as np
from PIL import Image

from bba.analysis.replans import last_replan
from bba.film.gif import FilmPalette, GIFFrame, Indices, encode
from bba.film.strip import FilmStrip
from bba.kitchen.render.painter import Painter
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK
from bba.play import GameConfig, Trace

ART = 8  # pixels a tile of the painted board; the film shows each of them as a square
LARGEST, ROOM = 8, (640, 480)  # the largest edge of that square, and the pixels that the board may take
NARROWEST = 560  # pixels that the strip needs
FLASH, BORDER = 6, 6  # steps for which a replan is shown, and the width of its frame in pixels
FLICKER = 3  # steps for each picture of fire and smoke
LAST = 2000  # ms for which the last frame is shown
QUICKEST = 20  # ms; programs slow down frames that are shorter


def to_gif(trace: Trace, steps: range, speed: float) -> bytes:
    """Returns the film of these steps as a GIF file, at `speed` steps a second."""
    painter = Painter(trace.config.layout.rows, ART, trace.config.layout.pass_counters)

    def boards() -> Iterator[RGBImage]:
        return (painter.paint(trace.scene(step), step // FLICKER) for step in steps)

    colours = FilmPalette(boards())
    pause = max(QUICKEST, round(1000 * steps.step / speed))
    pictures = _pictures(trace, steps, (colours.numbers(board) for board in boards()), colours, covered=steps)
    frames = (
        GIFFrame(picture, LAST if step == steps[-1] else pause) for step, picture in zip(steps, pictures, strict=True)
    )
    return encode(frames, colours.palette)


def to_png(trace: Trace, steps: range) -> bytes:
    """Returns the picture of the film after the last of these steps as a PNG file; its timeline covers the steps."""
    last, file = steps[-1:], io.BytesIO()
    board = Painter(trace.config.layout.rows, ART, trace.config.layout.pass_counters).paint(trace.scene(last[0]))
    colours = FilmPalette((board,))
    (picture,) = _pictures(trace, last, iter((colours.numbers(board),)), colours, covered=steps)
    image = Image.fromarray(picture).convert("P")
    image.putpalette(colours.palette)
    image.save(file, format="PNG", optimize=True)
    return file.getvalue()


def edge(config: GameConfig) -> int:
    """Returns the edge of a pixel of the board in pixels of the film."""
    width, height = ART * config.layout.width, ART * config.layout.height
    return max(1, min(LARGEST, ROOM[0] // width, ROOM[1] // height))


def _pictures(
    trace: Trace, steps: range, boards: Iterator[Indices], colours: FilmPalette, *, covered: range
) -> Iterator[Indices]:
    """Yields the frame of each step: the board centred above the strip, whose timeline covers the steps `covered`."""
    scale = edge(trace.config)
    width, height = (scale * ART * tiles for tiles in (trace.config.layout.width, trace.config.layout.height))
    whole = max(width, NARROWEST)
    strip = FilmStrip(trace, covered, whole)
    left = (whole - width) // 2
    for step, board in zip(steps, boards, strict=True):
        replan = last_replan(trace, step, FLASH)
        shown = np.full((height + strip.height, whole), colours.nearest(DARK.panel), np.uint8)
        shown[:height, left : left + width] = board.repeat(scale, axis=0).repeat(scale, axis=1)
        if replan:
            _surround(shown[:height, left : left + width], colours.nearest(DARK.warn))
        shown[height:] = colours.reduced(strip.draw(step, replan))
        yield shown


def _surround(picture: Indices, colour: int) -> None:
    """Draws a frame into a picture."""
    inner = picture[BORDER:-BORDER, BORDER:-BORDER].copy()
    picture[:] = colour
    picture[BORDER:-BORDER, BORDER:-BORDER] = inner
