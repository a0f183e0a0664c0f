"""A game as an animated GIF: the board in pixel art above a strip with score, posterior and timeline.

The strip shows the step and score, the posterior as six bars, and over all steps of the film the posterior, the true
role of the partner, the role of the ego, replans and deliveries. At a replan the board is framed for some steps, and
the strip says for some more what led to it. A picture is one frame of a film, as a PNG.

Of each frame only the part that changed is written. Pillow's own ``save(save_all=True)`` keeps all frames in memory
until the end, a gigabyte for an episode. So its encoder is called for one changed part at a time.
"""

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from PIL.GifImagePlugin import getdata, getheader

from bba.analysis import (
    BAND,
    BY_COLOUR,
    REPLAN_SHOWN_STEPS,
    STACK,
    BeliefSnapshot,
    Snapshot,
    TimelineData,
    TimelineMark,
    bands,
    belief_snapshot,
    belief_texts,
    cook_names,
    last_replan,
    likeliest_role,
    names,
    replan_event,
    replan_heading,
    replan_texts,
    role_posterior,
)
from bba.belief import ROLE_NAMES
from bba.kitchen.render.painter import Painter
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK, rgb
from bba.play import GameConfig, Trace

# pixels
MARGIN = 12  # around everything
GUTTER = 72  # left of the bands, for their names
HEAD = 34  # height of the title
LINE = 22  # height of a bar with its name
NAME = 106  # width of a role's name
PERCENT = 44  # width of a role's probability
ROW = 17  # height of a row of the caption
CAPTION = 4  # rows of the caption of a replan
# font sizes
HEADING = 17
SMALL = 13
# The font lacks these signs.
PLAIN_LETTERS = str.maketrans({"ℓ": "likelihood", "θ": "theta", "Λ": "log ratio", "λ": "lambda", "≥": ">=", "→": "to"})


