"""The panel "timeline": the whole game as bands with marks; the mouse selects the step that is shown."""

from typing import ClassVar

from textual import events
from textual.message import Message

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineData, TimelineMark
from tui.playback.timeline_zoom import TimelineWindow, TimelineZoom
from tui.style.themes import palette_of
from tui.widgets.pixels import Labels, PixelCanvas, RGBImage
from tui.widgets.timeline_drawing import GUTTER, draw_timeline
from tui.widgets.timeline_style import GLYPHS

LEGEND = 72  # cells of width from which the title explains the marks
LETTERS = "Protein Rice Hygiene Assemble Serve sTage"  # the meaning of the bands' letters
LETTERS_FROM = 66  # cells of width from which it stands in the lower border


class Timeline(PixelCanvas):
    """Belief, true role, most likely role, coordination and the ego's role, then marks and the step that is shown.

    Args:
        id: the widget's id.
    """

    TITLE: ClassVar[str] = "timeline"
    ABOUT: ClassVar[str] = (
        "The game so far. belief: the posterior, a colour for each role; true: the partner's role; MAP: the most "
        "likely role, pale where it is not the true one; ego: the ego's role; comp: green where that complements the "
        "true role, red where it duplicates it. ▲ replan, ! contradiction, ● delivery, ✶ fire, ◆ the partner switches "
        "to another role, ≠ the ego knows the partner's role but does not complement it, ± the parameters were "
        "changed. Click or drag to go to a step; the mouse wheel zooms."
    )

    class StepRequested(Message):
        """Somebody pointed at a step.

        Attributes:
            step: the step.
        """

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    snapshot: Snapshot | None = None
    window: TimelineWindow | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE)
        self.timeline_zoom = TimelineZoom()
        self._timeline_data: TimelineData | None = None
        self._dragging = False

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
        timeline_data = self.timeline_data_of(snapshot)
        return timeline_data.next(mark, snapshot.step) if forward else timeline_data.previous(mark, snapshot.step)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the game, and the position of this step in it."""
        self.snapshot = snapshot
        width, height = self.content_size
        if width <= GUTTER or height < 1:
            return
        self.window = self.timeline_zoom.window(snapshot.step, self.newest, width - GUTTER)
        self.border_title = legend() if width >= LEGEND else self.TITLE
        letters = f"{LETTERS}  " if self.app.no_color and width >= LETTERS_FROM else ""
        self.border_subtitle = f"{letters}{self.window.per} step{'s' * (self.window.per > 1)} a column"
        self.show(*self._drawn(snapshot, self.window, height))

    def zoom(self, *, inward: bool) -> None:
        """Shows fewer steps in more detail, or more steps."""
        if self.snapshot is not None and self.window is not None:
            self.timeline_zoom.zoom(inward, self.snapshot.step, self.newest, self.window.width)
            self.show_snapshot(self.snapshot)

    def notify_style_update(self) -> None:
        """Redraws in the colours of another theme."""
        super().notify_style_update()
        if self.snapshot is not None:
            self.show_snapshot(self.snapshot)

    # --- the mouse ---------------------------------------------------------------------------------------------
    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1 and event.get_content_offset(self) is not None:
            self.capture_mouse()
            self._dragging = True
            self._seek(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self._seek(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:  # noqa: ARG002 - Textual's signature
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.zoom(inward=True)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.zoom(inward=False)

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002 - Textual's signature
        if self.snapshot is not None:
            self.show_snapshot(self.snapshot)

    def _seek(self, event: events.MouseEvent) -> None:
        if self.window is not None and self.snapshot is not None:
            column = int(event.screen_x) - self.content_region.x - GUTTER
            self.post_message(self.StepRequested(self.window.step(column, self.newest)))

    def _drawn(self, snapshot: Snapshot, window: TimelineWindow, height: int) -> tuple[RGBImage, Labels]:
        timeline_data, palette = self.timeline_data_of(snapshot), palette_of(self.app)
        return draw_timeline(timeline_data, snapshot, window, height, palette, lettered=self.app.no_color)


def legend() -> str:
    """Returns the title with the meaning of the marks, as markup."""
    order = (
        TimelineMark.REPLAN,
        TimelineMark.CONTRADICTION,
        TimelineMark.DELIVERY,
        TimelineMark.FIRE,
        TimelineMark.SWITCH,
        TimelineMark.GAP,
    )
    marks = (f"[{GLYPHS[mark][1]}]{GLYPHS[mark][0]}[/] [{palette.DIM}]{mark.value}[/]" for mark in order)
    return f"{Timeline.TITLE}  [not bold]{'  '.join(marks)}[/]"
