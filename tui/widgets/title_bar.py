"""The line at the top: what is played, and how it stands."""

from textual.content import Content
from textual.widget import Widget

from bba import palette
from bba.analysis.snapshot import Snapshot
from tui.widgets.panel import line, spread


class TitleBar(Widget):
    """The game's setup to the left; paused, running or finished to the right."""

    moment: Snapshot | None = None
    status: str = ""
    past: bool = False

    def show_moment(self, moment: Snapshot, status: str, *, past: bool = False) -> None:
        """Show this moment's game with a word or two on how it stands, which stand out in the past."""
        if self.moment is None or moment.trace is not self.moment.trace or (status, past) != (self.status, self.past):
            self.moment, self.status, self.past = moment, status, past
            self.refresh()

    def render(self) -> Content:
        """The whole line."""
        if self.moment is None:
            return Content("")
        setup = self.moment.setup
        left = line(
            (" bba-tui ", f"bold {palette.GOOD}"),
            (f" {setup.layout.name}  ", f"bold {palette.TEXT}"),
            (setup.agents[0], palette.COOK_COLOURS[0]),
            (" and ", palette.DIM),
            (setup.agents[1], palette.COOK_COLOURS[1]),
            (f"  seed {setup.seed}", palette.DIM),
        )
        colours = f"{palette.BACKGROUND} on {palette.WARN}" if self.past else palette.TEXT
        return spread(left, line((f" {self.status} ", f"bold {colours}")), self.size.width)
