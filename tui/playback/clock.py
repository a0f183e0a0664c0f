"""When to step: pure arithmetic on speeds, so that the screen only has to set one timer."""

from dataclasses import dataclass

SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)  # steps a second
FRAMES = 25.0  # pictures a second at most: faster games play several steps a picture


@dataclass(slots=True)
class Clock:
    """A speed in steps a second; any number to begin with, then those of `SPEEDS`."""

    speed: float

    def faster(self) -> None:
        """The next speed above."""
        self.speed = min((speed for speed in SPEEDS if speed > self.speed), default=self.speed)

    def slower(self) -> None:
        """The next speed below."""
        self.speed = max((speed for speed in SPEEDS if speed < self.speed), default=self.speed)

    @property
    def beat(self) -> float:
        """Seconds between two pictures."""
        return 1.0 / min(self.speed, FRAMES)

    @property
    def steps(self) -> int:
        """Steps in one beat."""
        return max(1, round(self.speed * self.beat))

    @property
    def slide(self) -> float:
        """Seconds that a cook stays half way between two tiles; 0 where that is too quick to be seen."""
        return self.beat / 2 if self.speed <= 10.0 else 0.0
