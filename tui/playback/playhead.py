"""Which step of a game a viewer is shown: that has nothing to do with when the game goes on."""

from dataclasses import dataclass


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
