"""The screen on which a game is watched: the kitchen to the left, the panels to the right."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static

from human.keymap import WATCH_KEYS
from tui.bindings import bindings
from tui.clock import Clock
from tui.feed import Feed
from tui.moment import Moment
from tui.runner import Runner
from tui.sizes import SMALLEST
from tui.widgets.cooks import CooksPanel
from tui.widgets.events import EventsPanel
from tui.widgets.gate import GatePanel
from tui.widgets.history import HistoryPanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.orders import OrdersPanel
from tui.widgets.panel import Panel
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.title_bar import TitleBar

PANEL_RATE = 5.0  # panels are drawn so often a second at most: they cost more than the kitchen
BARS = 2  # rows of title and footer
FRAME = 2  # cells that a box's border takes, across as well as down
SIDE, SIDE_SHARE = 30, 0.31  # what the kitchen leaves to the panels beside it, in cells and as a share
STRIP_LEAST = 5  # rows under the kitchen from which the history is worth showing
STRIP, STRIP_FROM = 6, 36  # what it leaves to the history under it, and the rows of terminal from which it does

# The classes by which the style sheet lets panels give way.
WIDTHS = ((0, "-narrow"), (SMALLEST[0], "-fits-across"))
HEIGHTS = ((0, "-low"), (SMALLEST[1], "-short"), (28, "-medium"), (34, "-tall"), (38, "-full"))

PANELS: tuple[type[Panel | EventsPanel], ...] = (OrdersPanel, PosteriorPanel, GatePanel, CooksPanel, EventsPanel)


class WatchScreen(Screen[None]):
    """Plays a feed and shows it.

    Args:
        feed: the game.
        speed: steps a second.
        autostart: whether the clock runs from the start.
        show_truth: whether what only the trace knows of the partner is shown.
    """

    BINDINGS = bindings(WATCH_KEYS)
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = list(WIDTHS)  # noqa: RUF012 - typed so by Textual
    VERTICAL_BREAKPOINTS = list(HEIGHTS)  # noqa: RUF012

    def __init__(
        self,
        feed: Feed,
        *,
        speed: float = 10.0,
        autostart: bool = True,
        show_truth: bool = True,
    ) -> None:
        super().__init__()
        self.playing = autostart
        self.clock = Clock(speed)
        self._show_truth = show_truth
        self._runner = Runner(feed, self._stepped, self.call_later)
        self._kitchen = KitchenView(feed.setup.layout)
        self._history = HistoryPanel()
        self._side = [panel() for panel in PANELS]
        self._title = TitleBar()
        self._beat: Timer | None = None
        self._stale = False

    @property
    def feed(self) -> Feed:
        """The game that is watched."""
        return self._runner.feed

    @property
    def moment(self) -> Moment:
        """The moment that is shown: the newest."""
        trace = self.feed.trace
        return Moment(trace, len(trace.ticks), self._show_truth)

    def compose(self) -> ComposeResult:
        """Title, kitchen over history, the other panels in a column, keys; and what stands there where none fit."""
        yield self._title
        with Horizontal(id="room"):
            with Vertical(id="board"):
                yield self._kitchen
                yield self._history
            with Vertical(id="side"):
                yield from self._side
        yield Static(id="too-small")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show the start and set the clock going."""
        self._kitchen.show_scene(self.moment.scene)
        self.set_interval(1 / PANEL_RATE, self._refresh_stale)
        self._set_playing(self.playing)
        self.call_after_refresh(self._show_panels)

    def on_resize(self, event: events.Resize) -> None:
        """Fit the kitchen into the room beside and above the panels."""
        size = event.size
        side = max(SIDE, round(SIDE_SHARE * size.width))
        strip = STRIP if size.height >= STRIP_FROM else 0
        room = Size(size.width - side - FRAME, size.height - BARS - strip - FRAME)
        board = self._kitchen.fit(room)
        self.query_one("#board").styles.width = board.width + FRAME
        self._history.display = size.height - BARS - FRAME - board.height >= STRIP_LEAST
        self.query_one("#too-small", Static).update(
            f"needs {SMALLEST[0]}x{SMALLEST[1]}, has {size.width}x{size.height}"
        )
        self.call_after_refresh(self._show_panels)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_pause(self) -> None:
        """Pause, or go on."""
        self._set_playing(not self.playing)

    def action_step(self) -> None:
        """Play one step and pause."""
        self._set_playing(False)
        self._runner.step()

    def action_faster(self) -> None:
        """Take the next higher speed."""
        self.clock.faster()
        self._set_playing(self.playing)

    def action_slower(self) -> None:
        """Take the next lower speed."""
        self.clock.slower()
        self._set_playing(self.playing)

    def action_restart(self) -> None:
        """Begin the game again."""
        self._runner.restart()
        self._kitchen.show_scene(self.moment.scene)
        self._show_panels()

    def action_truth(self) -> None:
        """Show or hide what only the trace knows."""
        self._show_truth = not self._show_truth
        self._show_panels()

    # --- the clock ---------------------------------------------------------------------------------------------
    def _set_playing(self, playing: bool) -> None:
        """Let the clock run at its speed, or stop it."""
        self.playing = playing
        if self._beat is not None:
            self._beat.stop()
        self._beat = self.set_interval(self.clock.beat, self._on_beat) if playing else None
        self._kitchen.play(playing)
        self._show_title()

    def _on_beat(self) -> None:
        self._runner.step(self.clock.steps)
        self._show_title()

    def _stepped(self, problem: str | None) -> None:
        """Show what the step brought: the kitchen at once, the panels too unless the clock runs."""
        if problem is not None:
            self._set_playing(False)
            self.notify(problem, title="The game cannot go on", severity="error", timeout=30, markup=False)
        self._kitchen.show_scene(self.moment.scene, self.clock.slide if self.playing else 0.0)
        self._stale = True
        if not self.playing:
            self._refresh_stale()

    # --- what is shown -----------------------------------------------------------------------------------------
    def _refresh_stale(self) -> None:
        if self._stale:
            self._show_panels()

    def _show_panels(self) -> None:
        self._stale = False
        moment = self.moment
        for panel in (self._history, *self._side):
            panel.show_moment(moment)
        self._show_title()

    def _show_title(self) -> None:
        self._title.show_moment(self.moment, self.status)

    @property
    def status(self) -> str:
        """How the game stands, in a word or two."""
        if self.feed.done:
            return "finished"
        if not self.playing:
            return f"paused ({self.clock.speed:g}/s)"
        return "thinking" if self._runner.busy else f"{self.clock.speed:g} steps/s"
