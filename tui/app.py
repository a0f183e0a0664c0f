"""The app: its theme, its keys, and which screen is on."""

from pathlib import Path

from textual.app import App
from textual.theme import Theme
from textual.widgets import Input

from human.keymap import APP_KEYS, BACK_KEYS, TYPING_KEYS
from tui import palette
from tui.bindings import bindings
from tui.feed import Feed
from tui.remembered import Memory
from tui.screens.help import HelpScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen

THEME = Theme(
    name="bba-dark",
    primary="#4a90c2",
    secondary="#3a4050",
    accent=palette.WARN,
    warning=palette.WARN,
    error=palette.BAD,
    success=palette.GOOD,
    foreground=palette.TEXT,
    background=palette.BACKGROUND,
    surface=palette.PANEL,
    panel="#1d2230",
    variables={
        "border": "#3d5a73",
        "footer-background": "#1d2230",
        "footer-key-foreground": palette.WARN,
        "footer-key-background": "#1d2230",
        "footer-description-background": "#1d2230",
    },
)


class BBAApp(App[None]):
    """Watches a game; without one, asks first what to play.

    Args:
        feed: the game, played or played back; None for the start screen.
        speed: steps a second to begin with; the start screen has its own.
        autostart: whether the clock runs from the start; tests step by themselves.
        show_truth: whether the partner's true skill and role are shown at first.
        memory: what the start screen remembers; by default what the platform's configuration folder holds.
    """

    CSS_PATH = Path(__file__).with_name("bba.tcss")
    TITLE = "bba-tui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = bindings((*BACK_KEYS, *APP_KEYS, *TYPING_KEYS))

    def __init__(
        self,
        feed: Feed | None = None,
        *,
        speed: float = 10.0,
        autostart: bool = True,
        show_truth: bool = True,
        memory: Memory | None = None,
    ) -> None:
        super().__init__()
        self._autostart, self._show_truth = autostart, show_truth
        self._memory = memory or Memory()
        self.game_screen = self._screen_of(feed, speed) if feed is not None else None

    def on_mount(self) -> None:
        """Dress, and begin."""
        self.register_theme(THEME)
        self.theme = THEME.name
        self.push_screen(self.game_screen or StartScreen(self._memory))

    def on_start_screen_ready(self, message: StartScreen.Ready) -> None:
        """Watch what was chosen; once, however quickly the key was pressed again."""
        if isinstance(self.screen, StartScreen):
            self.game_screen = self._screen_of(message.feed, message.speed)
            self.push_screen(self.game_screen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys count: letters belong to a field that takes them; the way back needs a start screen below."""
        match action:
            case "help" | "quit":
                return not isinstance(self.focused, Input)
            case "leave":
                return isinstance(self.focused, Input)
            case "to_start":
                return isinstance(self.screen, WatchScreen) and isinstance(self.screen_stack[-2], StartScreen)
        return super().check_action(action, parameters)

    def action_to_start(self) -> None:
        """Leave the game for the start screen."""
        self.pop_screen()

    def action_leave(self) -> None:
        """End the app."""
        self.exit()

    def action_help(self) -> None:
        """Open the help, or close it."""
        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        else:
            self.push_screen(HelpScreen())

    def _screen_of(self, feed: Feed, speed: float) -> WatchScreen:
        return WatchScreen(feed, speed=speed, autostart=self._autostart, show_truth=self._show_truth)
