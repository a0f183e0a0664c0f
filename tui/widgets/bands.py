"""How the timeline is drawn: bands of pixels, with names to their left and marks, numbers and the place over them."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.style import Style

from bba.belief import NO_ROLE
from tui import palette
from tui.lens import Window
from tui.moment import Moment, scheduled_role
from tui.track import COMPLEMENTARY, DUPLICATE, ROLES, Mark, Stretch, Track
from tui.widgets.pixels import Labels, Picture

GUTTER = 9  # cells to the left in which the names of the bands stand
GLYPHS = {
    Mark.FIRE: ("✶", palette.BAD),
    Mark.DELIVERY: ("●", palette.GOOD),
    Mark.REPLAN: ("▲", palette.WARN),
    Mark.SWITCH: ("◆", palette.TEXT),
    Mark.CONTRADICTION: ("!", palette.BAD),
}
KITCHENS = (Mark.FIRE, Mark.DELIVERY, Mark.SWITCH)  # the marks that have a row of their own where there are two
PALE = 0.4  # how much of its colour a likeliest role keeps that is not the true one
ROOMY = 10  # rows from which each band has a row of its own
SPACINGS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)  # steps between two numbers

_BACKGROUND = np.array(palette.rgb(palette.PANEL), np.uint8)
_ROLES = np.array(
    [palette.rgb(colour) for colour in (*palette.ROLE_COLOURS, palette.GROUND)], np.uint8
)  # the last: none
_FITS = np.array([palette.rgb(palette.GROUND)] * 3, np.uint8)
_FITS[DUPLICATE], _FITS[COMPLEMENTARY] = palette.rgb(palette.BAD), palette.rgb(palette.GOOD)

_NAME, _NUMBER = Style.parse(palette.DIM), Style.parse(palette.DIM)
_NOW = Style.parse(f"bold {palette.TEXT}")
_PAST = Style.parse(f"bold {palette.BACKGROUND} on {palette.WARN}")
_PLACE = Style.parse(f"bold #ffffff on {palette.BACKGROUND}")

Cells = dict[tuple[int, int], tuple[str, Style]]


class Plan(NamedTuple):
    """What stands in which row of text.

    Attributes:
        strip: rows of posterior, from the top.
        thick: pixels a band (two to a row), of which there are four under the strip.
        marks: the rows of marks; where there are two, the ego's are in the first.
        ruler: the row of step numbers; None where there is no room for it.
    """

    strip: int
    thick: int
    marks: tuple[int, ...]
    ruler: int | None


def plan(height: int) -> Plan:
    """What fits into so many rows: from two up all bands and the marks, which then lie over the lower bands."""
    if height >= ROOMY:
        return Plan(height - 7, 2, (height - 3, height - 2), height - 1)
    if height >= 4:
        return Plan(height - 4, 1, (height - 2,), height - 1)
    return Plan(0, 1, (height - 1,), None)


def draw(track: Track, moment: Moment, window: Window, height: int) -> tuple[Picture, Labels]:
    """The timeline in `height` rows: its picture (2 height, GUTTER + window.width, 3), and what is written over it."""
    rows = plan(height)
    edges = window.edges(len(track))
    picture: Picture = np.empty((2 * height, GUTTER + window.width, 3), np.uint8)
    picture[:] = _BACKGROUND
    if len(edges) > 1:
        stretch = track.over(edges)
        shown = picture[:, GUTTER : GUTTER + len(edges) - 1]
        strip = max(0, 2 * rows.strip - 1)  # a pixel stays free between it and the bands
        shown[:strip] = _stack(stretch.posterior, strip)
        for band, colours in enumerate(_bands(stretch, truth=moment.truth)):
            top = 2 * rows.strip + band * rows.thick
            shown[top : top + rows.thick] = colours
    cells = _names(rows) | _marks(track, moment, window, rows)
    if rows.ruler is not None:
        cells |= _numbers(track, moment, window, rows.ruler)
    return picture, cells | _place(track, moment, window, rows, height)


def _stack(posterior: NDArray[np.float64], pixels: int) -> Picture:
    """The strip: in each column from the bottom up a share of the pixels for each role, (pixels, columns, 3)."""
    centres = (np.arange(pixels)[::-1] + 0.5) / max(1, pixels)
    below = np.cumsum(posterior, axis=1)[:, : ROLES - 1]
    return np.asarray(_ROLES[(below[None] < centres[:, None, None]).sum(axis=2)])


def _bands(stretch: Stretch, *, truth: bool) -> tuple[Picture, ...]:
    """True role, likeliest role, fit, the ego's role: (columns, 3) each; what only the truth tells is empty.

    The fit lies between the two whose colours mean roles of different cooks.
    """
    believed = _ROLES[stretch.believed]
    missed = (stretch.true != NO_ROLE) & (stretch.matched < 0.5)
    if truth:
        pale = PALE * believed + (1 - PALE) * _BACKGROUND
        believed = np.where(missed[:, None], pale, believed).astype(np.uint8)
    empty = np.broadcast_to(_BACKGROUND, believed.shape)
    return (
        _ROLES[stretch.true] if truth else empty,
        believed,
        _FITS[stretch.fit] if truth else empty,
        _ROLES[stretch.ego],
    )


def _names(rows: Plan) -> Cells:
    names = {0: "belief"} if rows.strip else {}
    pairs = ("true", "MAP", "fit", "ego") if rows.thick == 2 else ("true/MAP", "fit/ego")
    names |= {rows.strip + row: name for row, name in enumerate(pairs)}
    if rows.ruler is not None:
        names[rows.ruler] = "step"
    cells: Cells = {}
    for row, name in names.items():
        cells |= _written(name.ljust(GUTTER), 0, row, _NAME)
    return cells


def _marks(track: Track, moment: Moment, window: Window, rows: Plan) -> Cells:
    """The marks in view; where several meet in a cell, the one that matters most."""
    cells: Cells = {}
    for mark in reversed(Mark):
        if mark is Mark.SWITCH and not moment.truth:
            continue
        glyph, colour = GLYPHS[mark]
        row = rows.marks[mark in KITCHENS and len(rows.marks) > 1]
        for step in track.marks[mark]:
            column = window.column(step)
            if 0 <= column < window.width:
                role = scheduled_role(track.trace.ticks[step - 1])
                hue = palette.ROLE_COLOURS[role] if mark is Mark.SWITCH else colour
                cells[GUTTER + column, row] = glyph, _mark_style(hue)
    return cells


@lru_cache(maxsize=16)
def _mark_style(colour: str) -> Style:
    return Style.parse(f"bold {colour} on {palette.PANEL}")


def _numbers(track: Track, moment: Moment, window: Window, row: int) -> Cells:
    """Step numbers at their columns, at round distances of ten cells or more; none under the moment's own."""
    spacing = next(s for s in SPACINGS if s >= 10 * window.per or s == SPACINGS[-1])
    first = window.first * window.per
    taken = _number_of(moment, window)
    cells: Cells = {}
    for step in range(first - first % spacing + spacing, min(len(track), first + window.width * window.per), spacing):
        text, left = f"╵{step}", window.column(step)
        if left + len(text) <= taken.start or left >= taken.stop:
            cells |= _within(text, left, row, window.width, _NUMBER)
    return cells


def _number_of(moment: Moment, window: Window) -> range:
    """The columns in which the moment's number stands, with a cell to each side."""
    room = len(str(moment.step)) + 2
    left = min(max(0, window.column(moment.step) - room // 2), max(0, window.width - room))
    return range(left, left + room)


def _place(track: Track, moment: Moment, window: Window, rows: Plan, height: int) -> Cells:
    """Where the moment lies: a line over all rows in the past, and its number on the ruler."""
    past = moment.step < len(track)
    column = GUTTER + max(0, window.column(moment.step))
    cells: Cells = {(column, row): ("┃", _PLACE) for row in range(height)} if past else {}
    if rows.ruler is not None:
        number = f" {moment.step} "
        left = _number_of(moment, window).start
        cells |= _within(number, left, rows.ruler, window.width, _PAST if past else _NOW)
    return cells


def _within(text: str, left: int, row: int, width: int, style: Style) -> Cells:
    return _written(text, GUTTER + left, row, style) if 0 <= left <= width - len(text) else {}


def _written(text: str, left: int, row: int, style: Style) -> Cells:
    return {(left + place, row): (char, style) for place, char in enumerate(text)}
