"""The screen on which a game is watched: the kitchen to the left, the panels to the right."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Footer, Static

from human.keymap import WATCH_KEYS
from tui.bindings import bindings
from tui.clock import Clock
from tui.feed import Feed
from tui.runner import Runner
from tui.screens.travel import TravelScreen
from tui.sizes import SMALLEST
from tui.widgets.cooks import CooksPanel
from tui.widgets.events import EventsPanel
from tui.widgets.gate import GatePanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.orders import OrdersPanel
from tui.widgets.panel import Panel
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.title_bar import TitleBar

PANEL_RATE = 5.0  # panels are drawn so often a second at most: they cost more than the kitchen
BARS = 2  # rows of title and footer
FRAME = 2  # cells that a box's border takes, across as well as down
SIDE, SIDE_SHARE = 30, 0.31  # what the kitchen leaves to the panels beside it, in cells and as a share
STRIP, STRIP_FROM = 6, 36  # rows that it leaves to the timeline under it, and those of the terminal from which it does
STRIP_LEAST = 2  # what it always leaves; where that is all, neither has a frame
AHEAD, SLICE = 40, 0.02  # steps of a recording that are worked out at a time, and seconds between: keys stay quick

# The classes by which the style sheet lets panels give way.
WIDTHS = ((0, "-narrow"), (SMALLEST[0], "-fits-across"))
HEIGHTS = ((0, "-low"), (SMALLEST[1], "-short"), (28, "-medium"), (34, "-tall"), (38, "-full"))

PANELS: tuple[type[Panel | EventsPanel], ...] = (OrdersPanel, PosteriorPanel, GatePanel, CooksPanel, EventsPanel)


class WatchScreen(TravelScreen):
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
        super().__init__(feed, show_truth=show_truth)
        self.playing = autostart
        self.clock = Clock(speed)
        self._runner = Runner(feed, self._stepped, self.call_later)
        self._kitchen = KitchenView(feed.setup.layout)
        self._side = [panel() for panel in PANELS]
        self._title = TitleBar()
        self._beat: Timer | None = None
        self._ahead: Timer | None = None
        self._stale = False

    def compose(self) -> ComposeResult:
        """Title, kitchen over timeline, the other panels in a column, keys; and what stands there where none fit."""
        yield self._title
        with Horizontal(id="room"):
            with Vertical(id="board"):
                yield self._kitchen
                yield self._timeline
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
        self.call_after_refresh(self._begin_ahead)

    def on_resize(self, event: events.Resize) -> None:
        """Fit the kitchen into the room beside and above the panels."""
        size = event.size
        side = max(SIDE, round(SIDE_SHARE * size.width))
        strip = STRIP + FRAME if size.height >= STRIP_FROM else STRIP_LEAST
        room = Size(size.width - side - FRAME, size.height - BARS - strip)
        board = self._kitchen.fit(room)
        bare = room.height + strip - board.height < STRIP_LEAST + 2 * FRAME
        self.query_one("#board").set_class(bare, "-bare").styles.width = board.width + (0 if bare else FRAME)
        self.query_one("#too-small", Static).update(
            f"needs {SMALLEST[0]}x{SMALLEST[1]}, has {size.width}x{size.height}"
        )
        self.call_after_refresh(self._show_panels)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_pause(self) -> None:
        """Pause, or go on."""
        self._set_playing(not self.playing)

    def action_faster(self) -> None:
        """Take the next higher speed."""
        self.clock.faster()
        self._set_playing(self.playing)

    def action_slower(self) -> None:
        """Take the next lower speed."""
        self.clock.slower()
        self._set_playing(self.playing)

    def action_restart(self) -> None:
        """Begin the game again; a recording is only wound back."""
        if not self.feed.recorded:
            self._runner.restart()
        self._playhead.rewind()
        self._show_all()

    def action_truth(self) -> None:
        """Show or hide what only the trace knows."""
        self._show_truth = not self._show_truth
        self._show_panels()

    def _pause(self) -> None:
        self._set_playing(False)

    def _play_one(self) -> None:
        self._runner.step()

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
        """Play on; in the past and in a recording, what is already there."""
        if self.past:
            self._playhead.seek(self.moment.step + self.clock.steps, self.newest)
            self._kitchen.show_scene(self.moment.scene, self.clock.slide)
            self._stale = True
        elif not self.feed.recorded:
            self._runner.step(self.clock.steps)
        self._show_title()

    def _begin_ahead(self) -> None:
        """Once the first picture stands, work out a recording in small slices, so that one can go anywhere in it."""
        if self.feed.recorded and self._ahead is None:
            self._ahead = self.set_interval(SLICE, self._work_ahead)

    def _work_ahead(self) -> None:
        """Work out some more of a recording, beyond what is shown."""
        self._runner.step(AHEAD)
        if self._ahead is not None and self.feed.done:
            self._ahead.stop()

    def _stepped(self, problem: str | None) -> None:
        """Show what the step brought: the kitchen at once, the panels too unless the clock runs."""
        if problem is not None:
            if self._ahead is not None:
                self._ahead.stop()
            self._set_playing(False)
            self.notify(problem, title="The game cannot go on", severity="error", timeout=30, markup=False)
        if not self.past:
            self._kitchen.show_scene(self.moment.scene, self.clock.slide if self.playing else 0.0)
        self._stale = True
        if not (self.playing or self.past):
            self._refresh_stale()

    # --- what is shown -----------------------------------------------------------------------------------------
    def _refresh_stale(self) -> None:
        if self._stale:
            self._show_panels()

    def _show_all(self) -> None:
        self._kitchen.show_scene(self.moment.scene)
        self._show_panels()

    def _show_panels(self) -> None:
        self._stale = False
        moment = self.moment
        for panel in (self._timeline, *self._side):
            panel.show_moment(moment)
        self._show_title()

    def _show_title(self) -> None:
        self._title.show_moment(self.moment, self.status, past=self.past and not self.feed.recorded)

    @property
    def status(self) -> str:
        """How the game stands, in a word or two."""
        pace = f"{self.clock.speed:g} steps/s" if self.playing else "paused"
        if self.past:
            where = "" if self.feed.recorded else ", in the past"
            return f"step {self.moment.step} of {self.newest}{where}, {pace}"
        if self.feed.done:
            return "finished"
        if not self.playing:
            return f"paused ({self.clock.speed:g}/s)"
        return "thinking" if self._runner.busy else pace
