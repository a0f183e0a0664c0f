"""Draws the part of a game that a timeline's zoom shows: named bands of pixels; over them marks, steps and position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.style import Style

from bba.analysis import ROLES, TRUTHS, Snapshot, TimelineData, TimelineMark, TimelineSlice
from bba.belief import NO_ROLE
from bba.palette import Palette
from tui.widgets.pixels import Labels, RGBImage, written
from tui.widgets.timeline_style import (
    GLYPHS,
    Cells,
    TimelineStyle,
    letters_at_changes,
    letters_in_pairs,
    letters_in_runs,
    timeline_style,
)

# Steps in a column at each zoom level: 1, 2, 3, 4, 6, 8, 12, …
COLUMN_SIZES = sorted([1 << doublings for doublings in range(32)] + [3 << doublings for doublings in range(32)])


class TimelineWindow(NamedTuple):
    """A part of the game: `width` columns of `per` steps each, from the game's column `first` on.

    Columns begin at fixed steps in every window, so that nothing flickers as the game goes on.
    """

    first: int
    per: int
    width: int

    def column(self, step: int) -> int:
        """Returns the column of a step in the window; outside it is below 0, or `width` and more."""
        return max(0, step - 1) // self.per - self.first

    def step(self, column: int, newest: int) -> int:
        """Returns the last step of a column, in the window or outside it; 0 before the first."""
        return max(0, min(newest, (self.first + column + 1) * self.per))

    def edges(self, newest: int) -> NDArray[np.intp]:
        """Returns the edges of the columns that hold steps: n + 1 rising step numbers for n columns."""
        columns = np.arange(self.first, self.first + self.width + 1, dtype=np.intp)
        starts = columns * self.per
        end = max(starts[0], min(newest, starts[-1]))
        return np.append(starts[starts < end], end)


@dataclass(slots=True)
class TimelineZoom:
    """The zoom and position of a timeline.

    Attributes:
        per: steps in a column; None for the fewest that show the whole game.
        first: the first visible column of the game.
    """

    per: int | None = None
    first: int = 0

    def window(self, step: int, newest: int, width: int) -> TimelineWindow:
        """Returns the window on a game of `newest` steps; it moves as little as is needed to keep `step` visible."""
        if self.per is None:
            self.first = 0
            return TimelineWindow(0, _whole(newest, width), width)
        column = max(0, step - 1) // self.per
        last_column = (newest - 1) // self.per
        largest_first = max(0, last_column - width + 1)
        first = min(max(self.first, column - width + 1), column, largest_first)
        self.first = max(first, 0)
        return TimelineWindow(self.first, self.per, width)

    def zoom(self, inward: bool, step: int, newest: int, width: int) -> None:
        """Zooms in or out with `step` in the middle; zooming out ends at the whole game."""
        whole = _whole(newest, width)
        old_per = self.per or whole
        if inward:
            per = max((size for size in COLUMN_SIZES if size < old_per), default=1)
        else:
            per = next(size for size in COLUMN_SIZES if size > old_per)
        self.per = per if per < whole else None
        column = max(0, step - 1) // per
        self.first = max(0, column - width // 2)


def _whole(newest: int, width: int) -> int:
    """Returns the fewest steps in a column at which `width` columns show the whole game."""
    return next(size for size in COLUMN_SIZES if size * max(1, width) >= newest)


GUTTER = 9  # cells to the left, for the names of the bands
# Events in the kitchen have the second row of marks, if there are two.
KITCHEN_MARKS = (TimelineMark.FIRE, TimelineMark.DELIVERY, TimelineMark.SWITCH)
BOOKMARK = "⚑"
PALE = 0.4  # opacity of the most likely role's colour where that is not the true role
ROOMY_ROWS = 10  # rows from which each band has its own row of text
BANDS = 4  # the same where letters alone tell the roles
RULED = 6  # rows from which there are step numbers, too, where letters alone tell the roles
STRIP_ROWS = 4  # rows from which the posterior has some, where colours tell the roles
SPACINGS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)  # steps between two numbers


class BandLayout(NamedTuple):
    """Which row of text holds what.

    Attributes:
        height: rows of the whole timeline.
        strip: rows of the posterior, at the top.
        thick: pixels of a band (two to a row); there are four bands under the strip.
        marks: the rows of marks; of two rows the first holds the ego's.
        ruler: the row of step numbers; None where there is no space for it.
    """

    height: int
    strip: int
    thick: int
    marks: tuple[int, ...]
    ruler: int | None


def band_layout(height: int, *, colourless: bool = False) -> BandLayout:
    """Returns the layout for so many rows, two or more; in few rows the marks lie over the lower bands.

    Without colours the bands have rows of their own, for their letters, before the posterior has any.
    """
    last = height - 1
    if height >= ROOMY_ROWS:
        return BandLayout(height, strip=height - 7, thick=2, marks=(last - 2, last - 1), ruler=last)
    if colourless and height >= RULED:
        return BandLayout(height, strip=height - 6, thick=2, marks=(last - 1,), ruler=last)
    if colourless and height >= BANDS:
        return BandLayout(height, strip=0, thick=2, marks=(last,), ruler=None)
    if height >= STRIP_ROWS:
        return BandLayout(height, strip=height - 4, thick=1, marks=(last - 1,), ruler=last)
    return BandLayout(height, strip=0, thick=1, marks=(last,), ruler=None)


def draw_timeline(
    timeline_data: TimelineData,
    snapshot: Snapshot,
    window: TimelineWindow,
    height: int,
    palette: Palette,
    kinds: Sequence[TimelineMark] = tuple(TimelineMark),
    *,
    colourless: bool = False,
) -> tuple[RGBImage, Labels]:
    """Returns the timeline in `height` rows: its picture (2 height, GUTTER + window.width, 3) and the text over it.

    It has marks of these `kinds`. Letters name the roles of long runs; if `colourless`, those of all runs, where a
    band has its own row.
    """
    rows = band_layout(height, colourless=colourless)
    style = timeline_style(palette)
    edges = window.edges(len(timeline_data))
    picture = np.full((2 * height, GUTTER + window.width, 3), style.background, np.uint8)
    cells = _names(rows, style, believes=_believes(snapshot))
    if len(edges) > 1:
        part = timeline_data.over(edges)
        area = picture[:, GUTTER : GUTTER + len(edges) - 1]
        strip = max(0, 2 * rows.strip - 1)  # a pixel stays free between it and the bands
        area[:strip] = _stack(part.posterior, strip, style)
        for band, colours in enumerate(_bands(part, style, truth=snapshot.truth)):
            top = 2 * rows.strip + band * rows.thick
            area[top : top + rows.thick] = colours
        cells |= _letters(part, rows, style, truth=snapshot.truth, colourless=colourless)
    cells |= mark_cells(timeline_data, snapshot, window, rows, style, kinds)
    if rows.ruler is not None:
        cells |= number_cells(timeline_data, snapshot, window, rows.ruler, style)
    cells |= place_cells(timeline_data, snapshot, window, rows, style)
    for step in snapshot.trace.bookmarks:
        column = window.column(step)
        if 0 <= column < window.width:
            cells[GUTTER + column, rows.marks[0]] = BOOKMARK, style.now
    return picture, cells


def _stack(posterior: NDArray[np.float64], pixels: int, style: TimelineStyle) -> RGBImage:
    """Returns the posterior as stacked areas, from the bottom up: (pixels, columns, 3)."""
    centres = (np.arange(pixels)[::-1] + 0.5) / max(1, pixels)
    borders = np.cumsum(posterior, axis=1)[:, : ROLES - 1]
    roles = (borders[None] < centres[:, None, None]).sum(axis=2)
    return np.asarray(style.roles[roles])


def _bands(part: TimelineSlice, style: TimelineStyle, *, truth: bool) -> tuple[RGBImage, ...]:
    """Returns the true role, the most likely role, coordination, and the ego's role: (columns, 3) each.

    Without `truth` the true role and coordination are empty.
    """
    believed = style.roles[part.believed]
    missed = (part.true != NO_ROLE) & (part.matched < 0.5)
    if truth:
        pale = PALE * believed + (1 - PALE) * style.background
        believed = np.where(missed[:, None], pale, believed).astype(np.uint8)
        true = style.roles[part.true]
        coordination = style.coordination[part.coordination]
    else:
        true = np.broadcast_to(style.background, believed.shape)
        coordination = true
    return true, believed, coordination, style.roles[part.ego]


def _letters(part: TimelineSlice, rows: BandLayout, style: TimelineStyle, *, truth: bool, colourless: bool) -> Cells:
    """Returns the letters on the bands, as many as their height and the colours call for."""
    if rows.thick == 1:
        letters = letters_in_pairs(part, style, truth=truth, colourless=colourless)
    elif colourless:
        letters = letters_at_changes(part, style, truth=truth)
    else:
        letters = letters_in_runs(part, style, truth=truth)
    return {(GUTTER + column, rows.strip + row): letter for (column, row), letter in letters.items()}


def _believes(snapshot: Snapshot) -> bool:
    """Whether the belief that is shown is the ego's, not an observer's."""
    if snapshot.belief_state is None:
        return snapshot.config.belief_config is not None
    return not snapshot.belief_state.observer


def _names(rows: BandLayout, style: TimelineStyle, *, believes: bool) -> Cells:
    names: dict[int, str] = {}
    if rows.strip:
        names[0] = "belief" if believes else "observer"
    band_names = ("is", "guess", "comp", "ego") if rows.thick == 2 else ("is/guess", "comp/ego")
    for row, name in enumerate(band_names, rows.strip):
        names[row] = name
    if rows.ruler is not None:
        names[rows.ruler] = "step"
    cells: Cells = {}
    for row, name in names.items():
        cells |= written(name.ljust(GUTTER), 0, row, style.name)
    return cells


def mark_cells(
    timeline_data: TimelineData,
    snapshot: Snapshot,
    window: TimelineWindow,
    rows: BandLayout,
    style: TimelineStyle,
    kinds: Sequence[TimelineMark] = tuple(TimelineMark),
) -> Cells:
    """Returns the visible marks of these kinds; where several fall into a cell, the most important one."""
    cells: Cells = {}
    roles = {switch.start + 1: switch.role for switch in timeline_data.switches}
    for mark in reversed(kinds):
        if mark in TRUTHS and not snapshot.truth:
            continue
        glyph, _ = GLYPHS[mark]
        mark_style = style.marks[mark]
        row = rows.marks[-1] if mark in KITCHEN_MARKS else rows.marks[0]
        for step in timeline_data.marks[mark]:
            column = window.column(step)
            if not 0 <= column < window.width:
                continue
            if mark is TimelineMark.SWITCH:
                mark_style = style.switches[roles[step]]
            cells[GUTTER + column, row] = glyph, mark_style
    return cells


def number_cells(
    timeline_data: TimelineData, snapshot: Snapshot, window: TimelineWindow, row: int, style: TimelineStyle
) -> Cells:
    """Returns round step numbers at their columns, ten cells or more apart, and none where the shown step's is."""
    spacing = _number_spacing(window)
    first_step = window.first * window.per
    first_number = first_step - first_step % spacing + spacing
    end = min(len(timeline_data), first_step + window.width * window.per)
    occupied = _number_columns(snapshot, window)
    cells: Cells = {}
    for step in range(first_number, end, spacing):
        text = f"╵{step}"
        column = window.column(step)
        is_left = column + len(text) <= occupied.start
        is_right = column >= occupied.stop
        if is_left or is_right:
            cells |= _within(text, column, row, window.width, style.name)
    return cells


