"""The panel "history": the posterior over time, stacked, with the truth and the replans beneath."""

from typing import ClassVar

import numpy as np
from rich.style import Style
from textual import events

from bba.belief import NO_ROLE
from tui import palette
from tui.moment import PARTNER, Moment, mind_of, role_posterior, switched_to
from tui.widgets.pixels import Labels, Picture, PixelCanvas

STEPS = 4  # steps a column of cells: a hundred columns hold 40 seconds at ten steps a second
BELOW = 2  # rows of text under the strip: the true role, the marks
REPLAN, SWITCH = "▲", "◆"

_COLOURS = np.array([palette.rgb(colour) for colour in palette.ROLE_COLOURS], np.uint8)
_BACKGROUND = np.array(palette.rgb(palette.PANEL), np.uint8)


class HistoryPanel(PixelCanvas):
    """The last steps, oldest to the left: six stacked areas, the true role as a band, marks below it."""

    TITLE: ClassVar[str] = "history"
    ABOUT: ClassVar[str] = (
        "The posterior over time, one colour a role; under it the true role, ▲ where the ego replanned, "
        "◆ where the partner turned to another role."
    )

    moment: Moment | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE)
        self.border_title = self.TITLE

    def show_moment(self, moment: Moment) -> None:
        """Show this moment from now on."""
        self.moment = moment
        width, height = self.content_size
        if width < 1 or height <= BELOW:
            return
        columns = columns_of(moment, width)
        self.border_subtitle = f"last {len(columns) * STEPS} steps" if columns else ""
        self.show(_picture(moment, columns, width, height), _marks(moment, columns, height - 1))

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002 - Textual's signature
        """Draw again for the new size."""
        if self.moment is not None:
            self.show_moment(self.moment)


def columns_of(moment: Moment, width: int) -> list[range]:
    """The steps of each column, at most `width` of them. Columns begin at fixed steps, so that none ever shimmers."""
    last = (moment.step - 1) // STEPS
    first = max(0, last - width + 1)
    return [
        range(column * STEPS + 1, min((column + 1) * STEPS, moment.step) + 1)
        for column in range(first, last + 1 if moment.step else first)
    ]


def _picture(moment: Moment, columns: list[range], width: int, height: int) -> Picture:
    picture = np.empty((2 * height, width, 3), np.uint8)
    picture[:] = _BACKGROUND
    strip = 2 * (height - BELOW)
    for x, steps in enumerate(columns):
        picture[:strip, x] = _stack(moment, steps, strip)
        role = moment.trace.ticks[steps[-1] - 1].role(PARTNER) if moment.truth else NO_ROLE
        if role != NO_ROLE:
            picture[strip + 1, x] = _COLOURS[role]
    return picture


def _stack(moment: Moment, steps: range, pixels: int) -> Picture:
    """One column of the strip: from the bottom up a share of the pixels for each role, (pixels, 3)."""
    posterior = np.mean([role_posterior(mind_of(moment.trace, step).belief) for step in steps], axis=0)
    centres = (np.arange(pixels)[::-1] + 0.5) / pixels
    roles = np.searchsorted(np.cumsum(posterior)[:-1], centres)
    return np.asarray(_COLOURS[roles])


def _marks(moment: Moment, columns: list[range], row: int) -> Labels:
    labels: dict[tuple[int, int], tuple[str, Style]] = {}
    for x, steps in enumerate(columns):
        for step in steps:
            role = switched_to(moment.trace, step) if moment.truth else NO_ROLE
            if role != NO_ROLE:
                labels[x, row] = SWITCH, Style.parse(palette.ROLE_COLOURS[role])
            if mind_of(moment.trace, step).replanned:
                labels[x, row] = REPLAN, Style.parse(f"bold {palette.WARN}")
    return labels
