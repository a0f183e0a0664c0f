"""Which step of a game is shown, while the game itself stays where it is."""

from dataclasses import dataclass


@dataclass(slots=True)
class Playhead:
    """A place in a game that may grow.

    Attributes:
        follows: whether whoever arrives at the newest step goes on with the game (a game that is being played), instead
            of staying at that step (a recording, whose newest step is only the last that has been worked out).
        at: the step that is shown; None for the newest, whichever it is.
    """

    follows: bool
    at: int | None = None

    def step(self, newest: int) -> int:
        """The step that is shown of a game of so many steps."""
        return newest if self.at is None else min(self.at, newest)

    def seek(self, step: int, newest: int) -> None:
        """Show a step; what lies outside the game stands for its ends."""
        self.at = None if self.follows and step >= newest else max(0, min(step, newest))

    def rewind(self) -> None:
        """Begin where a fresh game does: at its newest step; a recording at its start."""
        self.at = None if self.follows else 0

    def release(self) -> None:
        """Show the newest step from now on."""
        self.at = None
