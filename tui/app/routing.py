"""Which screen follows which: what the app begins with, and what screens ask it for."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineMark
from human.keymap import DEFAULT, Keymap
from human.session import Session
from tui.app.design_routes import DesignRoutes
from tui.app.navigation import is_a
from tui.config import AppState
from tui.game_factory import SessionRequest
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.screens.watch import WatchScreen

if TYPE_CHECKING:  # every screen but the first is imported when it is asked for
    from tui.design.screen import DesignScreen
    from tui.results.browser import BrowserScreen
    from tui.results.recordings_screen import RecordingsScreen
    from tui.results.rows import OpenResults
    from tui.screens.debrief import DebriefScreen
    from tui.screens.start import StartScreen

SPEED = 10.0  # steps a second by default


class RoutingApp(DesignRoutes):
    """Shows a game to watch, a game to play, recordings or results; the start screen asks if none of them is given.

    Args:
        source: the game to watch.
        request: what people play.
        session: the first session of `request`; None to begin one.
        results: the results to browse.
        browser: a list of recordings or results to browse, or the kitchen designer.
        learn: whether to begin with Learn.
        show_belief: whether people who play see at first what the agent believes.
        bell: whether the terminal's bell rings when something happens to people who play.
        speed: steps a second at first; None for 10, or for the value that the start screen remembers.
        autostart: whether the clock runs from the start.
        show_truth: whether the partner's true skill and role are shown at first.
        theme: "dark", "light" or "contrast" at first.
        keymap: the keys of every action.
        motion: whether things may slide, flicker and flash.
        state: what is remembered between starts; None for the platform's configuration folder.
        pause_on: the events at which watching pauses.
        tour: whether newcomers get the tour when they watch, and the offer of Learn before they play.
    """

    def __init__(
        self,
        source: PlaybackSource | None = None,
        *,
        request: SessionRequest | None = None,
        session: Session | None = None,
        results: "OpenResults | None" = None,
        browser: "BrowserScreen[Any] | DesignScreen | None" = None,
        learn: bool = False,
        show_belief: bool = False,
        bell: bool = False,
        speed: float | None = None,
        autostart: bool = True,
        show_truth: bool = True,
        theme: str = "dark",
        keymap: Keymap = DEFAULT,
        motion: bool = True,
        state: AppState | None = None,
        pause_on: Iterable[TimelineMark] = (),
        tour: bool = False,
    ) -> None:
        super().__init__(theme=theme, keymap=keymap, motion=motion)
        self._autostart, self._show_truth = autostart, show_truth
        self._first_speed = speed
        self._state = state or AppState()
        self._tour, self._pause_on = tour, frozenset(pause_on)
        self._best = BestScores(state.path.with_name("best.json") if state else None)
        self._learns, self._bell = learn, bell
        self.session = session
        self._request, self._show_belief, self._results, self._browser = request, show_belief, results, browser
        self.game_screen = self._watch_screen(source, speed or SPEED) if source is not None else None

    def on_mount(self) -> None:
        self.apply_keys()
        if self._request is not None:
            self._play(self._request, self.session)
        elif self._learns:
            self._learn()
        elif self._results is not None:
            self._show_results(self._results)
        else:
            self.push_screen(self.game_screen or self._browser or self._start_screen())
        self._show_tour()

    # --- what screens ask for ----------------------------------------------------------------------------------
    # A key may be pressed twice before its first message arrives, so the messages count on their own screen only.
    def on_start_screen_watch_requested(self, message: "StartScreen.WatchRequested") -> None:
        if is_a(self.screen, "StartScreen"):
            self.game_screen = self._watch_screen(message.source, message.speed)
            self.push_screen(self.game_screen)
            self._show_tour()

    def on_start_screen_play_requested(self, message: "StartScreen.PlayRequested") -> None:
        if is_a(self.screen, "StartScreen"):
            self._play(message.request)

    def on_start_screen_learn_requested(self) -> None:
        if is_a(self.screen, "StartScreen"):
            self._learn()

    def on_start_screen_results_requested(self) -> None:
        from tui.results.folders_screen import ResultFoldersScreen
        from tui.results.screens import USUAL

        if is_a(self.screen, "StartScreen"):
            self.push_screen(ResultFoldersScreen(USUAL))

    def on_start_screen_recordings_requested(self, message: "StartScreen.RecordingsRequested") -> None:
        from tui.results.recordings_screen import RecordingsScreen

        if is_a(self.screen, "StartScreen"):
            self.push_screen(RecordingsScreen(message.speed))

    def on_recordings_screen_recording_chosen(self, message: "RecordingsScreen.RecordingChosen") -> None:
        if is_a(self.screen, "RecordingsScreen"):
            self.game_screen = self._watch_screen(message.source, message.speed)
            self.push_screen(self.game_screen)

    def on_recordings_screen_recording_export(self, message: "RecordingsScreen.RecordingExport") -> None:
        if is_a(self.screen, "RecordingsScreen"):
            self._export(message.snapshot)

    def on_watch_screen_export_requested(self, message: WatchScreen.ExportRequested) -> None:
        if is_a(self.screen, "WatchScreen"):
            self._export(message.snapshot)

    def _export(self, snapshot: Snapshot) -> None:
        from tui.export.dialog import ask_and_export

        ask_and_export(self, snapshot)

    def on_debrief_screen_review_requested(self, message: "DebriefScreen.ReviewRequested") -> None:
        self.push_screen(WatchScreen(message.source, autostart=False, at=message.step))

    def action_to_start(self) -> None:
        """Leads to the start screen, also where the command line has named a game and passed it over."""
        if is_a(self.screen_stack[-2], "StartScreen"):
            self.pop_screen()
        else:
            self.switch_screen(self._start_screen())

    def _start_screen(self) -> "StartScreen":
        from tui.results.last_games import last_games
        from tui.screens.start import StartScreen

        return StartScreen(self._state, self._first_speed, last_games)

    def _show_results(self, results: "OpenResults") -> None:
        from tui.results.screens import ResultsScreen

        self.push_screen(ResultsScreen(results))

    def _watch_screen(self, source: PlaybackSource, speed: float) -> WatchScreen:
        return WatchScreen(
            source,
            speed=speed,
            autostart=self._autostart,
            show_truth=self._show_truth,
            pause_on=self._pause_on,
            best=self._best,
        )

    def _show_tour(self) -> None:
        """Shows the tour over a live game, the first time that anybody watches one."""
        screen = self.game_screen
        if self._tour and screen is not None and not screen.source.recorded and self._state.first_time():
            screen.call_after_refresh(screen.action_tour)
            self._state.keep_toured()
