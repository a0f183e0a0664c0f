"""Where the ticks on the screen come from."""

from collections.abc import Callable
from typing import Protocol

from bba.play import Replay, Setup, Tick, Trace


class Feed(Protocol):
    """A game that is played, or played back, one tick at a time."""

    @property
    def setup(self) -> Setup:
        """What the game was set to."""

    @property
    def trace(self) -> Trace:
        """What has happened so far; another object after a restart."""

    @property
    def done(self) -> bool:
        """Whether no tick is left."""

    @property
    def blocking(self) -> bool:
        """Whether a step may take so long (a model over the network) that it must not hold up the keys."""

    @property
    def recorded(self) -> bool:
        """Whether all of it is settled: then it may be worked out ahead of what is shown."""

    def step(self) -> Tick:
        """The next tick, which is then the trace's last. Called from another thread where `blocking`.

        Raises:
            BBAError: there is none, for a reason that people should read.
        """

    def restart(self) -> None:
        """Begin again. A step that is still under way in another thread goes on with the old game."""


class Playable(Protocol):
    """What can be played forward: a game, or the replay of a recording."""

    @property
    def trace(self) -> Trace:
        """What has happened so far."""

    @property
    def done(self) -> bool:
        """Whether no step is left."""

    def step(self) -> Tick:
        """Play one step."""


class LiveFeed:
    """A game or a replay that is played while it is watched.

    Args:
        make_game: makes a fresh one; called once now and once a restart.
        blocking: whether an agent in it may take long to decide.
    """

    def __init__(self, make_game: Callable[[], Playable], *, blocking: bool = False) -> None:
        self._make_game = make_game
        self.blocking = blocking
        self.restart()

    @property
    def setup(self) -> Setup:
        """What the game was set to."""
        return self.trace.setup

    @property
    def trace(self) -> Trace:
        """What has happened so far."""
        return self._game.trace

    @property
    def done(self) -> bool:
        """Whether no step is left."""
        return self._game.done

    @property
    def recorded(self) -> bool:
        """Whether it is a recording that is played again."""
        return isinstance(self._game, Replay)

    def step(self) -> Tick:
        """Play one step."""
        return self._game.step()

    def restart(self) -> None:
        """Begin a fresh game."""
        self._game = self._make_game()
