"""The window beside the terminal, in which a game can be played."""

from collections.abc import Callable
from functools import partial

from textual.screen import Screen

from bba.analysis import Snapshot
from human.session import Session
from tui.widgets import window_lines


class PlayWindow:
    """Shows a game in its session's window, and does what is pressed there; does nothing where there is no window.

    Args:
        screen: the screen of the game, whose actions the window's keys run.
        session: the game.
        press: takes a seat and a primitive action that a person has pressed.
        give_up: ends the game.
    """

    def __init__(
        self,
        screen: Screen[None],
        session: Session,
        *,
        press: Callable[[int, int], None],
        give_up: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._session = session
        self._press = press
        self._give_up = give_up

    def listen(self) -> None:
        """Listens to the window from now on."""
        window = self._session.window
        if window is not None:
            window.listen(self._press_in_window, self._act_in_window, partial(self._screen.call_later, self._lose))

    def show(self, snapshot: Snapshot, status: str) -> None:
        """Shows the kitchen, the state of the game in a word or two, and the lines of the people."""
        window = self._session.window
        if window is not None:
            state = self._session.game.kitchen.state
            title = f"{status}   score {self._session.trace.score}"
            status_lines = window_lines(snapshot, self._session.people)
            window.show(state, (title, *status_lines))

    def _press_in_window(self, seat: int, action: int) -> None:
        """Presses a key of the game; called from the window's thread."""
        self._screen.app.call_from_thread(self._press, seat, action)

    def _act_in_window(self, action: str) -> None:
        """Runs an action of the screen; called from the window's thread."""
        self._screen.app.call_from_thread(self._screen.run_worker, partial(self._screen.run_action, action))

    def _lose(self, by_hand: bool) -> None:
        """Ends the game, whose window is gone, and the app too if the window was not closed by hand."""
        if not self._session.over:
            self._give_up()
            if not by_hand:
                self._screen.app.exit(message="the window has gone")
