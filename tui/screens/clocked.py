"""The clock of a screen on a game: it plays on, or stands still, at a speed that keys change."""

from textual.timer import Timer

from bba.analysis.snapshot import Snapshot
from tui.playback.clock import Clock
from tui.playback.source import PlaybackSource
from tui.screens.travel import TravelScreen
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.timeline import Timeline

PANEL_RATE = 5.0  # panels are drawn so often a second at most: they cost more than the kitchen


class ClockedScreen(TravelScreen):
    """A screen on a game that a clock plays; what plays it, and what is shown beside the kitchen, is its heirs' part.

    Args:
        feed, show_truth, timeline: as in `TravelScreen`.
        speed: steps a second.
        autostart: whether the clock runs from the start.
    """

    def __init__(
        self, feed: PlaybackSource, *, speed: float, autostart: bool, show_truth: bool, timeline: Timeline | None = None
    ) -> None:
        super().__init__(feed, show_truth=show_truth, timeline=timeline)
        self.playing = autostart
        self.clock = Clock(speed)
        self._beat: Timer | None = None
        self._stale = False

    @property
    def _kitchens(self) -> tuple[KitchenView, ...]:
        """Every board on the screen."""
        raise NotImplementedError

    @property
    def _feeds(self) -> tuple[PlaybackSource, ...]:
        """Every game on the screen."""
        raise NotImplementedError

    @property
    def _snapshots(self) -> tuple[Snapshot, ...]:
        """What is shown of each of them."""
        return (self.snapshot,)

    def _play(self, steps: int) -> None:
        """Play so many steps beyond the newest, if there are any, and then call `_stepped`."""
        raise NotImplementedError

    def _show_kitchens(self, slide: float = 0.0) -> None:
        """Show the moment on the boards; cooks slide for so many seconds."""
        raise NotImplementedError

    def _show_panels(self) -> None:
        """Show the moment in everything else, which is then no longer stale."""
        raise NotImplementedError

    def _show_title(self) -> None:
        """Say how the game stands."""
        raise NotImplementedError

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

    def action_truth(self) -> None:
        """Show or hide what only the trace knows."""
        self._show_truth = not self._show_truth
        self._show_all()

    def action_plan(self) -> None:
        """Show or hide where the cooks mean to go."""
        for kitchen in self._kitchens:
            kitchen.toggle_plan()

    # --- the clock ---------------------------------------------------------------------------------------------
    def _begin(self) -> None:
        """Show the moment and set the clock going; for when the screen is mounted."""
        self._show_kitchens()
        self.set_interval(1 / PANEL_RATE, self._refresh_stale)
        self._set_playing(self.playing)
        self.call_after_refresh(self._show_panels)

    def _pause(self) -> None:
        self._set_playing(False)

    def _play_one(self) -> None:
        self._play(1)

    def _set_playing(self, playing: bool) -> None:
        """Let the clock run at its speed, or stop it."""
        self.playing = playing
        if self._beat is not None:
            self._beat.stop()
        self._beat = self.set_interval(self.clock.beat, self._on_beat) if playing else None
        for kitchen in self._kitchens:
            kitchen.play(playing)
        self._show_title()

    def _on_beat(self) -> None:
        """Play on; in the past and in a recording, what is already there."""
        if self.past:
            self._playhead.seek(self.snapshot.step + self.clock.steps, self.newest)
            self._show_kitchens(self.clock.slide)
            self._stale = True
        else:
            self._play(self.clock.steps)
        self._show_title()

    def _stepped(self, problem: str | None) -> None:
        """Show what steps brought: the kitchen at once, the panels too unless the clock runs; or say why none came."""
        if problem is not None:
            self._set_playing(False)
            self.notify(problem, title="The game cannot go on", severity="error", timeout=30, markup=False)
        if not self.past:
            self._show_kitchens(self.clock.slide if self.playing else 0.0)
        self._stale = True
        if not (self.playing or self.past):
            self._refresh_stale()

    def _refresh_stale(self) -> None:
        if self._stale:
            self._show_panels()

    def _show_all(self) -> None:
        self._show_kitchens()
        self._show_panels()

    @property
    def status(self) -> str:
        """How the game stands, in a word or two."""
        pace = f"{self.clock.speed:g} steps/s" if self.playing else "paused"
        mind = "thinking, " if any(snapshot.thinking for snapshot in self._snapshots) else ""
        if self.past:
            where = "" if self.feed.recorded else ", in the past"
            return f"step {self.snapshot.step} of {self.newest}{where}, {mind}{pace}"
        if all(feed.done for feed in self._feeds):
            return "finished"
        return f"{mind}{pace}" if self.playing else f"{mind}paused ({self.clock.speed:g}/s)"
