"""The main app: the keys that count on every screen."""

from textual.command import CommandPalette
from textual.screen import ModalScreen
from textual.widgets import Input

from human.keymap import APP_KEYS, BACK_KEYS, MENU_KEYS, TYPING_KEYS
from tui.app.command_palette import CommandProvider
from tui.app.navigation import situation, way_out
from tui.app.routing import RoutingApp
from tui.screens.watch import WatchScreen
from tui.style.base_app import BUTTON_KEYS, PALETTES, bindings
from tui.style.base_screen import BaseScreen


class BBAApp(RoutingApp, inherit_bindings=False):
    """The app `bba-tui`; its arguments are those of `RoutingApp`."""

    COMMANDS = {CommandProvider}  # noqa: RUF012 - typed so by Textual
    BINDINGS = [*BUTTON_KEYS, *bindings((*MENU_KEYS, *BACK_KEYS, *APP_KEYS, *TYPING_KEYS))]  # noqa: RUF012 - typed so by Textual

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

    def action_go_back(self) -> None:
        self.pop_screen()

    async def action_quit(self) -> None:
        """Closes the layer on top; asks whether to end a running game, which leads to its debrief; else leaves."""
        screen = self.screen
        if isinstance(screen, ModalScreen):
            screen.dismiss()
        elif isinstance(screen, BaseScreen):
            screen.leave_app()
        else:
            self.exit()

    async def action_leave(self) -> None:
        await self.action_quit()

    def action_help(self) -> None:
        from tui.screens.help import HelpScreen

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

    def choose_motion(self, motion: bool) -> None:
        """Turns all motion on or off, now and at the next start."""
        super().choose_motion(motion)
        self._state.keep_motion(motion)
