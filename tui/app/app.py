"""The main app: which screen is shown, and the keys that count on every screen."""

from typing import Any

from textual import work
from textual.command import CommandPalette
from textual.screen import ModalScreen
from textual.widgets import Input

from bba.errors import BBAError
from human.keymap import APP_KEYS, BACK_KEYS, DEFAULT, MENU_KEYS, TYPING_KEYS, Keymap
from human.session import Session
from tui.app.command_palette import CommandProvider
from tui.app.learning import learn, offer, own_game
from tui.app.navigation import situation, way_out
from tui.config import AppState
from tui.export.dialog import ask_and_export
from tui.game_factory import SessionRequest
from tui.playback.source import PlaybackSource
from tui.results.browser import BrowserScreen
from tui.results.folders_screen import ResultFoldersScreen
from tui.results.recordings_screen import RecordingsScreen
from tui.results.rows import OpenResults
from tui.results.screens import USUAL, ResultsScreen
from tui.screens.debrief import DebriefScreen
from tui.screens.help import HelpScreen
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.style.base_app import BUTTON_KEYS, PALETTES, BaseApp, bindings

SPEED = 10.0  # steps a second by default


class BBAApp(BaseApp, inherit_bindings=False):
    """Shows a game to watch, a game to play, recordings or results; the start screen asks if none of them is given.

    Args:
        source: the game to watch.
        request: what people play.
        session: the first session of `request`; None to begin one.
        results: the results to browse.
        browser: a list of recordings or results to browse.
        learn: whether to begin with Learn.
        show_belief: whether people who play see at first what the agent believes.
        motion: whether things move on the screen that could also stand still.
        bell: whether the terminal's bell rings when something happens to people who play.
        speed: steps a second at first; None for 10, or for the value that the start screen remembers.
        autostart: whether the clock runs from the start.
        show_truth: whether the partner's true skill and role are shown at first.
        theme: "dark", "light" or "contrast" at first.
        keymap: the keys of every action.
        state: what is remembered between starts; None for the platform's configuration folder.
        tour: whether newcomers get the tour when they watch, and the offer of Learn before they play.
    """

    COMMANDS = {CommandProvider}  # noqa: RUF012 - typed so by Textual
    BINDINGS = [*BUTTON_KEYS, *bindings((*MENU_KEYS, *BACK_KEYS, *APP_KEYS, *TYPING_KEYS))]  # noqa: RUF012 - typed so by Textual

    def __init__(
        self,
        source: PlaybackSource | None = None,
        *,
        request: SessionRequest | None = None,
        session: Session | None = None,
        results: OpenResults | None = None,
        browser: BrowserScreen[Any] | None = None,
        learn: bool = False,
        show_belief: bool = False,
        motion: bool = True,
        bell: bool = False,
        speed: float | None = None,
        autostart: bool = True,
        show_truth: bool = True,
        theme: str = "dark",
        keymap: Keymap = DEFAULT,
        state: AppState | None = None,
        tour: bool = False,
    ) -> None:
        super().__init__(theme=theme, keymap=keymap)
        self._autostart, self._show_truth = autostart, show_truth
        self._first_speed = speed
        self._state = state or AppState()
        self._tour = tour
        self._learns, self._motion, self._bell = learn, motion, bell
        self.session = session
        self._request, self._show_belief, self._results, self._browser = request, show_belief, results, browser
        self.game_screen = self._watch_screen(source, speed or SPEED) if source is not None else None

    def on_mount(self) -> None:
        self.apply_theme_and_keys()
        if self._request is not None:
            self._play(self._request, self.session)
        elif self._learns:
            self._learn()
        elif self._results is not None:
            self.push_screen(ResultsScreen(self._results))
        else:
            self.push_screen(self.game_screen or self._browser or StartScreen(self._state, self._first_speed))
        self._show_tour()

    # --- what screens ask for ----------------------------------------------------------------------------------
    # A key may be pressed twice before its first message arrives, so the messages count on their own screen only.
    def on_start_screen_watch_requested(self, message: StartScreen.WatchRequested) -> None:
        if isinstance(self.screen, StartScreen):
            self.game_screen = self._watch_screen(message.source, message.speed)
            self.push_screen(self.game_screen)
            self._show_tour()

    def on_start_screen_play_requested(self, message: StartScreen.PlayRequested) -> None:
        if isinstance(self.screen, StartScreen):
            self._play(message.request)

    def on_start_screen_learn_requested(self) -> None:
        if isinstance(self.screen, StartScreen):
            self._learn()

    def on_start_screen_results_requested(self) -> None:
        if isinstance(self.screen, StartScreen):
            self.push_screen(ResultFoldersScreen(USUAL))

    def on_start_screen_recordings_requested(self, message: StartScreen.RecordingsRequested) -> None:
        if isinstance(self.screen, StartScreen):
            self.push_screen(RecordingsScreen(message.speed))

    def on_recordings_screen_recording_chosen(self, message: RecordingsScreen.RecordingChosen) -> None:
        if isinstance(self.screen, RecordingsScreen):
            self.game_screen = self._watch_screen(message.source, message.speed)
            self.push_screen(self.game_screen)

    def on_recordings_screen_recording_export(self, message: RecordingsScreen.RecordingExport) -> None:
        if isinstance(self.screen, RecordingsScreen):
            ask_and_export(self, message.snapshot)

    def on_watch_screen_export_requested(self, message: WatchScreen.ExportRequested) -> None:
        if isinstance(self.screen, WatchScreen):
            ask_and_export(self, message.snapshot)

    def on_play_screen_game_over(self, message: PlayScreen.GameOver) -> None:
        if isinstance(self.screen, PlayScreen):
            self.switch_screen(DebriefScreen(message.session, message.speed))

    def on_debrief_screen_review_requested(self, message: DebriefScreen.ReviewRequested) -> None:
        self.push_screen(WatchScreen(message.source, autostart=False, at=message.step))

    def on_debrief_screen_play_again(self) -> None:
        if self._request is not None and isinstance(self.screen, DebriefScreen):
            self.pop_screen()
            self._play(self._request)

    def _watch_screen(self, source: PlaybackSource, speed: float) -> WatchScreen:
        return WatchScreen(source, speed=speed, autostart=self._autostart, show_truth=self._show_truth)

    def _show_tour(self) -> None:
        """Shows the tour over a live game, the first time that anybody watches one."""
        screen = self.game_screen
        if self._tour and screen is not None and not screen.source.recorded and self._state.first_time():
            screen.call_after_refresh(screen.action_tour)
            self._state.keep_toured()

    def _play(self, request: SessionRequest, session: Session | None = None) -> None:
        """Begins a session, after a newcomer was offered Learn."""
        in_window = session is not None and session.window is not None
        if self._tour and not in_window and not self.is_web and self._state.first_game():
            self._state.keep_taught()
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

        self.push_screen(offer(), answer)

    def _begin(self, request: SessionRequest, session: Session | None = None) -> None:
        """Begins a session and shows it, or says why it cannot begin."""
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
                    motion=self._motion,
                    bell=self._bell,
                )
            )

    @work
    async def _learn(self) -> None:
        """Leads through Learn, then to a game or to the start screen."""
        self._state.keep_taught()
        wanted = False
        try:
            wanted = await learn(self, self.keymap, motion=self._motion)
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        if wanted:
            self._begin(own_game())
        elif not isinstance(self.screen, StartScreen):
            self.push_screen(StartScreen(self._state, self._first_speed))

    # --- keys --------------------------------------------------------------------------------------------------
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Letters belong to a field that takes them; the way back needs a screen to go back to.
        match action:
            case "help" | "quit" | "next_theme":
                return not isinstance(self.focused, Input)
            case "leave":
                return isinstance(self.focused, Input)
            case "to_start" | "go_back":
                return way_out(self.screen_stack, is_web=self.is_web) == action
        return super().check_action(action, parameters)

    def action_to_start(self) -> None:
        """Leads to the start screen, also where the command line has named a game and passed it over."""
        if isinstance(self.screen_stack[-2], StartScreen):
            self.pop_screen()
        else:
            self.switch_screen(StartScreen(self._state, self._first_speed))

    def action_go_back(self) -> None:
        self.pop_screen()

    async def action_quit(self) -> None:
        """Closes the layer on top; asks whether to end a running game, which leads to its debrief; else leaves."""
        screen = self.screen
        if isinstance(screen, ModalScreen):
            screen.dismiss()
        elif isinstance(screen, PlayScreen) and not screen.session.over:
            screen.action_surrender()
        else:
            self.exit()

    async def action_leave(self) -> None:
        await self.action_quit()

    def action_help(self) -> None:
        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        else:
            self.push_screen(HelpScreen(self.keymap, situation(self.screen_stack)))

    def action_next_theme(self) -> None:
        names = list(PALETTES)
        self.choose_theme((names * 2)[names.index(self.theme) + 1])

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            numbered = ", or the number of a step" if isinstance(self.screen, WatchScreen) else ""
            self.push_screen(CommandPalette(placeholder=f"what to do{numbered}"))

    def choose_theme(self, name: str) -> None:
        """Changes the theme, now and at the next start."""
        super().choose_theme(name)
        self._state.keep_theme(name)