class FilmStrip:
    """Draws the strip of every step.

    Args:
        trace: the game.
        steps: the steps of the film.
        width: the width of the strip in pixels.
    """

    def __init__(self, trace: Trace, steps: range, width: int) -> None:
        self._trace = trace
        self._steps = steps
        self._width = width
        self._heading = ImageFont.load_default(HEADING)
        self._small = ImageFont.load_default(SMALL)
        self._timeline = TimelineData(trace)
        self._timeline.extend()
        self._top = HEAD + 3 * LINE + MARGIN  # of the bands
        self._foot = self._top + STACK + 2 * (BAND + 3) + BAND + MARGIN  # the top of the caption
        self.height = self._foot + CAPTION * ROW + MARGIN
        self._columns = width - GUTTER - MARGIN
        self._history = Image.fromarray(bands(self._timeline, steps, self._columns))
        self._empty = self._background()

    def draw(self, step: int, replan: int | None) -> Image.Image:
        """Returns the strip after a step, RGB; `replan` is the step of a replan to show in its head."""
        image = self._empty.copy()
        canvas = ImageDraw.Draw(image)
        belief = belief_snapshot(self._trace, step)
        self._draw_head(canvas, step, replan)
        self._draw_bars(canvas, belief)
        width = self._column(step) + 1
        height = self._history.height
        image.paste(self._history.crop((0, 0, width, height)), (GUTTER, self._top))
        self._draw_marks(canvas, step)
        self._draw_caption(canvas, step)
        x = GUTTER + width
        canvas.line((x, self._top, x, self._top + height), DARK.text)
        return image

    def _background(self) -> Image.Image:
        image = Image.new("RGB", (self._width, self.height), DARK.panel)
        canvas = ImageDraw.Draw(image)
        for role in range(len(ROLE_NAMES)):
            x, y = self._place(role)
            canvas.text((x, y + 3), names.role_does(role), DARK.text, self._small)
        belief = "observer" if belief_snapshot(self._trace, self._steps[0]).observer else "belief"
        for top, name in ((STACK // 2 - 8, belief), (STACK - 1, "true"), (STACK + BAND + 3, "ego")):
            canvas.text((MARGIN, self._top + top), name, DARK.dim, self._small)
        return image

    def _place(self, role: int) -> tuple[int, int]:
        """Returns the position of a role's bar: two columns of three."""
        column, row = divmod(role, 3)
        return MARGIN + column * (self._width // 2), HEAD + row * LINE

    def _draw_head(self, canvas: ImageDraw.ImageDraw, step: int, replan: int | None) -> None:
        tick = self._trace.ticks[step - 1]
        canvas.text((MARGIN, 8), f"step {step}", DARK.text, self._heading)
        canvas.text((MARGIN + 110, 8), f"score {tick.score}", DARK.text, self._heading)
        first, second = self._trace.config_at(step).labels
        if replan:
            event = replan_event(self._trace, replan)
            text = replan_heading(event)
            ink = DARK.dim if event.kept else DARK.warn
            canvas.text((self._width - MARGIN, 8), text, ink, self._heading, anchor="ra")
        else:
            canvas.text((self._width - MARGIN, 11), f"{first} and {second}", DARK.dim, self._small, anchor="ra")

    def _draw_caption(self, canvas: ImageDraw.ImageDraw, step: int) -> None:
        """Writes what happened at the last replan, if that is recent, else what the ego believes: what fits of it."""
        replan = last_replan(self._trace, step, REPLAN_SHOWN_STEPS)
        cooks = cook_names(self._trace.config.agents, BY_COLOUR)
        texts = belief_texts(Snapshot(self._trace, step), cooks)
        if replan:
            texts = tuple(f"step {replan}: {text}" for text in replan_texts(self._trace, replan, cooks))
        wrapped = [wrapped_text(text.translate(PLAIN_LETTERS), self._small, self._width - 2 * MARGIN) for text in texts]
        fitting = [rows for rows in wrapped if len(rows) <= CAPTION]
        caption = fitting[0] if fitting else wrapped[-1][:CAPTION]
        for number, row in enumerate(caption):
            canvas.text((MARGIN, self._foot + number * ROW), row, DARK.text, self._small)

    def _draw_bars(self, canvas: ImageDraw.ImageDraw, belief: BeliefSnapshot) -> None:
        posterior = role_posterior(belief.belief)
        room = self._width // 2 - NAME - PERCENT - 2 * MARGIN
        for role, share in enumerate(posterior):
            x, y = self._place(role)
            x += NAME
            canvas.rectangle((x, y + 4, x + room, y + 16), DARK.ground)
            canvas.rectangle((x, y + 4, x + round(share * room), y + 16), DARK.roles[role])
            ink = DARK.text if role == likeliest_role(belief.belief) else DARK.dim
            canvas.text((x + room + PERCENT, y + 3), f"{share:.0%}", ink, self._small, anchor="ra")

    def _column(self, step: int) -> int:
        return ((step - self._steps[0]) // self._steps.step + 1) * self._columns // len(self._steps) - 1

    def _draw_marks(self, canvas: ImageDraw.ImageDraw, step: int) -> None:
        top = self._top + STACK + 2 * (BAND + 3) + 3
        for mark in (TimelineMark.DELIVERY, TimelineMark.KEPT_PLAN, TimelineMark.REPLAN):
            for marked_step in self._timeline.marks[mark]:
                if self._steps[0] <= marked_step <= step:
                    x = GUTTER + self._column(marked_step)
                    triangle = ((x, top), (x - 5, top + 8), (x + 5, top + 8))
                    match mark:
                        case TimelineMark.REPLAN:
                            canvas.polygon(triangle, DARK.warn)
                        case TimelineMark.KEPT_PLAN:  # hollow, as its sign
                            canvas.polygon(triangle, DARK.panel, DARK.warn)
                        case _:
                            canvas.ellipse((x - 3, top + 1, x + 3, top + 7), DARK.good)


def wrapped_text(text: str, font: Any, width: int) -> list[str]:
    """Returns a text in rows that are no wider than so many pixels in a font."""
    rows = [""]
    for word in text.split():
        longer = f"{rows[-1]} {word}".strip()
        if font.getlength(longer) <= width:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


Indices = NDArray[np.uint8]

INKS = (DARK.text, DARK.dim, DARK.warn)  # colours of text
FILLS = (DARK.ground, DARK.good, DARK.bad, DARK.faint, *DARK.roles)
SHADES = 6  # steps from background to text colour, for antialiasing
MOST_COLOURS = 255  # colours; one more number marks transparent pixels
CLEAR = 255  # the palette number of a pixel that does not change


def encode(frames: Iterable[tuple[Indices, int]], palette: bytes) -> bytes:
    """Returns the file, which repeats for ever.

    Args:
        frames: at least one picture, as palette numbers below `CLEAR`, (height, width), all of the same size, and its
            duration in ms.
        palette: red, green and blue of up to 255 colours.
    """
    frames = iter(frames)
    previous, duration = next(frames)
    image = _image(previous, palette)
    header, _ = getheader(image, info={"loop": 0})
    parts: list[bytes] = [*header, *getdata(image, duration=duration)]
    for pixels, duration in frames:
        parts += _difference(previous, pixels, duration, palette)
        previous = pixels
    parts.append(b";")
    return b"".join(parts)


def _difference(previous: Indices, pixels: Indices, duration: int, palette: bytes) -> list[bytes]:
    """Returns the changed rectangle; pixels in it that did not change are `CLEAR`, which compresses well."""
    changed = pixels != previous
    box = Image.fromarray(changed).getbbox()
    if box is None:
        box = (0, 0, 1, 1)  # a frame has one pixel at the least
    left, top, right, bottom = box
    area = slice(top, bottom), slice(left, right)
    cut = np.where(changed[area], pixels[area], CLEAR).astype(np.uint8)
    return getdata(_image(cut, palette), (left, top), duration=duration, transparency=CLEAR, disposal=1)


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
        strip_colours = _strip_colours()
        counts: Counter[int] = Counter()  # of each colour, the boards that have it
        for board in boards:
            counts.update(np.unique(_packed(board)).tolist())
        commonest = np.array([colour for colour, _ in counts.most_common(MOST_COLOURS - len(strip_colours))])
        self._chosen = np.concatenate((strip_colours, _unpacked(commonest)))
        self._board_colours = np.array(sorted(counts))
        self._numbers = np.array([self._closest(colour) for colour in _unpacked(self._board_colours)], np.uint8)
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
        return self._numbers[np.searchsorted(self._board_colours, _packed(board))]

    def reduced(self, picture: Image.Image) -> NDArray[np.uint8]:
        """Returns any picture as numbers of the nearest colours."""
        return np.asarray(picture.quantize(palette=self._model, dither=Image.Dither.NONE))

    def _closest(self, colour: NDArray[np.uint8]) -> int:
        distances: NDArray[np.intp] = np.abs(self._chosen.astype(np.intp) - colour).sum(axis=1)
        return int(distances.argmin())


def _strip_colours() -> NDArray[np.uint8]:
    """Returns the shades of each ink on the ground of a strip, the ground itself, and its fills, (N, 3)."""
    ground = np.array(rgb(DARK.panel))
    inks = np.array([rgb(ink) for ink in INKS])
    shades = ground + (inks - ground)[:, None] * np.arange(1, SHADES + 1)[:, None] // SHADES
    plain = np.array([rgb(colour) for colour in (DARK.panel, *FILLS)])
    return np.concatenate((shades.reshape(-1, 3), plain)).astype(np.uint8)


def _packed(board: RGBImage) -> NDArray[np.int64]:
    """Returns one number a pixel: its red, green and blue bytes."""
    return board.astype(np.int64) @ np.array([1 << 16, 1 << 8, 1])


def _unpacked(packed: NDArray[np.int64]) -> NDArray[np.uint8]:
    return np.stack((packed >> 16, packed >> 8 & 255, packed & 255), axis=1).astype(np.uint8)


ART_PIXELS = 8  # pixels a tile of the painted board; the film shows each of them as a square
LARGEST = 8  # the largest edge of that square
ROOM = (640, 480)  # pixels that the board may take
NARROWEST_FILM = 560  # pixels that the strip needs
FLASH = 6  # steps for which a replan is shown
BORDER = 6  # pixels of its frame
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
    layout = trace.config.layout
    painter = Painter(layout.rows, ART_PIXELS, layout.pass_counters)
    return (painter.paint(trace.scene(step), step // FLICKER_FRAMES) for step in steps)


def film(pictures: Iterator[Indices], steps: range, speed: float, colours: FilmPalette) -> bytes:
    """Returns a GIF file of a picture for each step, at `speed` steps a second; the last one stays for a while."""
    pause = max(QUICKEST, round(1000 * steps.step / speed))
    durations = [pause] * (len(steps) - 1) + [LAST_FRAME_MS]
    return encode(zip(pictures, durations, strict=True), colours.palette)


def picture(pixels: Indices, colours: FilmPalette) -> bytes:
    """Returns a picture as a PNG file."""
    file = io.BytesIO()
    _image(pixels, colours.palette).save(file, format="PNG", optimize=True)
    return file.getvalue()


def edge(config: GameConfig) -> int:
    """Returns the edge of a pixel of the board in pixels of the film."""
    width = ART_PIXELS * config.layout.width
    height = ART_PIXELS * config.layout.height
    return max(1, min(LARGEST, ROOM[0] // width, ROOM[1] // height))


def _pictures(trace: Trace, steps: range, colours: FilmPalette, *, covered: range) -> Iterator[Indices]:
    """Yields the frame of each step: the board centred above the strip, whose timeline covers the steps `covered`."""
    layout = trace.config.layout
    scale = edge(trace.config)
    width = scale * ART_PIXELS * layout.width
    height = scale * ART_PIXELS * layout.height
    frame_width = max(width, NARROWEST_FILM)
    strip = FilmStrip(trace, covered, frame_width)
    x = (frame_width - width) // 2
    for step, board in zip(steps, boards_of(trace, steps), strict=True):
        replan = last_replan(trace, step, FLASH)
        frame = np.full((height + strip.height, frame_width), colours.nearest(DARK.panel), np.uint8)
        board_part = frame[:height, x : x + width]
        board_part[:] = colours.numbers(board).repeat(scale, axis=0).repeat(scale, axis=1)
        if replan and not replan_event(trace, replan).kept:
            surround(board_part, colours.nearest(DARK.warn))
        frame[height:] = colours.reduced(strip.draw(step, replan))
        yield frame


def surround(picture: Indices, colour: int) -> None:
    """Draws a frame into a picture."""
    inner = picture[BORDER:-BORDER, BORDER:-BORDER].copy()
    picture[:] = colour
    picture[BORDER:-BORDER, BORDER:-BORDER] = inner
