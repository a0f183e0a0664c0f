"""Which screen follows which: what the app begins with, and what screens ask it for.

How a person's games begin and end: after an offer of Learn to newcomers, and with a debrief.

What the kitchen designer asks the app for: to be opened, to play or watch in its kitchen, and to be left.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import work

from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineMark
from bba.errors import BBAError
from bba.play import Trace
from human.keymap import DEFAULT, Keymap
from human.session import Session, keep_watched
from tui.app.navigation import is_a
from tui.config import AppState
from tui.game_factory import SessionRequest
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.screens.watch import WatchScreen
from tui.style.base_app import BaseApp

if TYPE_CHECKING:
    from bba.bench.results_reader import Results
    from tui.design.screen import DesignScreen
    from tui.results.browser import BrowserScreen
    from tui.results.recordings_screen import RecordingsScreen
    from tui.screens.debrief import DebriefScreen
    from tui.screens.play import PlayScreen
    from tui.screens.start import StartScreen


class PlayRoutes(BaseApp):
    """Begins games and Learn, and follows the messages of their screens, each on its own screen only."""

    session: Session | None
    _request: SessionRequest | None
    _state: AppState
    _best: BestScores
    _tour: bool
    _show_belief: bool
    _bell: bool

    @abstractmethod
    def _start_screen(self) -> "StartScreen":
        """Returns a start screen that remembers what was chosen last."""

    def on_play_screen_game_over(self, message: "PlayScreen.GameOver") -> None:
        from tui.screens.debrief import DebriefScreen

        if is_a(self.screen, "PlayScreen"):
            self.switch_screen(DebriefScreen(message.session, message.speed, self._best))

    def on_debrief_screen_play_again(self) -> None:
        if self._request is not None and is_a(self.screen, "DebriefScreen"):
            self.pop_screen()
            self._play(self._request)

    def _play(self, request: SessionRequest, session: Session | None = None) -> None:
        """Begins a session, after a newcomer was offered Learn."""
        in_window = session is not None and session.window is not None
        if self._tour and not in_window and not self.is_web and not self._state.offered("taught"):
            self._state.note(taught=True)
            self._offer_lesson(request, session)
        else:
            self._begin(request, session)

    def _offer_lesson(self, request: SessionRequest, session: Session | None) -> None:
        """Asks a newcomer whether to begin with Learn; otherwise the session begins."""

        def answer(wanted: bool | None) -> None:
            if wanted:
                self._learn()
            else:
                self._begin(request, session)

        from tui.learn.lesson import offer

        self.push_screen(offer(), answer)

    def _begin(self, request: SessionRequest, session: Session | None = None) -> None:
        """Begins a session and shows it, or says why it cannot begin."""
        from tui.screens.play import PlayScreen

        try:
            self._request, self.session = request, session or request.make(self.keymap)
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        else:
            self.push_screen(
                PlayScreen(
                    self.session,
                    speed=request.speed,
                    show_belief=self._show_belief,
                    motion=self.motion,
                    bell=self._bell,
                )
            )

    @work
    async def _learn(self) -> None:
        """Leads through Learn, then to a game or to the start screen."""
        from tui.learn.lesson import learn, own_game

        self._state.note(taught=True)
        wanted = False
        try:
            wanted = await learn(self, self.keymap, motion=self.motion)
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        if wanted:
            self._begin(own_game())
        elif not is_a(self.screen, "StartScreen"):
            self.push_screen(self._start_screen())


class DesignRoutes(PlayRoutes):
    """Opens the designer and follows its messages, each on its own screen only."""

    @abstractmethod
    def _watch_screen(self, source: PlaybackSource, speed: float) -> WatchScreen:
        """Returns a screen that shows a game, as the app was asked to show games."""

    @abstractmethod
    def action_to_start(self) -> None:
        """Leads to the start screen."""

    def on_start_screen_design_requested(self, message: "StartScreen.DesignRequested") -> None:
        from tui.design.draft import Draft
        from tui.design.kitchen_file import KitchenFile
        from tui.design.screen import DesignScreen

        if is_a(self.screen, "StartScreen"):
            kitchen = KitchenFile(Draft.of(message.layout), message.layout.name)
            self.push_screen(DesignScreen(kitchen, None, self._state.recall()))

    def on_design_screen_play_here(self, message: "DesignScreen.PlayHere") -> None:
        if is_a(self.screen, "DesignScreen"):
            self._play(message.request)

    def on_design_screen_watch_here(self, message: "DesignScreen.WatchHere") -> None:
        if is_a(self.screen, "DesignScreen"):
            self.push_screen(self._watch_screen(message.source, message.speed))

    def on_design_screen_saved(self, message: "DesignScreen.Saved") -> None:
        from tui.screens.start import StartScreen

        for screen in self.screen_stack:
            if isinstance(screen, StartScreen):
                screen.offer_kitchen(message.path)

    def on_design_screen_leave_requested(self) -> None:
        if is_a(self.screen, "DesignScreen"):
            self.action_to_start()


START_SPEED = 10.0  # steps a second by default


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
        asked: what the start screen shows in the place of the values that it remembers, by setting.
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
        results: "Results | None" = None,
        browser: "BrowserScreen[Any, Any, Any] | DesignScreen | None" = None,
        learn: bool = False,
        show_belief: bool = False,
        bell: bool = False,
        speed: float | None = None,
        asked: Mapping[str, Any] | None = None,
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
        self._asked = {**(asked or {}), **({} if speed is None else {"speed": speed})}
        self._state = state or AppState()
        self._tour, self._pause_on = tour, frozenset(pause_on)
        self._best = BestScores(state.path.with_name("best.json") if state else None)
        self._keeps, self.kept = state is not None, list[Path]()  # the games that were watched, and their files
        self._learns, self._bell = learn, bell
        self.session = session
        self._request, self._show_belief, self._results, self._browser = request, show_belief, results, browser
        self.game_screen = self._watch_screen(source, speed or START_SPEED) if source is not None else None

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
        from tui.results.screens import USUAL, ResultFoldersScreen

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
        from tui.results.recordings_screen import last_games
        from tui.screens.start import StartScreen

        return StartScreen(self._state, self._asked, last_games)

    def _show_results(self, results: "Results") -> None:
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
            keep=self._keep_watched if self._keeps and not self.is_web else None,
        )

    def _keep_watched(self, trace: Trace) -> None:
        """Keeps a game that was watched among the recordings, and says so."""
        try:
            self.kept.append(keep_watched(trace))
        except BBAError as error:
            self.notify(f"The game is not kept: {error}", severity="error", markup=False)
        else:
            self.notify("kept among the recordings", markup=False)

    def _show_tour(self) -> None:
        """Shows the tour over a live game, the first time that anybody watches one."""
        screen = self.game_screen
        if self._tour and screen is not None and not screen.source.recorded and not self._state.offered("toured"):
            screen.call_after_refresh(screen.action_tour)
            self._state.note(toured=True)
