"""Turn by turn: a key is a step, which is played once the agents that the game waits for have decided."""

from human.session import Session
from tui.screens.play_clock import COUNTDOWN, PlayClock

TURN_CHECK = 0.1  # seconds between two looks whether an agent has decided


class Turns(PlayClock):
    """Plays the step that a key asks for; agents that take their time decide while the person thinks, too."""

    def __init__(self, session: Session, *, speed: float | None = 10.0, countdown: int = COUNTDOWN) -> None:
        super().__init__(session, speed=speed, countdown=countdown)
        self._owes_step = False

    @property
    def status(self) -> str:
        """The state of the game, or what the step that a key has asked for waits for."""
        owed = self._owes_step and self.playing and self.asked
        return self._waiting(owed) if owed else super().status

    def _take_turn(self) -> None:
        """Plays a step, now or as soon as the agents have decided."""
        self._owes_step = True
        self._play_owed()

    def _play_owed(self) -> None:
        """Plays the step that is owed, if the game need not wait any longer."""
        if self._owes_step and self.session.game.begin_step():
            self._owes_step = False
            self._step()
        elif self._owes_step:
            self._show_title()

    def _begin(self) -> None:
        super()._begin()
        if self._speed is None and self.session.game.world_waits:
            self.set_interval(TURN_CHECK, self._check_turn)

    def _check_turn(self) -> None:
        """Lets the agents begin with the next step, and plays the one that is owed."""
        if self.playing:
            self.session.game.begin_step()
            self._play_owed()
