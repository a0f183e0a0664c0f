"""A duel as a film: both boards side by side, what each ego expects above them, who leads below, and the caption."""

from collections.abc import Iterator

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bba.analysis.comparison import (
    Differences,
    Pair,
    caption,
    duel_titles,
    knows,
    lead_pixels,
    lead_scale,
    leads,
)
from bba.analysis.events import replan_event
from bba.analysis.replans import last_replan
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

# pixels
GAP = 16  # between the boards
HEAD = 62  # above them
AREA = 72  # height of the lead over time
MARKS = 14  # height of a row of marks
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
        drawn_steps: the steps whose frames are drawn.

    Attributes:
        colours: the palette of these frames.
    """

    def __init__(self, pair: Pair, steps: range, drawn_steps: range) -> None:
        self._pair = pair
        self._steps = steps
        self.colours = FilmPalette(board for trace in pair for board in boards_of(trace, drawn_steps))
        self._score = ImageFont.load_default(SCORE)
        self._name = ImageFont.load_default(NAME)
        self._small = ImageFont.load_default(SMALL)
        layout = pair[0].config.layout
        self._scale = max(1, 2 * edge(pair[0].config) // 3)
        self._board_width = layout.width * ART_PIXELS * self._scale
        self._board_height = layout.height * ART_PIXELS * self._scale
        self._width = 2 * self._board_width + GAP
        self._titles = duel_titles(pair[0].config, pair[1].config)
        self._points = leads(*pair)
        self._differences = Differences(*pair, 0)
        self._differences.extend()
        self._timelines = [TimelineData(trace) for trace in pair]
        for timeline in self._timelines:
            timeline.extend()
        self._area = self._lead_area()

    def of(self, steps: range) -> Iterator[Indices]:
        """Yields the frame of each of these steps."""
        first, second = self._pair
        boards = zip(boards_of(first, steps), boards_of(second, steps), strict=True)
        for step, both_boards in zip(steps, boards, strict=True):
            head = self.colours.reduced(self._head(step))
            foot = self.colours.reduced(self._foot(step))
            middle = np.full((self._board_height, self._width), self.colours.nearest(DARK.panel), np.uint8)
            for side, (trace, board) in enumerate(zip(self._pair, both_boards, strict=True)):
                x = self._left_of(side)
                half = middle[:, x : x + self._board_width]
                half[:] = self.colours.numbers(board).repeat(self._scale, axis=0).repeat(self._scale, axis=1)
                replan = last_replan(trace, step, FLASH)
                if replan and not replan_event(trace, replan).kept:
                    surround(half, self.colours.nearest(DARK.warn))
            yield np.concatenate((head, middle, foot))

    def _left_of(self, side: int) -> int:
        """Returns the pixel at which the board of a side begins."""
        return side * (self._board_width + GAP)

    def _head(self, step: int) -> Image.Image:
        """Returns the strip above the boards: the ego's name, its score, and what it expects of its partner."""
        image = Image.new("RGB", (self._width, HEAD), DARK.panel)
        canvas = ImageDraw.Draw(image)
        lead = self._points[step - 1]
        is_ahead = (lead > 0, lead < 0)
        for side, trace in enumerate(self._pair):
            tick = trace.ticks[step - 1]
            x = self._left_of(side) + MARGIN
            right_edge = x + self._board_width - 2 * MARGIN
            canvas.text((x, 10), self._titles[side], DARK.text, self._name)
            score_ink = DARK.good if is_ahead[side] else DARK.text
            canvas.text((right_edge, 6), str(tick.score), score_ink, self._score, anchor="ra")
            belief_ink = DARK.dim if tick.decisions[EGO].belief is None else DARK.warn
            canvas.text((x, 36), knows(trace, step), belief_ink, self._small)
        return image

    def _foot(self, step: int) -> Image.Image:
        """Returns the strip below the boards: the lead so far between the marks of both games, and the caption."""
        image = Image.new("RGB", (self._width, AREA + 2 * MARKS + 2 * MARGIN + 3 * ROW), DARK.panel)
        canvas = ImageDraw.Draw(image)
        top = MARGIN // 2 + MARKS
        column = self._column(step)
        image.paste(Image.fromarray(self._area[:, :column]), (MARGIN, top))
        self._draw_lead(canvas, step, top)
        for side, timeline in enumerate(self._timelines):
            self._draw_marks(canvas, timeline, step, MARGIN // 2 + side * (AREA + MARKS + 2))
        for number, row in enumerate(self._caption_rows(step)):
            canvas.text((MARGIN, top + AREA + MARKS + MARGIN + number * ROW), row, DARK.text, self._small)
        return image

    def _draw_lead(self, canvas: ImageDraw.ImageDraw, step: int, top: int) -> None:
        """Draws a line at the end of the lead so far, and the lead in points on the side with more room."""
        column = self._column(step)
        lead = self._points[step - 1]
        text = f"{lead:+}" if lead else "0"
        x = MARGIN + column
        canvas.line((x, top, x, top + AREA), DARK.text)
        if column > self._width // 2:
            canvas.rectangle((x - 50, top + 2, x - 2, top + 24), DARK.panel)
            canvas.text((x - 6, top + 4), text, DARK.text, self._name, anchor="ra")
        else:
            canvas.text((x + 6, top + 4), text, DARK.text, self._name)

    def _caption_rows(self, step: int) -> list[str]:
        """Returns the longest caption that fits, in rows."""
        for text in caption(self._pair, self._differences, step, truth=True, here=False):
            rows = wrapped_text(text.translate(PLAIN_LETTERS), self._small, self._width - 2 * MARGIN)
            if len(rows) < CAPTION:
                return rows
        return []

    def _draw_marks(self, canvas: ImageDraw.ImageDraw, timeline: TimelineData, step: int, top: int) -> None:
        """Draws triangles for replans, hollow ones where the plan was kept, and diamonds for the partner's switches."""
        shapes = (
            (TimelineMark.SWITCH, 4, 45, DARK.text, DARK.text),
            (TimelineMark.KEPT_PLAN, 3, 0, DARK.panel, DARK.warn),
            (TimelineMark.REPLAN, 3, 0, DARK.warn, DARK.warn),
        )
        for mark, corners, rotation, fill, outline in shapes:
            for marked_step in timeline.marks[mark]:
                if self._steps[0] <= marked_step <= step:
                    centre = (MARGIN + self._column(marked_step), top + 6, 6)
                    canvas.regular_polygon(centre, corners, rotation, fill, outline)

    def _column(self, step: int) -> int:
        return ((step - self._steps[0]) // self._steps.step + 1) * (self._width - 2 * MARGIN) // len(self._steps)

    def _lead_area(self) -> RGBImage:
        """Returns the lead over all steps of the film, green where the left game leads."""
        columns = self._width - 2 * MARGIN
        points = [self._points[step - 1] for step in self._steps]
        by_column = [points[column * len(points) // columns] for column in range(columns)]
        sides = lead_pixels(by_column, AREA, *lead_scale(points))
        inks = np.array([rgb(DARK.ground), rgb(DARK.good), rgb(DARK.warn)], np.uint8)
        return np.asarray(inks[sides])
