"""The screen on which a game is watched: the kitchen to the left, the panels to the right."""

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import Footer, Static

from human.keymap import CURSOR_KEYS, FUTURES_KEYS, TUNING_KEYS, WATCH_KEYS
from tui.export import task
from tui.playback.source import PlaybackSource, play_on
from tui.screens.comparison import ComparisonScreen
from tui.screens.fork_dialog import ForkDialog
from tui.screens.mind import MindScreen
from tui.screens.travel import ForkResult
from tui.style.breakpoints import BARS, FRAME, HEIGHTS, SMALLEST, WIDTHS
from tui.style.key_bindings import bindings
from tui.widgets.cooks import CooksPanel
from tui.widgets.events import EventsPanel
from tui.widgets.gate import GatePanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.orders import OrdersPanel
from tui.widgets.panel import Panel
from tui.widgets.planner import PlannerPanel
from tui.widgets.policy import PolicyPanel
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.title_bar import TitleBar
from tui.widgets.tuning import TuningPanel

SIDE, SIDE_SHARE = 30, 0.31  # what the kitchen leaves to the panels beside it, in cells and as a share
STRIP, STRIP_FROM = 6, 36  # rows that it leaves to the timeline under it, and those of the terminal from which it does
STRIP_LEAST = 2  # what it always leaves; where that is all, neither has a frame
AHEAD, BREATH = 60, 0.002  # steps of a recording that are worked out at a time, and seconds between: keys stay quick

PANELS: tuple[type[Panel | EventsPanel], ...] = (
    OrdersPanel,
    PosteriorPanel,
    GatePanel,
    CooksPanel,
    PlannerPanel,
    PolicyPanel,
    EventsPanel,
)


class WatchScreen(MindScreen):
    """Plays a feed and shows it.

    Args:
        feed: the game.
        speed: steps a second.
        autostart: whether the clock runs from the start.
        show_truth: whether what only the trace knows of the partner is shown.
        at: the step that is shown at first; None for the newest, of a recording the start.
        parted: of a fork that is watched alone, the steps that it shares with its original; None for other games.
    """

    BINDINGS = bindings((*TUNING_KEYS, *CURSOR_KEYS, *WATCH_KEYS, *FUTURES_KEYS[:1]))
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = list(WIDTHS)  # noqa: RUF012 - typed so by Textual
    VERTICAL_BREAKPOINTS = list(HEIGHTS)  # noqa: RUF012

    def __init__(
        self,
        feed: PlaybackSource,
        *,
        speed: float = 10.0,
        autostart: bool = True,
        show_truth: bool = True,
        at: int | None = None,
        parted: int | None = None,
    ) -> None:
        super().__init__(feed, speed=speed, autostart=autostart, show_truth=show_truth)
        if at is not None:
            self._playhead.seek(at, self.newest)
        self._parted = parted
        self._kitchen = KitchenView(feed.config.layout)
        self._side = [panel() for panel in PANELS]
        self._title = TitleBar()

    def compose(self) -> ComposeResult:
        """Title, kitchen over timeline, the other panels in a column, keys; and what stands there where none fit."""
        yield self._title
        with Horizontal(id="room"):
            with Vertical(id="board"):
                yield self._kitchen
                yield self._timeline
            with Vertical(id="side"):
                yield from self._side
                yield TuningPanel()
        yield Static(id="too-small")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show the start and set the clock going."""
        self._begin()
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
    def action_restart(self) -> None:
        """Begin the game again; a recording is only wound back, and a fork to where it begins."""
        if self._parted is not None:
            self._seek(self._parted)
            return
        if not self.feed.recorded:
            self.feed.restart()
        self._playhead.rewind()
        self._show_all()

    def action_export(self) -> None:
        """Pause, ask for a file and write the game so far to it."""
        self._pause()
        task.ask(self.app, self.snapshot, self.clock.speed)

    def action_cursor(self) -> None:
        """Begin or end to point at tiles with the arrow keys."""
        self._kitchen.toggle_cursor()
        self.refresh_bindings()

    action_leave_cursor = action_cursor

    def action_point(self, right: int, down: int) -> None:
        """Move the cursor by so many tiles."""
        self._kitchen.move_cursor(right, down)

    @property
    def pointing(self) -> bool:
        """Whether the arrow keys move the cursor."""
        return self._kitchen.cursor

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys of the cursor count while it is on; they come before the others on the same keys."""
        match action:
            case "point" | "leave_cursor":
                return self.pointing
            case "back":
                return self._parted is not None
            case "export":
                return not self.app.is_web  # a visitor in the browser has no business with the files here
        return super().check_action(action, parameters)

    # --- what if -----------------------------------------------------------------------------------------------
    def action_what_if(self) -> None:
        """Ask how the game is to go on otherwise from the step that is shown, and watch both futures."""
        self._pause()
        step = self.snapshot.step
        if step >= self.feed.config.horizon:
            self.notify("The game ends here; go to an earlier step.", title="What if", severity="warning")
        else:
            self.app.push_screen(ForkDialog(self.feed, step), partial(self._watch_futures, step))

    def action_back(self) -> None:
        """Leave the fork for the original."""
        self.dismiss(ForkResult(self.snapshot.step))

    def _watch_futures(self, step: int, fork: PlaybackSource | None) -> None:
        if fork is not None:
            timeline_data, speed, truth = (
                self._timeline.timeline_data_of(self.snapshot),
                self.clock.speed,
                self._show_truth,
            )
            futures = ComparisonScreen(
                self.feed, timeline_data, fork, step, speed=speed, autostart=False, show_truth=truth
            )
            self.app.push_screen(futures, self._come_back)

    def _come_back(self, back: ForkResult | None) -> None:
        """Go on where somebody left a fork of this game, or with the fork."""
        if back is None:
            return
        self._seek(back.step)
        if back.kept is not None:
            (feed, parted), truth = back.kept, self._show_truth
            kept = WatchScreen(feed, speed=self.clock.speed, autostart=False, show_truth=truth, parted=parted)
            self.app.push_screen(kept, self._come_back)

    # --- the clock ---------------------------------------------------------------------------------------------
    @property
    def _kitchens(self) -> tuple[KitchenView, ...]:
        return (self._kitchen,)

    @property
    def _feeds(self) -> tuple[PlaybackSource, ...]:
        return (self.feed,)

    def _play(self, steps: int) -> None:
        if not (self.feed.recorded or self.feed.done):
            self._stepped(play_on(self.feed, steps))

    def _begin_ahead(self) -> None:
        """Once the first picture stands, work out a recording in small slices, so that one can go anywhere in it."""
        if self.feed.recorded and not self.feed.done:
            self._work_ahead()

    def _work_ahead(self) -> None:
        """Work out some more of a recording, beyond what is shown, and go on after a breath."""
        problem = play_on(self.feed, AHEAD)
        self._stepped(problem)
        if problem is None and not self.feed.done:
            self.set_timer(BREATH, self._work_ahead)

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_kitchens(self, slide: float = 0.0) -> None:
        self._kitchen.show_snapshot(self.snapshot, slide)

    def _show_panels(self) -> None:
        self._stale = False
        snapshot = self.snapshot
        self._choose_panel()
        for panel in (self._timeline, *self._side):
            panel.show_snapshot(snapshot)
        self._show_figures()
        self._show_title()

    def _show_title(self) -> None:
        self._title.show_snapshot(self.snapshot, self.status, past=self.past and not self.feed.recorded)
