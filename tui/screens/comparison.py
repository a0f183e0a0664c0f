"""The screen of two futures: the original game to the left, its fork to the right, in step under one clock."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import Footer, Static

from bba import palette
from bba.analysis.comparison import Divergence, describe_changes, fork_outcome
from bba.analysis.snapshot import EGO, Snapshot
from bba.analysis.timeline import TimelineData
from human.keymap import FUTURES_KEYS, TRAVEL_KEYS
from tui.playback.source import PlaybackSource, play_on
from tui.screens.clocked import ClockedScreen
from tui.screens.travel import ForkedGame, ForkResult
from tui.style.breakpoints import BARS, FRAME, HEIGHTS, SMALLEST, WIDTHS
from tui.style.key_bindings import bindings
from tui.widgets.comparison_panel import ComparisonPanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import line, spread
from tui.widgets.twin_timeline import NAMES, TwinTimeline

FIGURES = 6  # rows under each kitchen
PARTING = 1  # the row that says where the two part
STRIPS = 5  # rows that the kitchens leave to the timelines
FRAMED_FROM = 34  # rows of the terminal from which the boxes have frames


class ComparisonScreen(ClockedScreen):
    """Plays a game and its fork side by side; gives back where it was left, and the fork if that is kept.

    Args:
        original: the game.
        track: the original as the timeline has read it.
        fork: the fork, which has played the steps that it shares.
        step: how many these are.
        speed, autostart, show_truth: as on every screen with a clock.
    """

    BINDINGS = bindings((*TRAVEL_KEYS, *FUTURES_KEYS))
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = list(WIDTHS)  # noqa: RUF012 - typed so by Textual
    VERTICAL_BREAKPOINTS = list(HEIGHTS)  # noqa: RUF012

    def __init__(
        self,
        original: PlaybackSource,
        timeline_data: TimelineData,
        fork: PlaybackSource,
        step: int,
        *,
        speed: float,
        autostart: bool,
        show_truth: bool,
    ) -> None:
        self._twins = TwinTimeline(timeline_data, fork.trace, step)
        super().__init__(fork, speed=speed, autostart=autostart, show_truth=show_truth, timeline=self._twins)
        self._step = step
        self._pair = original, fork
        self._stuck = [False, False]  # whether the last step of each could not be played
        self._parting = Divergence(original.trace, fork.trace, step)
        self._boards = KitchenView(fork.config.layout, id="left"), KitchenView(fork.config.layout, id="right")
        self._futures = ComparisonPanel(NAMES[0], step), ComparisonPanel(NAMES[1], step)
        self._changed, self._where = Static(id="changed"), Static(id="parting")
        for board, name in zip(self._boards, NAMES, strict=True):
            board.border_title = name

    def compose(self) -> ComposeResult:
        """What was changed, two kitchens over their figures, where they part, the timelines, keys."""
        yield self._changed
        with Vertical(id="room"):
            with Horizontal(id="futures"):
                for board, future in zip(self._boards, self._futures, strict=True):
                    with Vertical(classes="future"):
                        yield board
                        yield future
            yield self._where
            yield self._twins
        yield Static(id="too-small")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show where the two part, and set the clock going."""
        self._begin()

    def on_resize(self, event: events.Resize) -> None:
        """Fit both kitchens into half the width each, above the figures and the timelines."""
        size = event.size
        framed = size.height >= FRAMED_FROM
        self.query_one("#room").set_class(not framed, "-bare")
        frame = FRAME if framed else 0
        rows = size.height - BARS - PARTING - FIGURES - STRIPS - 3 * frame
        for board in self._boards:
            board.fit(Size(size.width // 2 - frame, rows))
        self.query_one("#too-small", Static).update(
            f"needs {SMALLEST[0]}x{SMALLEST[1]}, has {size.width}x{size.height}"
        )
        self.call_after_refresh(self._show_panels)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_restart(self) -> None:
        """Go to where the two part."""
        self._seek(self._step)

    def action_back(self) -> None:
        """Leave the fork for the original."""
        self.dismiss(ForkResult(self.snapshot.step))

    def action_keep(self) -> None:
        """Watch the fork alone from now on."""
        self._pause()
        self.dismiss(ForkResult(self.snapshot.step, ForkedGame(self._pair[1], self._step)))

    # --- the two -----------------------------------------------------------------------------------------------
    @property
    def newest(self) -> int:
        """How many steps both have; those of the one that goes on, where the other does not."""
        steps = [len(feed.trace.ticks) for feed in self._pair]
        over = [feed.done or stuck for feed, stuck in zip(self._pair, self._stuck, strict=True)]
        return min((played for played, ended in zip(steps, over, strict=True) if not ended), default=max(steps))

    @property
    def snapshot(self) -> Snapshot:
        """The moment that is shown; of the longer game, where the other is over."""
        return max(self._snapshots, key=lambda snapshot: snapshot.step)

    @property
    def _snapshots(self) -> tuple[Snapshot, Snapshot]:
        """What is shown of the original and of the fork: the same step, or the last of the one that is over."""
        step = self._playhead.step(self.newest)
        first, second = (feed.trace for feed in self._pair)
        return (
            Snapshot(first, min(step, len(first.ticks)), self._show_truth),
            Snapshot(second, min(step, len(second.ticks)), self._show_truth),
        )

    @property
    def _feeds(self) -> tuple[PlaybackSource, ...]:
        return self._pair

    @property
    def _kitchens(self) -> tuple[KitchenView, ...]:
        return self._boards

    def _play(self, steps: int) -> None:
        """Play both on; what was recorded of the original is as long as it is."""
        until, problems = self.newest + steps, list[str | None]()
        for number, feed in enumerate(self._pair):
            missing = until - len(feed.trace.ticks)
            if missing > 0 and not (feed.done or (feed.recorded and self._stuck[number])):
                problems.append(play_on(feed, missing))
                self._stuck[number] = problems[-1] is not None
        if problems:
            self._stepped(next((problem for problem in problems if problem), None))

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_kitchens(self, slide: float = 0.0) -> None:
        for board, snapshot in zip(self._boards, self._snapshots, strict=True):
            board.show_snapshot(snapshot, slide)

    def _show_panels(self) -> None:
        self._stale = False
        self._parting.extend()
        moments = self._snapshots
        outcomes = [fork_outcome(snapshot.trace, snapshot.step, self._step) for snapshot in moments]
        for panel, snapshot, own, other in zip(self._futures, moments, outcomes, outcomes[::-1], strict=True):
            panel.show_outcome(snapshot, own, other)
        self._twins.show_snapshots(*moments)
        self._show_title()

    def _show_title(self) -> None:
        step, width = self.snapshot.step, self.size.width
        before, after = (feed.trace.config_at(self._step + 1).seats[EGO] for feed in self._pair)
        what = line((" what if ", f"bold {palette.GOOD}"), (describe_changes(before, after), f"bold {palette.TEXT}"))
        self._changed.update(spread(what, line(f" {self.status} "), width))
        where = line((f" step {step}", f"bold {palette.TEXT}"), (f", parted at {self._step}", palette.DIM))
        self._where.update(spread(where, line((f" {self._parting} ", palette.TEXT)), width))
