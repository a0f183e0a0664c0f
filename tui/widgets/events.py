"""The panel "events": a log of what was worth noting."""

from bisect import bisect_right
from typing import ClassVar

from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from bba import palette
from bba.analysis.event_log import LogEntry, log_entries
from bba.analysis.snapshot import Snapshot
from bba.play import Trace
from tui.widgets.panel import line


class EventsPanel(ScrollView):
    """Deliveries, replans, fires, orders that ran out, finished skills and switches, the newest last.

    Every tick is read once: an earlier moment's log is the beginning of a later one's.
    """

    TITLE: ClassVar[str] = "events"
    ABOUT: ClassVar[str] = (
        "Deliveries, replans, fires, orders that ran out, finished skills, each with the number of its cook; "
        "scroll with the wheel."
    )

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE)
        self.border_title = self.TITLE
        self._trace: Trace | None = None
        self._read = 0
        self._all: list[LogEntry] = []
        self._shown: list[LogEntry] = []

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show what has happened up to this moment; whoever had not scrolled back sees the newest."""
        self._read_to(snapshot)
        at_end = self.is_vertical_scroll_end
        until = bisect_right(self._all, snapshot.step, key=lambda one: one.step)
        self._shown = [one for one in self._all[:until] if snapshot.truth or not one.truth]
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._shown))
        if at_end:
            self.scroll_end(animate=False)
        self.refresh()

    @property
    def lines(self) -> list[Content]:
        """The whole log as lines, uncut."""
        return [_line(one) for one in self._shown]

    def render_line(self, y: int) -> Strip:
        """One row of what is in view."""
        row = y + self.scroll_offset.y
        width, ground = self.scrollable_content_region.width, self.visual_style
        text = _line(self._shown[row]) if row < len(self._shown) else Content("")
        return Strip(text.render_segments(ground)).adjust_cell_length(width, ground.rich_style)

    def _read_to(self, snapshot: Snapshot) -> None:
        if self._trace is not snapshot.trace:
            self._trace, self._read, self._all = snapshot.trace, 0, []
        while self._read < snapshot.step:
            self._read += 1
            self._all += log_entries(Snapshot(snapshot.trace, self._read))


def _line(one: LogEntry) -> Content:
    who = ("●", one.colour) if one.cook is None else (str(one.cook + 1), palette.COOK_COLOURS[one.cook])
    return line((f"{one.step:>4} ", palette.DIM), who, (f" {one.text}", one.colour or palette.DIM))
