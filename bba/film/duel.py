"""A duel as a film: both boards side by side, what each ego expects above them, who leads below, and the caption."""

from collections.abc import Iterator

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bba.analysis.comparison import SIDES, Differences, Pair, caption, knows, lead_pixels, lead_scale, leads
from bba.analysis.timeline import TimelineData, TimelineMark
from bba.film.film import (
    ART_PIXELS,
    CAPTION,
    FLASH,
    MARGIN,
    PLAIN_LETTERS,
    ROW,
    FilmPalette,
    Indices,
    boards_of,
    edge,
    film,
    picture,
    surround,
    wrapped_text,
)
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK, rgb
from bba.play.trace import EGO, Trace

# pixels between the boards, and above them
GAP = 16
HEAD = 62
# heights of the lead over time, and of a row of marks
AREA = 72
MARKS = 14
# font sizes
SCORE = 22
NAME = 16
SMALL = 14


def to_duel_gif(first: Trace, second: Trace, steps: range, speed: float) -> bytes:
    """Returns the film of these steps of both games as a GIF file, at `speed` steps a second."""
    frames = DuelFrames((first, second), steps, steps)
    return film(frames.of(steps), steps, speed, frames.colours)


def to_duel_png(first: Trace, second: Trace, steps: range) -> bytes:
    """Returns the picture of the film after the last of these steps as a PNG file."""
    last = steps[-1:]
    frames = DuelFrames((first, second), steps, last)
    return picture(next(frames.of(last)), frames.colours)


class DuelFrames:
    """Draws the frames of a duel.

    Args:
        pair: both games, of the same kitchen and at least as long as the film.
        steps: the steps that the lead covers.
        shown: the steps whose frames are asked for.

    Attributes:
        colours: the palette of these frames.
    """

    def __init__(self, pair: Pair, steps: range, shown: range) -> None:
        self._pair = pair
        self._steps = steps
        self.colours = FilmPalette(board for trace in pair for board in boards_of(trace, shown))
        self._score, self._name, self._small = (ImageFont.load_default(size) for size in (SCORE, NAME, SMALL))
        layout = pair[0].config.layout
        self._scale = max(1, 2 * edge(pair[0].config) // 3)
        self._board = layout.width * ART_PIXELS * self._scale, layout.height * ART_PIXELS * self._scale
        self._width = 2 * self._board[0] + GAP
        self._points = leads(*pair)
        self._differences = Differences(*pair, 0)
        self._differences.extend()
        self._timelines = [TimelineData(trace) for trace in pair]
        for timeline in self._timelines:
            timeline.extend()
        self._area = self._lead_area()

    def of(self, steps: range) -> Iterator[Indices]:
        """Yields the frame of each of these steps."""
        boards = zip(*(boards_of(trace, steps) for trace in self._pair), strict=True)
        for step, both in zip(steps, boards, strict=True):
            head = self.colours.reduced(self._head(step))
            foot = self.colours.reduced(self._foot(step))
            shown = np.full((self._board[1], self._width), self.colours.nearest(DARK.panel), np.uint8)
            for side, (trace, board) in enumerate(zip(self._pair, both, strict=True)):
                left = side * (self._board[0] + GAP)
                part = shown[:, left : left + self._board[0]]
                part[:] = self.colours.numbers(board).repeat(self._scale, axis=0).repeat(self._scale, axis=1)
                if any(tick.decisions[EGO].replanned for tick in trace.ticks[max(0, step - FLASH) : step]):
                    surround(part, self.colours.nearest(DARK.warn))
            yield np.concatenate((head, shown, foot))

    def _head(self, step: int) -> Image.Image:
        """Returns what stands above the boards: the ego's name, its score, and what it expects of its partner."""
        image = Image.new("RGB", (self._width, HEAD), DARK.panel)
        drawn = ImageDraw.Draw(image)
        lead = self._points[step - 1]
        for side, (trace, ahead) in enumerate(zip(self._pair, (lead > 0, lead < 0), strict=True)):
            left = side * (self._board[0] + GAP) + MARGIN
            right = left + self._board[0] - 2 * MARGIN
            drawn.text((left, 10), f"{SIDES[side]}: {trace.config.labels[EGO]}", DARK.text, self._name)
            ink = DARK.good if ahead else DARK.text
            drawn.text((right, 6), str(trace.ticks[step - 1].score), ink, self._score, anchor="ra")
            believes = trace.ticks[step - 1].decisions[EGO].belief is not None
            drawn.text((left, 36), knows(trace, step), DARK.warn if believes else DARK.dim, self._small)
        return image

    def _foot(self, step: int) -> Image.Image:
        """Returns what stands below the boards: the lead so far between the marks of both games, and the caption."""
        image = Image.new("RGB", (self._width, AREA + 2 * MARKS + 2 * MARGIN + 3 * ROW), DARK.panel)
        drawn = ImageDraw.Draw(image)
        top = MARGIN // 2 + MARKS
        now = self._column(step)
        image.paste(Image.fromarray(self._area[:, :now]), (MARGIN, top))
        lead = self._points[step - 1]
        end = MARGIN + now
        drawn.line((end, top, end, top + AREA), DARK.text)
        beside = {"xy": (end - 6, top + 4), "anchor": "ra"} if now > self._width // 2 else {"xy": (end + 6, top + 4)}
        drawn.rectangle((end - 50, top + 2, end - 2, top + 24) if now > self._width // 2 else (0, 0, 0, 0), DARK.panel)
        drawn.text(**beside, text=f"{lead:+}" if lead else "0", fill=DARK.text, font=self._name)
        for side, timeline in enumerate(self._timelines):
            self._marks(drawn, timeline, step, MARGIN // 2 + side * (AREA + MARKS + 2))
        texts = caption(self._pair, self._differences, step, truth=True, here=False)
        wrapped = [wrapped_text(text.translate(PLAIN_LETTERS), self._small, self._width - 2 * MARGIN) for text in texts]
        rows = next((rows for rows in wrapped if len(rows) < CAPTION), [])
        for number, row in enumerate(rows):
            drawn.text((MARGIN, top + AREA + MARKS + MARGIN + number * ROW), row, DARK.text, self._small)
        return image

    def _marks(self, drawn: ImageDraw.ImageDraw, timeline: TimelineData, step: int, top: int) -> None:
        """Draws triangles for replans, and diamonds for the partner's switches."""
        for mark, corners, ink in ((TimelineMark.SWITCH, 4, DARK.text), (TimelineMark.REPLAN, 3, DARK.warn)):
            for one in timeline.marks[mark]:
                if self._steps[0] <= one <= step:
                    drawn.regular_polygon((MARGIN + self._column(one), top + 6, 6), corners, 45 * (corners == 4), ink)

    def _column(self, step: int) -> int:
        return ((step - self._steps[0]) // self._steps.step + 1) * (self._width - 2 * MARGIN) // len(self._steps)

    def _lead_area(self) -> RGBImage:
        """Returns the lead over all steps of the film, green where the left game leads."""
        columns = self._width - 2 * MARGIN
        points = [self._points[step - 1] for step in self._steps]
        shown = [points[column * len(points) // columns] for column in range(columns)]
        ahead = lead_pixels(shown, AREA, *lead_scale(points))
        inks = np.array([rgb(DARK.ground), rgb(DARK.good), rgb(DARK.warn)], np.uint8)
        return np.asarray(inks[ahead])
