"""Where the ticks on the screen come from."""

from collections.abc import Callable
from typing import Protocol

from bba.agents import AgentOptions, BeliefConfig
from bba.errors import BBAError
from bba.play import Game, GameConfig, Replay, Tick, Trace


class PlaybackSource(Protocol):
    """A game that is played, or played back, one tick at a time."""

    @property
    def config(self) -> GameConfig:
        """What the game was set to."""

    @property
    def trace(self) -> Trace:
        """What has happened so far; another object after a restart."""

    @property
    def done(self) -> bool:
        """Whether no tick is left."""

    @property
    def options(self) -> AgentOptions:
        """What its agents are set to beyond what the setup says of them: for others that go on in their place."""

    @property
    def recorded(self) -> bool:
        """Whether all of it is settled: then it may be worked out ahead of what is shown."""

    def step(self) -> Tick:
        """The next tick, which is then the trace's last; it comes at once, since a live game waits for no planner.

        Raises:
            BBAError: there is none, for a reason that people should read.
        """

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Let the ego believe and judge with other parameters from the next step on.

        Raises:
            BBAError: it is no game that is being played, or its ego has no belief.
        """

    def restart(self) -> None:
        """Begin again."""


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


class LiveSource:
    """A game or a replay that is played while it is watched.

    Args:
        make_game: makes a fresh one; called once now and once a restart.
        options: what its agents are set to beyond what the setup says of them.
    """

    def __init__(self, make_game: Callable[[], Playable], *, options: AgentOptions | None = None) -> None:
        self._make_game = make_game
        self.options = options or AgentOptions()
        self.restart()

    @property
    def config(self) -> GameConfig:
        """What the game was set to."""
        return self.trace.config

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

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Let the ego believe and judge with other parameters from the next step on."""
        if not isinstance(self._game, Game):
            raise BBAError("a recording keeps the parameters that it was played with")
        self._game.reconfigure(0, belief_config)

    def restart(self) -> None:
        """Begin a fresh game."""
        self._game = self._make_game()


class FinishedSource:
    """A game that is over: there is nothing left to play, and all of it to look at.

    Args:
        trace: the game.
    """

    recorded = True
    done = True

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.options = AgentOptions()

    @property
    def config(self) -> GameConfig:
        """What the game was set to."""
        return self.trace.config

    def step(self) -> Tick:
        """There is none.

        Raises:
            BBAError: always.
        """
        raise BBAError("the game is over")

    def reconfigure(self, belief_config: BeliefConfig) -> None:  # noqa: ARG002 - as every feed
        """It cannot be changed any more.

        Raises:
            BBAError: always.
        """
        raise BBAError("the game is over")

    def restart(self) -> None:
        """It stays as it is."""


def play_on(feed: PlaybackSource, steps: int) -> str | None:
    """Play up to so many steps; returns in a line why no more of them could be played, None where nothing was wrong."""
    try:
        for _ in range(steps):
            if not feed.done:
                feed.step()
    except BBAError as error:
        return str(error)
    return None
