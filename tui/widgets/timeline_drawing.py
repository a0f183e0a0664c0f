"""How the timeline is drawn: bands of pixels, with names to their left and marks, numbers and the place over them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.style import Style

from bba.analysis.snapshot import Snapshot, scheduled_role
from bba.analysis.timeline import ROLES, TRUTHS, TimelineData, TimelineMark, TimelineSlice
from bba.belief import NO_ROLE
from bba.palette import Palette
from tui.playback.timeline_zoom import TimelineWindow
from tui.widgets.pixels import Labels, RGBImage
from tui.widgets.timeline_style import GLYPHS, TimelineStyle, timeline_style

GUTTER = 9  # cells to the left in which the names of the bands stand
KITCHENS = (
    TimelineMark.FIRE,
    TimelineMark.DELIVERY,
    TimelineMark.SWITCH,
)  # the marks that have a row of their own where there are two
PALE = 0.4  # how much of its colour a likeliest role keeps that is not the true one
ROOMY = 10  # rows from which each band has a row of its own
LETTERED = 7  # rows from which that is so where the bands carry letters
ROLE_LETTERS = "PRHAST"  # protein, rice, hygiene, assemble, serve, stage
FIT_LETTERS = " =+"  # by how the ego's role stands to the true one
SPACINGS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)  # steps between two numbers

Cells = dict[tuple[int, int], tuple[str, Style]]


class BandLayout(NamedTuple):
    """What stands in which row of text.

    Attributes:
        height: of all, in rows.
        strip: rows of posterior, from the top.
        thick: pixels a band (two to a row), of which there are four under the strip.
        marks: the rows of marks; where there are two, the ego's are in the first.
        ruler: the row of step numbers; None where there is no room for it.
    """

    height: int
    strip: int
    thick: int
    marks: tuple[int, ...]
    ruler: int | None


def band_layout(height: int, *, lettered: bool = False) -> BandLayout:
    """What fits into so many rows: from two up all bands and the marks, which then lie over the lower bands."""
    if lettered and LETTERED <= height < ROOMY:
        return BandLayout(height, height - 6, 2, (height - 2,), height - 1)
    if height >= ROOMY:
        return BandLayout(height, height - 7, 2, (height - 3, height - 2), height - 1)
    if height >= 4:
        return BandLayout(height, height - 4, 1, (height - 2,), height - 1)
    return BandLayout(height, 0, 1, (height - 1,), None)


def draw_timeline(
    timeline_data: TimelineData,
    snapshot: Snapshot,
    window: TimelineWindow,
    height: int,
    palette: Palette,
    *,
    lettered: bool = False,
) -> tuple[RGBImage, Labels]:
    """The timeline in `height` rows: its picture (2 height, GUTTER + window.width, 3), and what is written over it.

    With letters, what a band's colours mean stands over them where they change, if it has a row of its own.
    """
    rows, ink = band_layout(height, lettered=lettered), timeline_style(palette)
    edges = window.edges(len(timeline_data))
    picture: RGBImage = np.empty((2 * height, GUTTER + window.width, 3), np.uint8)
    picture[:] = ink.background
    cells = _names(rows, ink)
    if len(edges) > 1:
        stretch = timeline_data.over(edges)
        shown = picture[:, GUTTER : GUTTER + len(edges) - 1]
        strip = max(0, 2 * rows.strip - 1)  # a pixel stays free between it and the bands
        shown[:strip] = _stack(stretch.posterior, strip, ink)
        for band, colours in enumerate(_bands(stretch, ink, truth=snapshot.truth)):
            top = 2 * rows.strip + band * rows.thick
            shown[top : top + rows.thick] = colours
        if lettered and rows.thick == 2:
            cells |= _letters(stretch, rows, ink, truth=snapshot.truth)
    cells |= _marks(timeline_data, snapshot, window, rows, ink)
    if rows.ruler is not None:
        cells |= _numbers(timeline_data, snapshot, window, rows.ruler, ink)
    return picture, cells | _place(timeline_data, snapshot, window, rows, ink)


def _stack(posterior: NDArray[np.float64], pixels: int, ink: TimelineStyle) -> RGBImage:
    """The strip: in each column from the bottom up a share of the pixels for each role, (pixels, columns, 3)."""
    centres = (np.arange(pixels)[::-1] + 0.5) / max(1, pixels)
    below = np.cumsum(posterior, axis=1)[:, : ROLES - 1]
    return np.asarray(ink.roles[(below[None] < centres[:, None, None]).sum(axis=2)])


def _bands(stretch: TimelineSlice, ink: TimelineStyle, *, truth: bool) -> tuple[RGBImage, ...]:
    """True role, likeliest role, fit, the ego's role: (columns, 3) each; what only the truth tells is empty.

    The fit lies between the two whose colours mean roles of different cooks.
    """
    believed = ink.roles[stretch.believed]
    missed = (stretch.true != NO_ROLE) & (stretch.matched < 0.5)
    if truth:
        pale = PALE * believed + (1 - PALE) * ink.background
        believed = np.where(missed[:, None], pale, believed).astype(np.uint8)
    empty = np.broadcast_to(ink.background, believed.shape)
    return (
        ink.roles[stretch.true] if truth else empty,
        believed,
        ink.fits[stretch.coordination] if truth else empty,
        ink.roles[stretch.ego],
    )


def _letters(stretch: TimelineSlice, rows: BandLayout, ink: TimelineStyle, *, truth: bool) -> Cells:
    """A letter where another role begins on a band, and where the fit changes = for the same, + for a good one."""
    bands = (
        (stretch.true, ROLE_LETTERS if truth else ""),
        (stretch.believed, ROLE_LETTERS),
        (stretch.coordination, FIT_LETTERS if truth else ""),
        (stretch.ego, ROLE_LETTERS),
    )
    return {
        (GUTTER + column, rows.strip + row): (letters[values[column]], ink.place)
        for row, (values, letters) in enumerate(bands)
        for column in (0, *(np.flatnonzero(np.diff(values)) + 1).tolist())
        if 0 <= values[column] < len(letters)
    }


def _names(rows: BandLayout, ink: TimelineStyle) -> Cells:
    names = {0: "belief"} if rows.strip else {}
    pairs = ("true", "MAP", "fit", "ego") if rows.thick == 2 else ("true/MAP", "fit/ego")
    names |= {rows.strip + row: name for row, name in enumerate(pairs)}
    if rows.ruler is not None:
        names[rows.ruler] = "step"
    cells: Cells = {}
    for row, name in names.items():
        cells |= _written(name.ljust(GUTTER), 0, row, ink.name)
    return cells


def _marks(
    timeline_data: TimelineData, snapshot: Snapshot, window: TimelineWindow, rows: BandLayout, ink: TimelineStyle
) -> Cells:
    """The marks in view; where several meet in a cell, the one that matters most."""
    cells: Cells = {}
    for mark in reversed(TimelineMark):
        if mark in TRUTHS and not snapshot.truth:
            continue
        glyph, style = GLYPHS[mark][0], ink.marks[mark]
        row = rows.marks[mark in KITCHENS and len(rows.marks) > 1]
        for step in timeline_data.marks[mark]:
            column = window.column(step)
            if 0 <= column < window.width:
                if mark is TimelineMark.SWITCH:
                    style = ink.switches[scheduled_role(timeline_data.trace.ticks[step - 1])]
                cells[GUTTER + column, row] = glyph, style
    return cells


def _numbers(
    timeline_data: TimelineData, snapshot: Snapshot, window: TimelineWindow, row: int, ink: TimelineStyle
) -> Cells:
    """Step numbers at their columns, at round distances of ten cells or more; none under the moment's own."""
    spacing = next(s for s in SPACINGS if s >= 10 * window.per or s == SPACINGS[-1])
    first = window.first * window.per
    taken = _number_of(snapshot, window)
    cells: Cells = {}
    for step in range(
        first - first % spacing + spacing, min(len(timeline_data), first + window.width * window.per), spacing
    ):
        text, left = f"╵{step}", window.column(step)
        if left + len(text) <= taken.start or left >= taken.stop:
            cells |= _within(text, left, row, window.width, ink.name)
    return cells


