"""The panel "timeline": the whole game, a game above its fork, or the two games of a duel, as bands with marks."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

import numpy as np
from rich.style import Style
from textual import events, on
from textual.message import Message

from bba.analysis import Snapshot, TimelineData, TimelineMark, nearest
from bba.analysis.comparison import SIDES, lead_pixels, lead_scale
from bba.palette import DIM, Palette, rgb
from bba.play import Trace
from tui.style import palette_of
from tui.widgets.panel import Draggable, Explaining
from tui.widgets.pixels import Labels, PixelCanvas, RGBImage, written
from tui.widgets.timeline_drawing import (
    GUTTER,
    BandLayout,
    TimelineWindow,
    TimelineZoom,
    band_layout,
    draw_timeline,
    mark_cells,
    number_cells,
    place_cells,
)
from tui.widgets.timeline_style import GLYPHS, timeline_style

# cells of width from which the title explains all marks, and those of gates that watch
LEGEND = 76
LONG_LEGEND = 110
BORDER = 4  # cells of a border's line that its text does not get
LETTERS = "Protein Rice Hygiene Assemble Serve sTage"  # the meaning of the bands' letters
FITS = "✓ complements ✗ duplicates"  # the same of the signs on the band comp
LETTERS_FROM = 66  # cells of width from which the lower border shows the letters where there are no colours

# The marks that the title explains, the most important first; then those of gates that only watch.
TIMELINE_MARKS = (
    TimelineMark.REPLAN,
    TimelineMark.CONTRADICTION,
    TimelineMark.DELIVERY,
    TimelineMark.FIRE,
    TimelineMark.SWITCH,
    TimelineMark.GAP,
)
WATCHING = (TimelineMark.COMMITMENT, TimelineMark.GATE)


class Timeline(PixelCanvas, Draggable, Explaining):
    """Belief, true role, most likely role, coordination and the ego's role, then marks and the step that is shown.

    Args:
        id: the widget's id.
    """

    TITLE: ClassVar[str] = "timeline"
    ABOUT: ClassVar[str] = (
        "The game so far. belief: the posterior, an observer's if the ego has none, a colour for each role; true: "
        "the partner's role; MAP: the most likely role, pale where it is not the true one; ego: the ego's role; "
        "comp: green, ✓, where that complements the true role, red, ✗, where it duplicates it. Long stretches have a "
        "letter of their role: Protein, Rice, plate Hygiene, Assemble, Serve, sTage pass. ▲ replan, ! contradiction, "
        "● delivery, ✶ fire, ◆ the partner switches to another role (known some steps later), ≠ the partner's role "
        "is believed rightly, but the ego does not complement it, ± the parameters were changed; ⚑ a bookmark; △ the "
        "gate, or ▽ the commitment gate, opened, but does not decide. Click or drag to go to a step; the mouse wheel "
        "zooms."
    )

    @dataclass
    class StepRequested(Message):
        """Somebody pointed at a step.

        Attributes:
            step: the step.
        """

        step: int

    snapshot: Snapshot | None = None
    window: TimelineWindow | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE)
        self.timeline_zoom = TimelineZoom()
        self._timeline_data: TimelineData | None = None
        self._explained = 0, 0  # the width and the steps a column that the borders were written for

    def timeline_data_of(self, snapshot: Snapshot) -> TimelineData:
        """Returns the timeline of a snapshot's whole game."""
        if self._timeline_data is None or self._timeline_data.trace is not snapshot.trace:
            self._timeline_data = TimelineData(snapshot.trace)
        self._timeline_data.extend()
        return self._timeline_data

    @property
    def newest(self) -> int:
        """How many steps the game has."""
        return len(self.snapshot.trace.ticks) if self.snapshot else 0

    def nearest(self, mark: TimelineMark, snapshot: Snapshot, *, forward: bool) -> int | None:
        """Returns the step of the next such mark after the snapshot, or of the last one before it; None without one."""
        found = [nearest(game.marks[mark], snapshot.step, forward=forward) for game in self._games(snapshot)]
        return (min if forward else max)((step for step in found if step is not None), default=None)

    def _games(self, snapshot: Snapshot) -> tuple[TimelineData, ...]:
        """Returns the timeline of every game that is shown, up to its newest step."""
        return (self.timeline_data_of(snapshot),)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the game, and the position of this step in it."""
        self.snapshot = snapshot
        width, height = self.content_size
        if width <= GUTTER or height < 1:
            return
        self.window = self.timeline_zoom.window(snapshot.step, self.newest, width - GUTTER)
        if (width, self.window.per) != self._explained:
            self._explained = width, self.window.per
            self._explain(*self._explained)
        self.show(*self._drawn(snapshot, self.window, height))

    def _paint(self) -> None:
        if self.snapshot is not None:
            self.show_snapshot(self.snapshot)

    def _explain(self, width: int, per: int) -> None:
        """Writes the meaning of marks and letters into the borders."""
        steps = f"{per} step{'s' * (per > 1)}"
        long = width >= LONG_LEGEND
        if width >= LEGEND:
            self.border_title = legend(watching=long)
        else:
            self.border_title, self.border_subtitle = narrow_legend(width - BORDER, f"{steps}/column")
        if width >= (LETTERS_FROM if self.app.no_color else LEGEND):
            self.border_subtitle = "  ".join((LETTERS, *([FITS] if long else []), f"{steps} a column"))

    def zoom(self, *, inward: bool) -> None:
        """Shows fewer steps in more detail, or more steps."""
        if self.snapshot is not None and self.window is not None:
            self.timeline_zoom.zoom(inward, self.snapshot.step, self.newest, self.window.width)
            self._paint()

    def words_at(self, row: int) -> str:
        """Returns the name of a band; above the first one, the marks that the title explains."""
        return str(self.border_title or "") if row < 0 else self.text_of(row)[:GUTTER]

    # --- the mouse ---------------------------------------------------------------------------------------------
    @on(events.MouseScrollUp)
    @on(events.MouseScrollDown)
    def zoom_with_wheel(self, event: events.MouseScrollUp | events.MouseScrollDown) -> None:
        """Zooms, in the place of what would scroll."""
        event.stop()
        self.zoom(inward=isinstance(event, events.MouseScrollUp))

    def follow(self, event: events.MouseEvent) -> None:
        """Asks for the step under the mouse."""
        if self.window is not None and self.snapshot is not None:
            column = int(event.screen_x) - self.content_region.x - GUTTER
            self.post_message(self.StepRequested(self.window.step(column, self.newest)))

    def _drawn(self, snapshot: Snapshot, window: TimelineWindow, height: int) -> tuple[RGBImage, Labels]:
        timeline_data = self.timeline_data_of(snapshot)
        palette = palette_of(self.app)
        return draw_timeline(timeline_data, snapshot, window, height, palette, colourless=self.app.no_color)


def legend(*, watching: bool) -> str:
    """Returns the title with the meaning of the marks, as markup; of the gates that only watch if wanted."""
    order = (*TIMELINE_MARKS, *WATCHING) if watching else TIMELINE_MARKS
    return f"{Timeline.TITLE}  [not bold]{'  '.join(meaning(mark) for mark in order)}[/]"


def narrow_legend(width: int, scale: str) -> tuple[str, str]:
    """Returns the meaning of the marks in both borders, as markup: as many as fit, the lower ones before the scale."""
    upper = _fitting(TIMELINE_MARKS, width)
    lower = _fitting(TIMELINE_MARKS[len(upper) :], width - len(scale) - 1)
    below = "".join(f"{meaning(mark)} " for mark in lower)
    return f"[not bold]{' '.join(meaning(mark) for mark in upper)}[/]", f"{below}{scale}"


def _fitting(marks: tuple[TimelineMark, ...], width: int) -> tuple[TimelineMark, ...]:
    """Returns the first marks whose meanings fit into a line."""
    ends = accumulate(len(f"{GLYPHS[mark][0]} {mark.value} ") for mark in marks)
    return marks[: bisect_right([*ends], width + 1)]


def meaning(mark: TimelineMark) -> str:
    """Returns a mark and its name, as markup."""
    glyph, colour = GLYPHS[mark]
    return f"[{colour}]{glyph}[/] [{DIM}]{mark.value}[/]"


# of a game and its fork: their names, and the line where they part
NAMES = ("original", "what if")
FORK = "┊"


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

    def show_snapshots(self, original: Snapshot, forked: Snapshot) -> None:
        """Shows both games, and the position of these steps in them."""
        self._pair = original, forked
        self.show_snapshot(max(self._pair, key=lambda snapshot: snapshot.step))

    def _games(self, snapshot: Snapshot) -> tuple[TimelineData, ...]:  # noqa: ARG002 - the games are always the same
        for timeline_data in self._both:
            timeline_data.extend()
        return self._both

    def _drawn(self, snapshot: Snapshot, window: TimelineWindow, height: int) -> tuple[RGBImage, Labels]:
        colours = palette_of(self.app)
        pictures = []
        labels = dict[tuple[int, int], tuple[str, Style]]()
        top = 0
        heights = height // 2, height - height // 2
        for name, timeline_data, own, rows in zip(NAMES, self._games(snapshot), self._pair, heights, strict=True):
            picture, cells = draw_timeline(timeline_data, own, window, rows, colours, colourless=self.app.no_color)
            pictures.append(picture)
            beside = written(name.ljust(GUTTER), 0, band_layout(rows).marks[0], Style.parse(f"bold {colours.text}"))
            cells = self._line(window, rows, colours) | dict(cells) | beside
            labels |= {(column, top + row): label for (column, row), label in cells.items()}
            top += rows
        return np.concatenate(pictures), labels

    def _line(self, window: TimelineWindow, rows: int, colours: Palette) -> dict[tuple[int, int], tuple[str, Style]]:
        column = window.column(self._parted)
        style = Style.parse(f"bold {colours.warn} on {colours.background}")
        return {(GUTTER + column, row): (FORK, style) for row in range(rows)} if 0 <= column < window.width else {}


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
        games = self._games(snapshot)
        palette = palette_of(self.app)
        style = timeline_style(palette)
        points = [one - other for one, other in zip(games[0].scores, games[1].scores, strict=False)]
        ruler = height - 1 if height >= RULED_FROM else None
        last = height - 1 - (ruler is not None)  # the row of the other game's marks
        picture = np.full((2 * height, GUTTER + window.width, 3), style.background, np.uint8)
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

    def _explain(self, width: int, per: int) -> None:  # noqa: ARG002 - as in the other timelines
        self.border_title = f"who leads  [not bold]{'  '.join(map(meaning, DUEL_MARKS))}[/]"
        self.border_subtitle = f"{per} step{'s' * (per > 1)} a column"
