"""The timelines of a game and of its fork, one above the other."""

from typing import ClassVar

import numpy as np
from rich.style import Style

from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineData, TimelineMark
from bba.palette import Palette
from bba.play import Trace
from tui.playback.timeline_zoom import TimelineWindow
from tui.style.base_app import palette_of
from tui.widgets.half_blocks import RGBImage
from tui.widgets.pixels import Labels
from tui.widgets.timeline import Timeline
from tui.widgets.timeline_drawing import GUTTER, band_layout, draw_timeline

NAMES, FORK = ("original", "what if"), "┊"  # of a game and its fork: their names, and the line where they part


class TwinTimeline(Timeline):
    """The original above, the fork below, and a dotted line where they part; zoom and position are shared.

    Args:
        original: the original's timeline, at least of the steps that the two share.
        forked: the fork.
        parted: how many steps they share.
    """

    ABOUT: ClassVar[str] = (
        "After w: the original game to the left, the fork to the right, and the measures of each since they parted; "
        "the better value is bold. Below, both timelines, with ┊ where they part. Every key moves both games; "
        "beginning again goes to where they part."
    )

    def __init__(self, original: TimelineData, forked: Trace, parted: int) -> None:
        super().__init__()
        self._both = original, original.branch(forked, parted)
        self._parted = parted
        self._pair: tuple[Snapshot, ...] = ()

    @property
    def newest(self) -> int:
        """How many steps the longer game has."""
        return max(len(timeline_data.trace.ticks) for timeline_data in self._both)

    def nearest(self, mark: TimelineMark, snapshot: Snapshot, *, forward: bool) -> int | None:
        """Returns the step of the nearest such mark in that direction in either game; None without one."""
        found = [
            timeline_data.next(mark, snapshot.step) if forward else timeline_data.previous(mark, snapshot.step)
            for timeline_data in self._extended
        ]
        return (min if forward else max)((step for step in found if step is not None), default=None)

    def show_snapshots(self, original: Snapshot, forked: Snapshot) -> None:
        """Shows both games, and the position of these steps in them."""
        self._pair = original, forked
        self.show_snapshot(max(self._pair, key=lambda snapshot: snapshot.step))

    @property
    def _extended(self) -> tuple[TimelineData, ...]:
        for timeline_data in self._both:
            timeline_data.extend()
        return self._both

    def _drawn(self, snapshot: Snapshot, window: TimelineWindow, height: int) -> tuple[RGBImage, Labels]:  # noqa: ARG002
        colours = palette_of(self.app)
        pictures, labels, top = [], dict[tuple[int, int], tuple[str, Style]](), 0
        heights = height // 2, height - height // 2
        for name, timeline_data, own, rows in zip(NAMES, self._extended, self._pair, heights, strict=True):
            picture, cells = draw_timeline(timeline_data, own, window, rows, colours, colourless=self.app.no_color)
            pictures.append(picture)
            cells = self._line(window, rows, colours) | dict(cells) | _name(name, rows, colours)
            labels |= {(column, top + row): label for (column, row), label in cells.items()}
            top += rows
        return np.concatenate(pictures), labels

    def _line(self, window: TimelineWindow, rows: int, colours: Palette) -> dict[tuple[int, int], tuple[str, Style]]:
        """Returns the line at which the two part, if it is visible."""
        column = window.column(self._parted)
        style = Style.parse(f"bold {colours.warn} on {colours.background}")
        return {(GUTTER + column, row): (FORK, style) for row in range(rows)} if 0 <= column < window.width else {}


def _name(name: str, rows: int, colours: Palette) -> dict[tuple[int, int], tuple[str, Style]]:
    """Returns the name of a game, beside its marks."""
    row = band_layout(rows).marks[0]
    style = Style.parse(f"bold {colours.text}")
    return {(column, row): (char, style) for column, char in enumerate(name.ljust(GUTTER))}
