"""The window beside a game with people: its keys reach the game, and its end ends the game."""

from abc import abstractmethod

from tui.screens.turns import Turns

WINDOW_CHECK = 0.5  # seconds between two checks whether the window is still there


class PlayWindow(Turns):
    """Takes the keys of the session's window, if it has one."""

    @abstractmethod
    def _press(self, seat: int, action: int) -> None:
        """Takes a primitive action of the person in a seat."""

    @abstractmethod
    def _surrender(self, sure: bool | None) -> None:
        """Ends the game if that is sure."""

    def _listen(self) -> None:
        """Listens to the window, and looks from time to time whether it is still there."""
        window = self.session.window
        if window is not None:
            window.listen(
                lambda seat, action: self.app.call_from_thread(self._press, seat, action),
                lambda action: self.app.call_from_thread(self._act, action),
            )
            self.set_interval(WINDOW_CHECK, self._watch_window)

    def _act(self, action: str) -> None:
        """Runs an action that was asked for in the window."""
        self.run_worker(self.run_action(action))

    def _watch_window(self) -> None:
        """Ends the game when its window is gone, and the app too if the window was not closed by hand."""
        window = self.session.window
        if window is None or not window.gone.is_set() or self.session.over:
            return
        self._surrender(True)
        if not window.closed_by_hand:
            self.app.exit(message="the window has gone")
