"""The app: its theme, its keys, and which screen is on."""

from pathlib import Path

from textual.app import App
from textual.theme import Theme

from human.keymap import APP_KEYS
from tui import palette
from tui.bindings import bindings
from tui.feed import Feed
from tui.screens.help import HelpScreen
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
    """Watches a game.

    Args:
        feed: the game, played or played back.
        speed: steps a second to begin with.
        autostart: whether the clock runs from the start; tests step by themselves.
        show_truth: whether the partner's true skill and role are shown at first.
    """

    CSS_PATH = Path(__file__).with_name("bba.tcss")
    TITLE = "bba-tui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = bindings(APP_KEYS)

    def __init__(
        self,
        feed: Feed,
        *,
        speed: float = 10.0,
        autostart: bool = True,
        show_truth: bool = True,
    ) -> None:
        super().__init__()
        self.game_screen = WatchScreen(feed, speed=speed, autostart=autostart, show_truth=show_truth)

    def on_mount(self) -> None:
        """Dress, and begin."""
        self.register_theme(THEME)
        self.theme = THEME.name
        self.push_screen(self.game_screen)

    def action_help(self) -> None:
        """Open the help, or close it."""
        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        else:
            self.push_screen(HelpScreen())
