"""A session: a game that people play step by step, and that is saved on the way."""

from collections.abc import Mapping
from pathlib import Path

from bba.agents import Controls
from bba.errors import BBAError
from bba.play import Game, Replay, Tick, Trace, load, record, save, save_new
from human.recordings import new_recording_path
from human.window_client import WindowClient

SAVE_EVERY = 50  # steps; a killed program loses at most these


class Session:
    """A game with people in it, played step by step, with an up-to-date recording.

    Args:
        game: the game, before its first step.
        controls: the controls of each person, by seat.
        path: the recording's file; None for a new one in the platform's data folder.
        window: the window, if there is one.
        replaces: whether the recording replaces a file that is at `path`; if not, and another program has written one
            there since, it goes to a free name beside it, which is `path` from then on.

    Raises:
        BBAError: the data folder cannot be made.
    """

    def __init__(
        self,
        game: Game,
        controls: Mapping[int, Controls],
        path: Path | None = None,
        window: WindowClient | None = None,
        *,
        replaces: bool = True,
    ) -> None:
        self.game = game
        self.controls = controls
        self.path = path or new_recording_path(game.trace.config)
        self.window = window
        self._given_up = False
        self._saved = 0  # the steps that it has written
        self._owns_file = replaces and path is not None

    @property
    def trace(self) -> Trace:
        """The trace so far."""
        return self.game.trace

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, in ascending order."""
        return tuple(sorted(self.controls))

    @property
    def over(self) -> bool:
        """Whether the game has ended: at its horizon, or given up."""
        return self._given_up or self.game.done

    def resume(self) -> int:
        """Plays the recording that is at `path`, if there is one; returns the number of its steps.

        Raises:
            BBAError: the recording cannot be read, or its game had other settings or other rules.
        """
        if not self.path.exists():
            return 0
        past = Replay(load(self.path), str(self.path)).run()
        if past.config != self.trace.config:
            raise BBAError(f"{self.path}: was played with other settings than these; the game cannot go on with them")
        for tick in past.ticks:
            self.game.replay_step(tick)
        return len(past.ticks)

    def step(self) -> Tick:
        """Plays one step with the people's last actions, and saves the game from time to time.

        Raises:
            BBAError: an agent cannot go on, or the recording cannot be written.
        """
        tick = self.game.step()
        if tick.step % SAVE_EVERY == 0 or self.game.done:
            self.save()
        return tick

    def give_up(self) -> None:
        """Ends the game now."""
        self._given_up = True

    def close(self) -> None:
        """Closes the window and saves the game.

        Raises:
            BBAError: the file cannot be written.
        """
        if self.window is not None:
            self.window.close()
        self.save()

    def save(self) -> None:
        """Writes the game so far, unless it is in the file: that may have a note, or another name, since then.

        Raises:
            BBAError: the file cannot be written.
        """
        if len(self.trace.ticks) == self._saved:
            return
        if self._owns_file:
            save(record(self.trace), self.path)
        else:
            self.path = save_new(record(self.trace), self.path)
            self._owns_file = True
        self._saved = len(self.trace.ticks)
