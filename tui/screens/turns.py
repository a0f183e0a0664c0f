"""Play turn by turn, where the world waits for a key."""

from collections.abc import Callable

from textual.timer import Timer

from human.session import Session
from tui.playback.clock import Clock

TURN_CHECK = 0.1  # seconds between two looks whether an agent has decided


class Turns:
    """Plays the steps that keys ask for, each as soon as the agents have decided.

    Args:
        session: the game.
        clock: the clock, which remembers the step that is owed.
        set_interval: calls a function again and again, given the seconds between two calls.
        step: plays a step and shows it.
        show_title: shows what the game waits for.
    """

    def __init__(
        self,
        session: Session,
        clock: Clock,
        set_interval: Callable[[float, Callable[[], None]], Timer],
        *,
        step: Callable[[], None],
        show_title: Callable[[], None],
    ) -> None:
        self._session = session
        self._clock = clock
        self._set_interval = set_interval
        self._step = step
        self._show_title = show_title

    def begin(self) -> None:
        """Looks from now on whether slow agents have decided, if the world waits for them."""
        if self._session.game.world_waits:
            self._set_interval(TURN_CHECK, self.check)

    def take(self) -> None:
        """Plays a step, now or as soon as the agents have decided."""
        self._clock.owes_step = True
        self._play_owed()

    def check(self) -> None:
        """Lets the agents begin with the next step, and plays the one that is owed; does nothing at a standstill."""
        if self._clock.standstill is None:
            self._session.game.begin_step()
            self._play_owed()

    def _play_owed(self) -> None:
        """Plays the step that is owed, if the game need not wait any longer."""
        if self._clock.take_owed_step(self._session.game):
            self._step()
        elif self._clock.owes_step:
            self._show_title()
