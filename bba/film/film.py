"""An episode as a film for a talk: the board in the project's own art, and under it what the ego believes.

The strip under the board shows step and score, six bars of the posterior, and over the whole stretch the posterior,
the partner's true role, the ego's, replans and deliveries. A replan frames the board for some steps and is named.
"""

from collections.abc import Iterator

import numpy as np

from bba.film.colours import FilmPalette
from bba.film.gif import GIFFrame, Indices, encode
from bba.film.strip import FilmStrip
from bba.kitchen.render.painter import Painter
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK
from bba.play import GameConfig, Trace

ART = 8  # pixels a tile in which the board is painted; the film shows each of them as a square
LARGEST, ROOM = 8, (640, 480)  # that square's edge at the most, and the pixels that the board may take
NARROWEST = 560  # pixels that the strip needs
FLASH, BORDER = 6, 6  # steps for which a replan is shown, and the width of the frame that shows it
FLICKER = 3  # steps a frame of fire and smoke
LAST = 2000  # ms that the last frame stays
QUICKEST = 20  # ms: what is shorter, players slow down


def to_gif(trace: Trace, steps: range, speed: float) -> bytes:
    """The film of these steps, at so many steps a second."""
    painter = Painter(trace.config.layout.rows, ART, trace.config.layout.pass_counters)

    def boards() -> Iterator[RGBImage]:
        return (painter.paint(trace.scene(step), step // FLICKER) for step in steps)

    colours = FilmPalette(boards())
    pause = max(QUICKEST, round(1000 * steps.step / speed))
    pictures = _pictures(trace, steps, (colours.numbers(board) for board in boards()), colours)
    frames = (
        GIFFrame(picture, LAST if step == steps[-1] else pause) for step, picture in zip(steps, pictures, strict=True)
    )
    return encode(frames, colours.palette)


def edge(config: GameConfig) -> int:
    """How large the film shows a pixel of the board."""
    width, height = ART * config.layout.width, ART * config.layout.height
    return max(1, min(LARGEST, ROOM[0] // width, ROOM[1] // height))


def _pictures(trace: Trace, steps: range, boards: Iterator[Indices], colours: FilmPalette) -> Iterator[Indices]:
    """Every frame: the board in the middle above, the strip below."""
    scale = edge(trace.config)
    width, height = (scale * ART * tiles for tiles in (trace.config.layout.width, trace.config.layout.height))
    whole = max(width, NARROWEST)
    strip = FilmStrip(trace, steps, whole)
    left = (whole - width) // 2
    for step, board in zip(steps, boards, strict=True):
        replan = last_replan(trace, step)
        shown = np.full((height + strip.height, whole), colours.ground, np.uint8)
        shown[:height, left : left + width] = board.repeat(scale, axis=0).repeat(scale, axis=1)
        if replan:
            _surround(shown[:height, left : left + width], colours.nearest(DARK.warn))
        shown[height:] = colours.reduced(strip.draw(step, replan))
        yield shown


def last_replan(trace: Trace, step: int) -> int:
    """The last step at which the ego replanned, if that was a moment ago; else 0."""
    moment_ago = range(step, max(0, step - FLASH), -1)
    return next((one for one in moment_ago if trace.ticks[one - 1].decisions[0].replanned), 0)


def _surround(picture: Indices, colour: int) -> None:
    """Draw a frame into a picture."""
    inner = picture[BORDER:-BORDER, BORDER:-BORDER].copy()
    picture[:] = colour
    picture[BORDER:-BORDER, BORDER:-BORDER] = inner
