"""The title line: the game and its state."""

from textual.content import Content
from textual.widget import Widget

from bba import palette
from bba.analysis.snapshot import Snapshot
from tui.widgets.panel import line, spread


class TitleBar(Widget):
    """The game's settings to the left; paused, running or finished to the right."""

    snapshot: Snapshot | None = None
    status: str = ""
    past: bool = False

    def show_snapshot(self, snapshot: Snapshot, status: str, *, past: bool = False) -> None:
        """Shows a game and its state in a word or two; `past` highlights the state."""
        if (
            self.snapshot is None
            or snapshot.trace is not self.snapshot.trace
            or (status, past) != (self.status, self.past)
        ):
            self.snapshot, self.status, self.past = snapshot, status, past
            self.refresh()

    def render(self) -> Content:
        """Returns the whole line."""
        if self.snapshot is None:
            return Content("")
        config = self.snapshot.config
        left = line(
            (" bba-tui ", f"bold {palette.GOOD}"),
            (f" {config.layout.name}  ", f"bold {palette.TEXT}"),
            (config.agents[0], palette.COOK_COLOURS[0]),
            (" and ", palette.DIM),
            (config.agents[1], palette.COOK_COLOURS[1]),
            (f"  seed {config.seed}", palette.DIM),
        )
        colours = f"{palette.BACKGROUND} on {palette.WARN}" if self.past else palette.TEXT
        return spread(left, line((f" {self.status} ", f"bold {colours}")), self.size.width)
