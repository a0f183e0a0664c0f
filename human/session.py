"""A game with people in it: the game itself, the way to their seats, and its recording on the disk."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from platformdirs import user_data_path

from bba.agents import HUMAN, Controls
from bba.errors import BBAError
from bba.play import Game, Tick, Trace, record, save
from bba.play.trace import GameConfig
from human.window_client import WindowClient

SAVE_EVERY = 50  # steps: what is lost at the most, should the program be killed


class Session:
    """Plays a game step by step and keeps its recording up to date.

    Args:
        game: the game, before its first step.
        controls: what each person speaks to, by seat.
        path: the recording's file; None for a new one in the platform's data folder.
        window: a second keyboard and screen, if there is one.

    Raises:
        BBAError: that folder cannot be made.
    """

    def __init__(
        self,
        game: Game,
        controls: Mapping[int, Controls],
        path: Path | None = None,
        window: WindowClient | None = None,
    ) -> None:
        self.game, self.controls = game, controls
        self.path = path or new_path(game.trace.config)
        self.window = window
        self._given_up = False

    @property
    def trace(self) -> Trace:
        """What has happened so far."""
        return self.game.trace

    @property
    def people(self) -> tuple[int, ...]:
        """The seats in which people sit."""
        return tuple(sorted(self.controls))

    @property
    def over(self) -> bool:
        """Whether no step will come any more."""
        return self._given_up or self.game.done

    def step(self) -> Tick:
        """Play one step with what was last asked for.

        Raises:
            BBAError: an agent cannot go on, or the recording cannot be written.
        """
        tick = self.game.step()
        if tick.step % SAVE_EVERY == 0 or self.game.done:
            self.save()
        return tick

    def give_up(self) -> None:
        """End the game here."""
        self._given_up = True

    def show(self, status: str) -> None:
        """Show the newest state in the window, if there is one, with a line of text."""
        if self.window is not None:
            self.window.show(self.game.kitchen.state, status)

    def close(self) -> None:
        """Save, and close the window.

        Raises:
            BBAError: the file cannot be written.
        """
        if self.window is not None:
            self.window.close()
        self.save()

    def save(self) -> None:
        """Write the game so far; nothing before the first step.

        Raises:
            BBAError: the file cannot be written.
        """
        if self.trace.ticks:
            save(record(self.trace), self.path)


def new_path(config: GameConfig) -> Path:
    """A file that there is not yet, named after the game and the time, in the platform's data folder.

    Raises:
        BBAError: the folder cannot be made.
    """
    folder = user_data_path("bba-tui") / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BBAError(f"{folder} cannot be made: {error.strerror}; name a file with --record") from None
    agents = "-".join(agent for agent in config.agents if agent != HUMAN) or HUMAN
    stem = f"{datetime.now():%Y%m%d-%H%M%S}-{config.layout.name}-{agents}-{config.seed}"
    names = (f"{stem}{extra}.bba" for extra in ("", *(f"-{number}" for number in range(2, 1000))))
    return next(path for name in names if not (path := folder / name).exists())
