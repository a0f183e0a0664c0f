"""The panel "timeline": the whole game, a game above its fork, or the two games of a duel, as bands with marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rich.style import Style
from textual import events, on
from textual.message import Message

from bba.analysis import Snapshot, TimelineData, TimelineMark, nearest
from bba.analysis.comparison import lead_pixels, lead_scale, side_marks
from bba.palette import DIM, ROLE_COLOURS, Palette, rgb
from bba.play import Trace
from tui.style import palette_of
from tui.widgets.panel import Draggable, Explaining, counted
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
from tui.widgets.timeline_style import GLYPHS, Cells, timeline_style

LEGEND = 86  # cells of width from which the title explains all marks
LONG_LEGEND = 113  # and those of gates that watch
BORDER = 4  # cells of a border's line that its text does not get
ROLE_NAMES = ("Meat", "Rice", "Wash", "Assemble", "Serve", "Hand over")  # what the bands' letters stand for
# The same as markup, each name in the colour of its role.
LETTERS = " ".join(f"[{colour}]{name}[/]" for name, colour in zip(ROLE_NAMES, ROLE_COLOURS, strict=True))
FITS = "✓ complements ✗ duplicates"  # the same of the signs on the band comp
LETTERS_FROM = 76  # cells of width from which the lower border shows the letters
LETTERS_FROM_UNCOLOURED = 66  # the same where there are no colours

BAND_TERMS = {"is": "true", "guess": "MAP", "is/guess": "true, MAP"}  # the terms of the bands' names
# The marks that the title explains, the most important first; then those of gates that only watch.
TIMELINE_MARKS = (
    TimelineMark.REPLAN,
    TimelineMark.KEPT_PLAN,
    TimelineMark.CONTRADICTION,
    TimelineMark.DELIVERY,
    TimelineMark.FIRE,
    TimelineMark.SWITCH,
    TimelineMark.GAP,
)
WATCHING = (TimelineMark.COMMITMENT_GATE, TimelineMark.GATE)
WORDS = {TimelineMark.REPLAN: "new plan", TimelineMark.KEPT_PLAN: "kept"}  # of marks that have others than their name


class Timeline(PixelCanvas, Draggable, Explaining):
    """Belief, true role, most likely role, coordination and the ego's role, then marks and the step that is shown.

    Args:
        id: the widget's id.
    """

    TITLE: ClassVar[str] = "timeline"
    ABOUT: ClassVar[str] = (
        "The game so far. belief: the posterior, an observer's if the ego has none, a colour for each role; is: "
        "the partner's role; guess: the most likely role, pale where it is not the true one; ego: the ego's role; "
        "comp: green, ✓, where that complements the true role, red, ✗, where it duplicates it. Long stretches have a "
        "letter of their role: Meat, Rice, Wash, Assemble, Serve, Hand over. ▲ a replan that changed "
        "the plan, △ one that kept it, ! contradiction, ● delivery, ✶ fire, ◆ the partner switches to another role "
        "(known some steps later), ≠ the partner's role is believed rightly, but the ego does not complement it, ± the "
        "parameters were changed; ⚑ a bookmark; □ the gate, or ▽ the commitment gate, opened, but does not decide. "
        "Click or drag to go to a step; the mouse wheel zooms."
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
        """Returns the step of the next such mark after the snapshot, or of the last one before; None for none."""
        steps = []
        for game in self._games(snapshot):
            step = nearest(game.marks[mark], snapshot.step, forward=forward)
            if step is not None:
                steps.append(step)
        if not steps:
            return None
        return min(steps) if forward else max(steps)

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
            self._explain(width, self.window.per)
        picture, labels = self._drawn(snapshot, self.window, height)
        self.show(picture, labels)

    def _paint(self) -> None:
        if self.snapshot is not None:
            self.show_snapshot(self.snapshot)

    def _explain(self, width: int, per: int) -> None:
        """Writes the meaning of marks and letters into the borders."""
        steps = counted(per, "step")
        long = width >= LONG_LEGEND
        if width >= LEGEND:
            self.border_title = legend(watching=long)
        else:
            self.border_title, self.border_subtitle = narrow_legend(width - BORDER, f"{steps}/column")
        letters_from = LETTERS_FROM_UNCOLOURED if self.app.no_color else LETTERS_FROM
        if width >= letters_from:
            letters = f"{LETTERS}  {FITS}" if long else LETTERS
            self.border_subtitle = f"{letters}  {steps} a column"

    def zoom(self, *, inward: bool) -> None:
        """Shows fewer steps in more detail, or more steps."""
        if self.snapshot is not None and self.window is not None:
            self.timeline_zoom.zoom(inward, self.snapshot.step, self.newest, self.window.width)
            self._paint()

    def words_at(self, row: int) -> str:
        """Returns the name of a band; above the first one, the marks that the title explains."""
        if row < 0:
            return str(self.border_title or "")
        name = self.text_of(row)[:GUTTER].strip()
        return BAND_TERMS.get(name, name)

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
        kinds = tuple(TimelineMark)
        if self.content_size.width < LONG_LEGEND:  # where the legend does not explain them
            kinds = tuple(mark for mark in kinds if mark not in WATCHING)
        return draw_timeline(timeline_data, snapshot, window, height, palette, kinds, colourless=self.app.no_color)


def legend(*, watching: bool) -> str:
    """Returns the title with the meaning of the marks, as markup; if `watching`, of gates that only watch, too."""
    marks = TIMELINE_MARKS + WATCHING if watching else TIMELINE_MARKS
    meanings = "  ".join(meaning(mark) for mark in marks)
    return f"{Timeline.TITLE}  [not bold]{meanings}[/]"


def narrow_legend(width: int, scale: str) -> tuple[str, str]:
    """Returns the meaning of the marks in both borders, as markup: as many as fit, the lower ones before the scale."""
    upper_marks = _fitting(TIMELINE_MARKS, width)
    rest = TIMELINE_MARKS[len(upper_marks) :]
    lower_marks = _fitting(rest, width - len(scale) - 1)
    upper = " ".join(meaning(mark) for mark in upper_marks)
    lower = "".join(f"{meaning(mark)} " for mark in lower_marks)
    return f"[not bold]{upper}[/]", f"{lower}{scale}"


def _fitting(marks: tuple[TimelineMark, ...], width: int) -> tuple[TimelineMark, ...]:
    """Returns the first marks whose meanings fit into a line."""
    end = 0
    for number, mark in enumerate(marks):
        glyph, _ = GLYPHS[mark]
        end += len(f"{glyph} {words_of(mark)} ")
        if end > width + 1:  # the last space may lie outside
            return marks[:number]
    return marks


def words_of(mark: TimelineMark) -> str:
    """Returns what a legend calls a mark."""
    return WORDS.get(mark, mark.value)


def meaning(mark: TimelineMark) -> str:
    """Returns a mark and its name, as markup."""
    glyph, colour = GLYPHS[mark]
    return f"[{colour}]{glyph}[/] [{DIM}]{words_of(mark)}[/]"


NAMES = ("original", "what if")  # of a game and its fork
FORK = "┊"  # a row of the line where they part


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
        later = forked if forked.step > original.step else original
        self.show_snapshot(later)

    def _games(self, snapshot: Snapshot) -> tuple[TimelineData, ...]:  # noqa: ARG002 - the games are always the same
        for timeline_data in self._both:
            timeline_data.extend()
        return self._both

    def _drawn(self, snapshot: Snapshot, window: TimelineWindow, height: int) -> tuple[RGBImage, Labels]:
        colours = palette_of(self.app)
        name_style = Style.parse(f"bold {colours.text}")
        pictures = []
        labels: Cells = {}
        top = 0
        heights = height // 2, height - height // 2
        games = self._games(snapshot)
        for name, game, game_snapshot, rows in zip(NAMES, games, self._pair, heights, strict=True):
            picture, cells = draw_timeline(game, game_snapshot, window, rows, colours, colourless=self.app.no_color)
            pictures.append(picture)
            name_row = band_layout(rows).marks[0]
            all_cells = self._fork_line(window, rows, colours)
            all_cells |= cells
            all_cells |= written(name.ljust(GUTTER), 0, name_row, name_style)
            for (column, row), label in all_cells.items():
                labels[column, top + row] = label
            top += rows
        return np.concatenate(pictures), labels

    def _fork_line(self, window: TimelineWindow, rows: int, colours: Palette) -> Cells:
        column = window.column(self._parted)
        if not 0 <= column < window.width:
            return {}
        style = Style.parse(f"bold {colours.warn} on {colours.background}")
        return {(GUTTER + column, row): (FORK, style) for row in range(rows)}


DUEL_MARKS = (
    TimelineMark.FIRE,
    TimelineMark.DELIVERY,
    TimelineMark.REPLAN,
    TimelineMark.KEPT_PLAN,
    TimelineMark.SWITCH,
)
RULED_FROM = 4  # rows from which there are step numbers


class DuelTimeline(TwinTimeline):
    """The lead as a line that grows, up where the first game leads; the marks of the first above, of the other below.

    The arguments are those of `TwinTimeline`.
    """

    ABOUT: ClassVar[str] = (
        "A duel: the same kitchen, partner and seed, only the egos differ. The area shows who leads, upwards the first "
        "game, downwards the second one; above it the marks of the first game, below those of the second one. The "
        "caption says what one ego knew, and the other did not, where they first decide differently."
    )

    def _drawn(self, snapshot: Snapshot, window: TimelineWindow, height: int) -> tuple[RGBImage, Labels]:
        games = self._games(snapshot)
        first, second = games
        style = timeline_style(palette_of(self.app))
        scores = zip(first.scores, second.scores, strict=False)
        lead = [first_score - second_score for first_score, second_score in scores]
        low, high = lead_scale(lead)
        ruler = height - 1 if height >= RULED_FROM else None
        last_row = height - 1 if ruler is None else height - 2  # of the second game's marks
        picture = self._lead_picture(lead, (low, high), window, height, last_row)
        labels: Cells = {}
        mark_rows = (0, last_row)
        sides = side_marks(first.trace.config, second.trace.config)
        for game, game_snapshot, side, row in zip(games, self._pair, sides, mark_rows, strict=True):
            rows = BandLayout(height, 0, 1, (row,), ruler)
            labels |= written(side.ljust(GUTTER), 0, row, style.now)
            labels |= mark_cells(game, game_snapshot, window, rows, style, DUEL_MARKS)
        if last_row > 1:
            text = f"+{high}"
            labels |= written(text[: GUTTER - 1], 0, 1, style.name)
        if low and last_row > 2:
            text = str(low)
            labels |= written(text[: GUTTER - 1], 0, last_row - 1, style.name)
        if ruler is not None:
            labels |= written("step", 0, ruler, style.name)
            labels |= number_cells(first, snapshot, window, ruler, style)
        rows = BandLayout(height, 0, 1, (0,), ruler)
        labels |= place_cells(first, snapshot, window, rows, style)
        return picture, labels

    def _lead_picture(
        self, lead: Sequence[int], scale: tuple[int, int], window: TimelineWindow, height: int, last_row: int
    ) -> RGBImage:
        """Returns the area of the lead over the steps, between the two rows of marks: (2 height, columns, 3)."""
        palette = palette_of(self.app)
        background = timeline_style(palette).background
        picture = np.full((2 * height, GUTTER + window.width, 3), background, np.uint8)
        ends = window.edges(len(lead))[1:]
        if len(ends):
            low, high = scale
            column_leads = [lead[end - 1] for end in ends]
            signs = lead_pixels(column_leads, 2 * (last_row - 1), low, high)
            area = picture[2 : 2 * last_row, GUTTER : GUTTER + len(ends)]
            area[signs > 0] = rgb(palette.good)
            area[signs < 0] = rgb(palette.warn)
        return picture

    def _explain(self, width: int, per: int) -> None:  # noqa: ARG002 - as in the other timelines
        meanings = "  ".join(meaning(mark) for mark in DUEL_MARKS)
        self.border_title = f"who leads  [not bold]{meanings}[/]"
        self.border_subtitle = f"{counted(per, 'step')} a column"
