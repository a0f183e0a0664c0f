"""How fast a game is shown, and which of its steps."""

from dataclasses import dataclass

SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)  # steps a second
FRAMES_A_SECOND = 25.0  # pictures a second at most: faster games play several steps a picture


@dataclass(slots=True)
class Playhead:
    """A position in a game that may grow.

    Attributes:
        follows: whether reaching the newest step means to stay with the newest step from then on (a game that is being
            played). In a recording the newest step is only the last one computed so far, so the position stays there.
        at: the step that is shown; None for the newest one.
    """

    follows: bool
    at: int | None = None

    def step(self, newest: int) -> int:
        """Returns the step that is shown of a game of `newest` steps."""
        return newest if self.at is None else min(self.at, newest)

    def seek(self, step: int, newest: int) -> None:
        """Moves to a step; values outside the game are clipped to its ends."""
        self.at = None if self.follows and step >= newest else max(0, min(step, newest))

    def rewind(self) -> None:
        """Moves to where a game begins: its newest step, or the start of a recording."""
        self.at = None if self.follows else 0


@dataclass(slots=True)
class Clock:
    """A speed in steps a second: any number at first, then those of `SPEEDS`."""

    speed: float

    def change(self, *, faster: bool) -> None:
        """Takes the next speed up or down, if there is one."""
        higher = min((speed for speed in SPEEDS if speed > self.speed), default=self.speed)
        lower = max((speed for speed in SPEEDS if speed < self.speed), default=self.speed)
        self.speed = higher if faster else lower

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
