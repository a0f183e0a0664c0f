"""What the kitchen designer asks the app for: to be opened, to play or watch in its kitchen, and to be left."""

from abc import abstractmethod
from typing import TYPE_CHECKING

from tui.app.navigation import is_a
from tui.app.play_routes import PlayRoutes
from tui.playback.source import PlaybackSource
from tui.screens.watch import WatchScreen

if TYPE_CHECKING:
    from tui.design.screen import DesignScreen
    from tui.screens.start import StartScreen


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
