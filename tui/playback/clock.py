"""The clock of a game that is shown: how fast the game goes on, and why it stands still."""

import math
from collections.abc import Callable
from enum import Enum, auto

from bba.play import Game

SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)  # steps a second
FRAMES_A_SECOND = 25.0  # pictures a second at most: faster games play several steps a picture
PANEL_RATE = 5.0  # the panels are redrawn so often a second at most: they cost more than the kitchen
COUNTDOWN = 3  # seconds before the first step of a game with people


class Standstill(Enum):
    """Why a game stands still. Where there are several reasons, the first one here counts."""

    PREPARATION = auto()
    COUNTDOWN = auto()
    COVER = auto()  # something lies over the game
    PAUSE = auto()
    END = auto()
    PARTNER = auto()  # a person at another screen is missing, or stands still


def _never() -> bool:
    return False


class Clock:
    """Says whether a game goes on, and how fast. It has no timer: who shows the game sets one and asks at each beat.

    Args:
        speed: steps a second, any number at first, then those of `SPEEDS`; None where no time decides: each step waits
            for a key, or is played as soon as the last one is.
        countdown: seconds before the first step.
        paused: whether the game stands still until a key lets it go on.
        preparing: returns whether the game still has to be prepared.
        covered: returns whether something lies over the game.
        over: returns whether the game has ended.

    Attributes:
        speed: steps a second; infinity for None.
        owes_step: whether a key has asked for a step that waits for an agent.
    """

    def __init__(
        self,
        speed: float | None,
        *,
        countdown: int = 0,
        paused: bool = False,
        preparing: Callable[[], bool] = _never,
        covered: Callable[[], bool] = _never,
        over: Callable[[], bool] = _never,
    ) -> None:
        self.speed = math.inf if speed is None else speed
        self.countdown = countdown
        self.paused = paused
        self.owes_step = False
        self._preparing = preparing
        self._covered = covered
        self._over = over

    # --- how fast ----------------------------------------------------------------------------------------------
    @property
    def timed(self) -> bool:
        """Whether time decides when a step is played."""
        return math.isfinite(self.speed)

    @property
    def beat(self) -> float:
        """Seconds between two steps; 0 where no time decides."""
        return 1.0 / self.speed

    @property
    def interval(self) -> float:
        """Seconds between two pictures."""
        return 1.0 / min(self.speed, FRAMES_A_SECOND)

    @property
    def steps(self) -> int:
        """Steps in one interval."""
        return max(1, round(self.speed * self.interval))

    @property
    def slide(self) -> float:
        """Seconds for which a cook is drawn half way between two tiles; 0 at speeds too high to see it."""
        return self.interval / 2 if self.speed <= 10.0 else 0.0

    def change(self, *, faster: bool) -> None:
        """Takes the next speed up or down, if there is one."""
        higher = min((speed for speed in SPEEDS if speed > self.speed), default=self.speed)
        lower = max((speed for speed in SPEEDS if speed < self.speed), default=self.speed)
        self.speed = higher if faster else lower

    # --- whether at all ----------------------------------------------------------------------------------------
    @property
    def standstill(self) -> Standstill | None:
        """Why the game stands still; None if it goes on."""
        if self._preparing():
            return Standstill.PREPARATION
        if self.countdown > 0:
            return Standstill.COUNTDOWN
        if self._covered():
            return Standstill.COVER
        if self.paused:
            return Standstill.PAUSE
        return Standstill.END if self._over() else None

    def count_down(self) -> None:
        """Lets a second of the countdown pass, unless something lies over the game."""
        if not self._covered():
            self.countdown -= 1

    def take_owed_step(self, game: Game) -> bool:
        """Owes no step any longer once the agents that the game waits for have decided; returns whether it is due."""
        if not self.owes_step or not game.begin_step():
            return False
        self.owes_step = False
        return True