def _number_of(snapshot: Snapshot, window: TimelineWindow) -> range:
    """The columns in which the moment's number stands, with a cell to each side."""
    room = len(str(snapshot.step)) + 2
    left = min(max(0, window.column(snapshot.step) - room // 2), max(0, window.width - room))
    return range(left, left + room)


def _place(
    timeline_data: TimelineData, snapshot: Snapshot, window: TimelineWindow, rows: BandLayout, ink: TimelineStyle
) -> Cells:
    """Where the moment lies: a line over all rows in the past, and its number on the ruler."""
    past = snapshot.step < len(timeline_data)
    column = GUTTER + max(0, window.column(snapshot.step))
    cells: Cells = {(column, row): ("┃", ink.place) for row in range(rows.height)} if past else {}
    if rows.ruler is not None:
        number = f" {snapshot.step} "
        left = _number_of(snapshot, window).start
        cells |= _within(number, left, rows.ruler, window.width, ink.past if past else ink.now)
    return cells


def _within(text: str, left: int, row: int, width: int, style: Style) -> Cells:
    return _written(text, GUTTER + left, row, style) if 0 <= left <= width - len(text) else {}


def _written(text: str, left: int, row: int, style: Style) -> Cells:
    return {(left + place, row): (char, style) for place, char in enumerate(text)}