def _number_spacing(window: TimelineWindow) -> int:
    """Returns the steps between two numbers that are ten columns or more apart, as far as there is such a spacing."""
    for spacing in SPACINGS:
        if spacing >= 10 * window.per:
            return spacing
    return SPACINGS[-1]


def _number_columns(snapshot: Snapshot, window: TimelineWindow) -> range:
    """Returns the columns of the shown step's number, with a cell to each side."""
    width = len(str(snapshot.step)) + 2
    centred = window.column(snapshot.step) - width // 2
    last_start = max(0, window.width - width)
    start = min(max(0, centred), last_start)
    return range(start, start + width)


def place_cells(
    timeline_data: TimelineData, snapshot: Snapshot, window: TimelineWindow, rows: BandLayout, style: TimelineStyle
) -> Cells:
    """Returns the position of the shown step: its number on the ruler, and in the past a line over all rows."""
    past = snapshot.step < len(timeline_data)
    cells: Cells = {}
    if past:
        column = GUTTER + max(0, window.column(snapshot.step))
        cells = {(column, row): ("┃", style.place) for row in range(rows.height)}
    if rows.ruler is not None:
        number = f" {snapshot.step} "
        start = _number_columns(snapshot, window).start
        number_style = style.past if past else style.now
        cells |= _within(number, start, rows.ruler, window.width, number_style)
    return cells


def _within(text: str, column: int, row: int, width: int, style: Style) -> Cells:
    """Returns a text over bands of `width` columns; nothing where it does not fit."""
    if not 0 <= column <= width - len(text):
        return {}
    return written(text, GUTTER + column, row, style)
