"""The app: its theme, its keys, and which screen is on."""

from pathlib import Path

from textual.binding import Binding
from textual.command import CommandPalette
from textual.widgets import Input

from bba.errors import BBAError
from human.keymap import APP_KEYS, BACK_KEYS, DEFAULT, TYPING_KEYS, Keymap
from human.session import Session
from tui.app.command_palette import CommandProvider
from tui.config.state import AppState
from tui.game_factory import SessionRequest
from tui.playback.source import PlaybackSource
from tui.results.rows import OpenResults
from tui.results.sweeps import ResultsScreen
from tui.results.table_screen import TableScreen
from tui.screens.debrief import DebriefScreen
from tui.screens.help import HelpScreen
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.style.base_app import BaseApp
from tui.style.key_bindings import bindings, shown
from tui.style.themes import PALETTES

SPEED = 10.0  # steps a second, where nothing says otherwise


class BBAApp(BaseApp, inherit_bindings=False):
    """Watches a game; without one, asks first what to play.

    Args:
        feed: the game, played or played back, to be watched.
        match: what people play; without it and without a feed the start screen asks.
        session: its first session; None to begin one.
        results: what is browsed instead of a game.
        mind: whether people see at first what the agent believes.
        speed: steps a second to begin with; None for 10, or for those that the start screen remembers.
        autostart: whether the clock runs from the start; tests step by themselves.
        show_truth: whether the partner's true skill and role are shown at first.
        theme: "dark", "light" or "contrast" to begin with.
        keymap: the keys of every action.
        memory: what is remembered; by default what the platform's configuration folder holds.
        tour: whether whoever plays for the first time is shown around.
    """

    CSS_PATH = Path(__file__).parents[1] / "style" / "bba.tcss"
    TITLE = "bba-tui"
    COMMANDS = {CommandProvider}  # noqa: RUF012 - typed so by Textual
    BINDINGS = bindings((*BACK_KEYS, *APP_KEYS, *TYPING_KEYS))

    def __init__(
        self,
        feed: PlaybackSource | None = None,
        *,
        match: SessionRequest | None = None,
        session: Session | None = None,
        results: OpenResults | None = None,
        mind: bool = False,
        speed: float | None = None,
        autostart: bool = True,
        show_truth: bool = True,
        theme: str = "dark",
        keymap: Keymap = DEFAULT,
        memory: AppState | None = None,
        tour: bool = False,
    ) -> None:
        super().__init__(theme=theme, keymap=keymap)
        self._autostart, self._show_truth = autostart, show_truth
        self._first_speed = speed
        self._memory = memory or AppState()
        self._tour = tour
        self.session = session
        self._match, self._mind, self._results = match, mind, results
        self.game_screen = self._screen_of(feed, speed or SPEED) if feed is not None else None

    def on_mount(self) -> None:
        """Take theme and keys, and begin."""
        self.dress()
        if self._match is not None:
            self._play(self._match, self.session)
        elif self._results is not None:
            self.push_screen(ResultsScreen(self._results))
        else:
            self.push_screen(self.game_screen or StartScreen(self._memory, self._first_speed))
        self._greet()

    def on_start_screen_ready(self, message: StartScreen.Ready) -> None:
        """Watch what was chosen; once, however quickly the key was pressed again."""
        if isinstance(self.screen, StartScreen):
            self.game_screen = self._screen_of(message.feed, message.speed)
            self.push_screen(self.game_screen)
            self._greet()

    def _greet(self) -> None:
        """Show the first game's watcher around, once for ever."""
        screen = self.game_screen
        if self._tour and screen is not None and not screen.feed.recorded and self._memory.first_time():
            screen.call_after_refresh(screen.action_tour)
            self._memory.keep_toured()

    def on_start_screen_match(self, message: StartScreen.Match) -> None:
        """Let people play what was chosen."""
        if isinstance(self.screen, StartScreen):
            self._play(message.match)

    def on_play_screen_over(self, message: PlayScreen.Over) -> None:
        """Look back on the game."""
        if isinstance(self.screen, PlayScreen):
            self.switch_screen(DebriefScreen(message.session))

    def on_debrief_screen_visit(self, message: DebriefScreen.Visit) -> None:
        """Show a moment of the game that was played."""
        self.push_screen(WatchScreen(message.feed, autostart=False, at=message.step))

    def on_debrief_screen_again(self) -> None:
        """Play the same once more."""
        if self._match is not None and isinstance(self.screen, DebriefScreen):
            self.pop_screen()
            self._play(self._match)

    def _play(self, match: SessionRequest, session: Session | None = None) -> None:
        """Begin a session, if that can be, and play it."""
        try:
            self._match, self.session = match, session or match.make(self.keymap)
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        else:
            self.push_screen(PlayScreen(self.session, speed=match.speed, mind=self._mind))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys count: letters belong to a field that takes them; the way back needs a start screen below."""
        match action:
            case "help" | "quit" | "next_theme":
                return not isinstance(self.focused, Input)
            case "leave":
                return isinstance(self.focused, Input)
            case "to_start":
                return self._can_go_back()
        return super().check_action(action, parameters)

    def _can_go_back(self) -> bool:
        """Whether escape leads to the screen below: nothing else on this one wants it, and there is such a screen."""
        if isinstance(self.screen, WatchScreen) and (self.screen.pointing or self.screen.tuning):
            return False
        if isinstance(self.screen, TableScreen) and isinstance(self.focused, Input):
            return False
        leaves = isinstance(self.screen, WatchScreen | DebriefScreen | TableScreen)
        return leaves and isinstance(self.screen_stack[-2], StartScreen | DebriefScreen | TableScreen)

    def action_to_start(self) -> None:
        """Leave the game for the screen that led to it."""
        self.pop_screen()

    def action_leave(self) -> None:
        """End the app."""
        self.exit()

    def action_help(self) -> None:
        """Open the help, or close it."""
        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        else:
            self.push_screen(HelpScreen(self.keymap))

    def action_next_theme(self) -> None:
        """Take the next theme."""
        names = list(PALETTES)
        self.wear((names * 2)[names.index(self.theme) + 1])

    def action_command_palette(self) -> None:
        """Open the command palette."""
        if not isinstance(self.screen, CommandPalette):
            numbered = ", or the number of a step" if isinstance(self.screen, WatchScreen) else ""
            self.push_screen(CommandPalette(placeholder=f"what to do{numbered}"))

    def wear(self, name: str) -> None:
        """Take this theme, and the next time too."""
        self.theme = name
        self._memory.keep_theme(name)

    def get_key_display(self, binding: Binding) -> str:
        """How the footer writes a key; of those that do the same, the first."""
        keys = self.keymap.get(binding.id or "", (binding.key,))
        return shown(keys[0])

    def _screen_of(self, feed: PlaybackSource, speed: float) -> WatchScreen:
        return WatchScreen(feed, speed=speed, autostart=self._autostart, show_truth=self._show_truth)
