"""The timeline of a duel: who leads, over time, between the marks of the two games; the mouse selects a step."""

from typing import ClassVar

import numpy as np
from rich.style import Style

from bba.analysis.duel import SIDES, lead_pixels, lead_scale, leads
from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineMark
from bba.palette import rgb
from tui.style.base_app import palette_of
from tui.widgets.pixels import Labels, RGBImage, written
from tui.widgets.timeline import TwinTimeline, meaning
from tui.widgets.timeline_drawing import (
    GUTTER,
    BandLayout,
    TimelineWindow,
    mark_cells,
    number_cells,
    place_cells,
)
from tui.widgets.timeline_style import timeline_style

DUEL_MARKS = (TimelineMark.FIRE, TimelineMark.DELIVERY, TimelineMark.REPLAN, TimelineMark.SWITCH)
RULED_FROM = 4  # rows from which there are step numbers


class DuelTimeline(TwinTimeline):
    """The lead as a line that grows, up where the first game leads; the marks of the first above, of the other below.

    The arguments are those of `TwinTimeline`.
    """

    ABOUT: ClassVar[str] = (
        "A duel: the same kitchen, partner and seed, only the egos differ. The area shows who leads, upwards the left "
        "game, downwards the right one; above it the marks of the left game, below those of the right one. The "
        "caption says what one ego knew, and the other did not, where they first decide differently."
    )

    def _drawn(self, snapshot: Snapshot, window: TimelineWindow, height: int) -> tuple[RGBImage, Labels]:
        games, palette = self._games(snapshot), palette_of(self.app)
        style, points = timeline_style(palette), leads(games[0].trace, games[1].trace)
        ruler = height - 1 if height >= RULED_FROM else None
        last = height - 1 - (ruler is not None)  # the row of the other game's marks
        picture: RGBImage = np.empty((2 * height, GUTTER + window.width, 3), np.uint8)
        picture[:] = style.background
        low, high = lead_scale(points)
        ends = window.edges(len(points))[1:]
        if len(ends):
            ahead = lead_pixels([points[end - 1] for end in ends], 2 * (last - 1), low, high)
            area = picture[2 : 2 * last, GUTTER : GUTTER + len(ends)]
            area[ahead > 0], area[ahead < 0] = rgb(palette.good), rgb(palette.warn)
        labels: dict[tuple[int, int], tuple[str, Style]] = {}
        for game, own, side, row in zip(games, self._pair, SIDES, (0, last), strict=True):
            rows = BandLayout(height, 0, 1, (row,), ruler)
            labels |= written(side.ljust(GUTTER), 0, row, style.now)
            labels |= mark_cells(game, own, window, rows, style, DUEL_MARKS)
        labels |= written(f"+{high}"[: GUTTER - 1], 0, 1, style.name) if last > 1 else {}
        labels |= written(str(low)[: GUTTER - 1], 0, last - 1, style.name) if low and last > 2 else {}
        if ruler is not None:
            labels |= written("step", 0, ruler, style.name) | number_cells(games[0], snapshot, window, ruler, style)
        return picture, labels | place_cells(games[0], snapshot, window, BandLayout(height, 0, 1, (0,), ruler), style)

    def _explain(self, width: int, per: int) -> None:
        if self._explained == (width, per):
            return
        self._explained = width, per
        self.border_title = f"who leads  [not bold]{'  '.join(map(meaning, DUEL_MARKS))}[/]"
        self.border_subtitle = f"{per} step{'s' * (per > 1)} a column"
