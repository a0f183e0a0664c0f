"""Time travel: the keys and the mouse that lead to any step of a game, while the game itself stays where it is."""

from typing import NamedTuple

from textual import on
from textual.screen import Screen

from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TRUTHS, TimelineMark
from tui.playback.playhead import Playhead
from tui.playback.source import PlaybackSource
from tui.widgets.timeline import Timeline

LEAP = 20  # steps of a longer leap


class ForkedGame(NamedTuple):
    """A game that left another one, and how many steps the two share."""

    feed: PlaybackSource
    parted: int


class ForkResult(NamedTuple):
    """How somebody comes back from a fork: at which step, and with the fork itself, if it is to be watched alone."""

    step: int
    kept: ForkedGame | None = None


class TravelScreen(Screen[ForkResult]):
    """A screen on a game that shows any of its steps; what plays and what shows it is its heirs' part.

    Args:
        feed: the game.
        show_truth: whether what only the trace knows of the partner is shown.
        timeline: where the game is shown as a whole; None for a fresh one.
    """

    def __init__(self, feed: PlaybackSource, *, show_truth: bool, timeline: Timeline | None = None) -> None:
        super().__init__()
        self.feed = feed
        self._show_truth = show_truth
        self._timeline = timeline or Timeline()
        self._playhead = Playhead(follows=not feed.recorded)
        self._playhead.rewind()

    def _pause(self) -> None:
        """Stop the clock."""
        raise NotImplementedError

    def _play_one(self) -> None:
        """Play one step of the game."""
        raise NotImplementedError

    def _show_all(self) -> None:
        """Show the moment in all that is on the screen."""
        raise NotImplementedError

    @property
    def snapshot(self) -> Snapshot:
        """The moment that is shown: the newest, or the one that somebody went to."""
        trace = self.feed.trace
        return Snapshot(trace, self._playhead.step(len(trace.ticks)), self._show_truth)

    @property
    def newest(self) -> int:
        """How many steps there are to be shown."""
        return len(self.feed.trace.ticks)

    @property
    def past(self) -> bool:
        """Whether an earlier step than the newest is shown."""
        return self.snapshot.step < self.newest

    # --- keys --------------------------------------------------------------------------------------------------
    def action_step(self) -> None:
        """Go one step forward and pause; at the newest, play one."""
        if self.past or self.feed.recorded:
            self._seek(self.snapshot.step + 1)
        else:
            self._pause()
            self._play_one()

    def action_step_back(self) -> None:
        """Go one step back."""
        self._seek(self.snapshot.step - 1)

    def action_leap(self) -> None:
        """Go many steps forward."""
        self._seek(self.snapshot.step + LEAP)

    def action_leap_back(self) -> None:
        """Go many steps back."""
        self._seek(self.snapshot.step - LEAP)

    def action_first(self) -> None:
        """Go to the start."""
        self._seek(0)

    def action_newest(self) -> None:
        """Go to the newest step and stay with it."""
        self._playhead.release()
        self._show_all()

    def action_next_replan(self) -> None:
        """Go to the next replan, if there is one."""
        self._seek_mark(TimelineMark.REPLAN, forward=True)

    def action_previous_replan(self) -> None:
        """Go to the replan before, if there is one."""
        self._seek_mark(TimelineMark.REPLAN, forward=False)

    def action_next_contradiction(self) -> None:
        """Go to the next contradiction, if there is one."""
        self._seek_mark(TimelineMark.CONTRADICTION, forward=True)

    def action_previous_contradiction(self) -> None:
        """Go to the contradiction before, if there is one."""
        self._seek_mark(TimelineMark.CONTRADICTION, forward=False)

    def action_next_delivery(self) -> None:
        """Go to the next delivery, if there is one."""
        self._seek_mark(TimelineMark.DELIVERY, forward=True)

    def action_previous_delivery(self) -> None:
        """Go to the delivery before, if there is one."""
        self._seek_mark(TimelineMark.DELIVERY, forward=False)

    def action_next_gap(self) -> None:
        """Go to the next gap between belief and action, if there is one."""
        self._seek_mark(TimelineMark.GAP, forward=True)

    def action_previous_gap(self) -> None:
        """Go to the gap before, if there is one."""
        self._seek_mark(TimelineMark.GAP, forward=False)

    def action_zoom_in(self) -> None:
        """Show fewer steps on the timeline."""
        self._timeline.zoom(inward=True)

    def action_zoom_out(self) -> None:
        """Show more steps on the timeline."""
        self._timeline.zoom(inward=False)

    # --- the place in time -------------------------------------------------------------------------------------
    @on(Timeline.Sought)
    def go(self, sought: Timeline.Sought) -> None:
        """Go to the step on the timeline that somebody pointed at."""
        self._seek(sought.step)

    def _seek(self, step: int) -> None:
        """Pause and show this step; the game stays where it is."""
        self._pause()
        self._playhead.seek(step, self.newest)
        self._show_all()

    def _seek_mark(self, mark: TimelineMark, *, forward: bool) -> None:
        """Go to the nearest such mark that can be shown; to none where it would tell what is hidden."""
        snapshot = self.snapshot
        step = self._timeline.nearest(mark, snapshot, forward=forward)
        if step is not None and step <= self.newest and (snapshot.truth or mark not in TRUTHS):
            self._seek(step)
