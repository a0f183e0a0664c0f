"""The strip under the board of a film: step and score, the posterior, a timeline so far, and what led to a replan.

The timeline shows in each column of pixels the posterior as a stacked bar, and below it two bands of roles.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from bba.analysis import names
from bba.analysis.captions import replan_texts
from bba.analysis.replans import REPLAN_SHOWN_STEPS, last_replan
from bba.analysis.snapshot import BeliefSnapshot, belief_snapshot, likeliest_role, role_posterior
from bba.analysis.timeline import TimelineData, TimelineMark, replan_event
from bba.belief import NO_ROLE, ROLE_NAMES
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK, rgb
from bba.play import Trace

STACK, BAND = 60, 10  # heights of the posterior over time and of a band of roles
_ROLE_PIXELS = np.array([rgb(colour) for colour in (*DARK.roles, DARK.ground)], np.uint8)


def bands(timeline: TimelineData, steps: range, columns: int) -> RGBImage:
    """Returns the timeline of these steps: in each column the posterior, the true role and the ego's role."""
    runs = min(steps[-1] - steps[0] + 1, columns)
    shown = timeline.over(np.linspace(steps[0] - 1, steps[-1], runs + 1).round().astype(np.intp))
    index = np.arange(columns) * runs // columns
    picture = np.empty((STACK + 2 * (BAND + 3), columns, 3), np.uint8)
    picture[:] = rgb(DARK.panel)
    picture[:STACK] = _stacked(shown.posterior[index])
    for band, roles in enumerate((shown.true, shown.ego)):
        top = STACK + 3 + band * (BAND + 3)
        picture[top : top + BAND] = _ROLE_PIXELS[np.where(roles == NO_ROLE, len(ROLE_NAMES), roles)[index]]
    return picture


def _stacked(posterior: NDArray[np.float64]) -> RGBImage:
    """Returns a stacked bar of role colours for each column, from the bottom up, (STACK, columns, 3)."""
    centres = (np.arange(STACK)[::-1] + 0.5) / STACK
    below = np.cumsum(posterior, axis=1)[:, :-1]
    return np.asarray(_ROLE_PIXELS[(below[None] < centres[:, None, None]).sum(axis=2)])


MARGIN, GUTTER = 12, 72  # pixels around everything, and left of the bands for their names
HEAD, LINE = 34, 22  # heights of the title and of a bar with its name
NAME, PERCENT = 106, 44  # widths of a role's name and of its probability
HEADING, SMALL = 17, 13  # font sizes
CAPTION, ROW = 4, 17  # rows of the caption of a replan, and the height of one
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
        self._trace, self._steps, self._width = trace, steps, width
        self._heading, self._small = (ImageFont.load_default(size) for size in (HEADING, SMALL))
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
        drawn = ImageDraw.Draw(image)
        belief = belief_snapshot(self._trace, step)
        self._head(drawn, step, replan)
        self._bars(drawn, belief)
        now = self._column(step) + 1
        image.paste(self._history.crop((0, 0, now, self._history.height)), (GUTTER, self._top))
        self._marks(drawn, step)
        self._caption(drawn, step)
        drawn.line((GUTTER + now, self._top, GUTTER + now, self._top + self._history.height), DARK.text)
        return image

    def _background(self) -> Image.Image:
        image = Image.new("RGB", (self._width, self.height), DARK.panel)
        drawn = ImageDraw.Draw(image)
        for role in range(len(ROLE_NAMES)):
            left, top = self._place(role)
            drawn.text((left, top + 3), names.role(role), DARK.text, self._small)
        belief = "observer" if belief_snapshot(self._trace, self._steps[0]).observer else "belief"
        for top, name in ((STACK // 2 - 8, belief), (STACK - 1, "true"), (STACK + BAND + 3, "ego")):
            drawn.text((MARGIN, self._top + top), name, DARK.dim, self._small)
        return image

    def _place(self, role: int) -> tuple[int, int]:
        """Returns the position of a role's bar: two columns of three."""
        return MARGIN + (role // 3) * (self._width // 2), HEAD + role % 3 * LINE

    def _head(self, drawn: ImageDraw.ImageDraw, step: int, replan: int | None) -> None:
        tick = self._trace.ticks[step - 1]
        drawn.text((MARGIN, 8), f"step {step}", DARK.text, self._heading)
        drawn.text((MARGIN + 110, 8), f"score {tick.score}", DARK.text, self._heading)
        first, second = self._trace.config_at(step).labels
        if replan:
            text = replan_event(belief_snapshot(self._trace, replan))
            drawn.text((self._width - MARGIN, 8), text, DARK.warn, self._heading, anchor="ra")
        else:
            drawn.text((self._width - MARGIN, 11), f"{first} and {second}", DARK.dim, self._small, anchor="ra")

    def _caption(self, drawn: ImageDraw.ImageDraw, step: int) -> None:
        """Writes what happened at the last replan, if that is recent: the longest text that fits."""
        replan = last_replan(self._trace, step, REPLAN_SHOWN_STEPS)
        if not replan:
            return
        texts = [f"step {replan}: {text}".translate(PLAIN_LETTERS) for text in replan_texts(self._trace, replan)]
        wrapped = [wrapped_text(text, self._small, self._width - 2 * MARGIN) for text in texts]
        rows = next((rows for rows in wrapped if len(rows) <= CAPTION), wrapped[-1][:CAPTION])
        for number, row in enumerate(rows):
            drawn.text((MARGIN, self._foot + number * ROW), row, DARK.text, self._small)

    def _bars(self, drawn: ImageDraw.ImageDraw, belief: BeliefSnapshot) -> None:
        posterior = role_posterior(belief.belief)
        room = self._width // 2 - NAME - PERCENT - 2 * MARGIN
        for role, share in enumerate(posterior):
            left, top = self._place(role)
            left += NAME
            drawn.rectangle((left, top + 4, left + room, top + 16), DARK.ground)
            drawn.rectangle((left, top + 4, left + round(share * room), top + 16), DARK.roles[role])
            ink = DARK.text if role == likeliest_role(belief.belief) else DARK.dim
            drawn.text((left + room + PERCENT, top + 3), f"{share:.0%}", ink, self._small, anchor="ra")

    def _column(self, step: int) -> int:
        return ((step - self._steps[0]) // self._steps.step + 1) * self._columns // len(self._steps) - 1

    def _marks(self, drawn: ImageDraw.ImageDraw, step: int) -> None:
        top = self._top + STACK + 2 * (BAND + 3) + 3
        for mark, ink in ((TimelineMark.DELIVERY, DARK.good), (TimelineMark.REPLAN, DARK.warn)):
            for one in self._timeline.marks[mark]:
                if self._steps[0] <= one <= step:
                    x = GUTTER + self._column(one)
                    if mark is TimelineMark.REPLAN:
                        drawn.polygon(((x, top), (x - 5, top + 8), (x + 5, top + 8)), ink)
                    else:
                        drawn.ellipse((x - 3, top + 1, x + 3, top + 7), ink)


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
