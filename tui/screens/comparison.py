"""The screen that compares two futures: the original game to the left, its fork to the right, under one clock."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import Static

from bba import palette
from bba.analysis.comparison import Divergence, describe_changes, fork_outcome
from bba.analysis.differences import Differences
from bba.analysis.timeline import TimelineData
from bba.play.trace import EGO
from human.keymap import COMPARISON_KEYS, TRAVEL_KEYS
from tui.playback.source import PlaybackSource
from tui.screens.playback import ForkedGame, ForkResult, PlaybackScreen
from tui.style.base_app import bindings
from tui.style.base_screen import BARS, FRAME
from tui.widgets.comparison_panel import ComparisonPanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.model_words import GameCost
from tui.widgets.panel import line, spread
from tui.widgets.twin_timeline import NAMES, TwinTimeline

PANEL = 6  # rows of the panel under each kitchen
DIVERGENCE = 1  # rows of the line that says where the two games part
TIMELINES = 5  # rows that the kitchens leave to the timelines
FRAMED_FROM = 34  # rows of the terminal from which the boxes have frames


class ComparisonScreen(PlaybackScreen):
    """Plays a game and its fork side by side; returns the step at which it was left, and the fork if that is kept.

    Args:
        original: the game.
        timeline_data: the original's timeline as far as it has been computed.
        fork: the fork, which has played the steps that it shares.
        step: how many steps the two share.
        speed, show_truth: as in `PlaybackScreen`.
    """

    BINDINGS = bindings((*TRAVEL_KEYS, *COMPARISON_KEYS))

    def __init__(
        self,
        original: PlaybackSource,
        timeline_data: TimelineData,
        fork: PlaybackSource,
        step: int,
        *,
        speed: float,
        show_truth: bool,
    ) -> None:
        layout = fork.config.layout
        boards = KitchenView(layout, id="left", explains=True), KitchenView(layout, id="right", explains=True)
        self._twins = TwinTimeline(timeline_data, fork.trace, step)
        autostart = bool(fork.changes)  # a preset plays on by itself
        super().__init__((original, fork), boards, self._twins, speed=speed, autostart=autostart, show_truth=show_truth)
        self._step = step
        self._divergence = Divergence(original.trace, fork.trace, step)
        self._differences = Differences(original.trace, fork.trace, step)
        self._awaits = autostart  # whether the clock stops at the next difference
        self._futures = ComparisonPanel(NAMES[0], step), ComparisonPanel(NAMES[1], step)
        self._cost = GameCost()  # of the fork, with the steps that it shares
        self._changed, self._where = Static(id="changed"), Static(id="parting")
        for board, name in zip(boards, NAMES, strict=True):
            board.border_title = name

    def compose(self) -> ComposeResult:
        yield self._changed
        with Vertical(id="body"):
            with Horizontal(id="futures"):
                for board, future in zip(self._kitchens, self._futures, strict=True):
                    yield Vertical(board, future, classes="future")
            yield self._where
            yield self._twins
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._start()

    def on_resize(self, event: events.Resize) -> None:
        """Fits each kitchen into half the width, above the panels and the timelines."""
        size = event.size
        framed = size.height >= FRAMED_FROM
        self.query_one("#body").set_class(not framed, "-bare")
        frame = FRAME if framed else 0
        rows = size.height - BARS - DIVERGENCE - PANEL - TIMELINES - 3 * frame
        for board in self._kitchens:
            board.fit(Size(size.width // 2 - frame, rows))
        self.call_after_refresh(self._show_panels)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_restart(self) -> None:
        """Goes to the step at which the two games part."""
        self._seek(self._step)

    def action_back(self) -> None:
        self.dismiss(ForkResult(self.snapshot.step))

    def action_keep(self) -> None:
        """Leaves the comparison, to watch the fork alone."""
        self._pause()
        self.dismiss(ForkResult(self.snapshot.step, ForkedGame(self.source, self._step)))

    def action_difference(self, forward: bool) -> None:
        """Goes to the next step in which the two games differ, or to the one before; plays on if none is known yet."""
        self._differences.extend()
        step = self._differences.nearest(self.snapshot.step, forward=forward)
        if step is not None:
            self._show_difference(step)
        elif not forward or self.over:
            self.hint(f"no difference {'after' if forward else 'before'} step {self.snapshot.step}")
        else:
            self._awaits = True
            self._playhead.release()
            self._set_playing(True)

    def _show_difference(self, step: int) -> None:
        self._seek(step)
        self.hint(f"step {step}: {self._differences.describe(step)}")

    # --- the clock ---------------------------------------------------------------------------------------------
    def _on_tick(self) -> None:
        before = self.snapshot.step
        super()._on_tick()
        self._differences.extend()
        found = self._differences.nearest(before, forward=True) if self._awaits else None
        if found is not None and found <= self.snapshot.step:
            self._awaits = False
            self._show_difference(found)

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_panels(self) -> None:
        self._stale = False
        self._divergence.extend()
        self._differences.extend()
        original, fork = snapshots = self.snapshots
        outcomes = [fork_outcome(snapshot.trace, snapshot.step, self._step) for snapshot in snapshots]
        for panel, snapshot, own, other in zip(self._futures, snapshots, outcomes, outcomes[::-1], strict=True):
            panel.show_outcome(snapshot, own, other)
        self._twins.show_snapshots(original, fork)
        self._show_title()

    def _show_title(self) -> None:
        step, width = self.snapshot.step, self.size.width
        before, after = (source.trace.config_at(self._step + 1).seats[EGO] for source in self.sources)
        changes = self.source.changes or describe_changes(before, after)
        what = line((" what if ", f"bold {palette.GOOD}"), (changes, f"bold {palette.TEXT}"))
        self._changed.update(spread(what, line(f" {self.status}{self._cost.words(self.snapshot)} "), width))
        where = line((f" step {step}", f"bold {palette.TEXT}"), (f", parted at {self._step}", palette.DIM))
        self._where.update(spread(where, line((f" {self._parting(step)} ", palette.TEXT)), width))

    def _parting(self, step: int) -> str:
        """Returns what differs in a step, else how far the two games have gone the same way."""
        if step in self._differences.steps:
            return self._differences.describe(step)
        named = zip(NAMES, self.snapshots, strict=True)
        ended = (f"; {name} ends at step {shown.step}" for name, shown in named if shown.step < step)
        return str(self._divergence) + "".join(ended)
