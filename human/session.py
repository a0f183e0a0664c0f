"""A session: a game with people in it, their controls, and its recording on disk."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from platformdirs import user_data_path

from bba.agents import HUMAN, Controls
from bba.errors import BBAError
from bba.files import free_path, os_errors
from bba.play import Game, GameConfig, Replay, Tick, Trace, beside, load, record, save
from human.window_client import WindowClient

SAVE_EVERY = 50  # steps; a killed program loses at most these
KEPT_STEPS = 100  # of a game that is watched: ten seconds at the usual speed; shorter ones are glances
MOST_BYTES = 50 * 2**20  # that such games take
MOST_WATCHED = 20  # such games that are kept; they may be many, and each can be played again from its options


class Session:
    """A game with people in it, played step by step, with an up-to-date recording.

    Args:
        game: the game, before its first step.
        controls: the controls of each person, by seat.
        path: the recording's file; None for a new one in the platform's data folder.
        window: the window, if there is one.

    Raises:
        BBAError: the data folder cannot be made.
    """

    def __init__(
        self,
        game: Game,
        controls: Mapping[int, Controls],
        path: Path | None = None,
        window: WindowClient | None = None,
    ) -> None:
        self.game, self.controls = game, controls
        self.path = path or new_recording_path(game.trace.config)
        self.window = window
        self._given_up = False

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
        """Writes the game so far; writes nothing before the first step.

        Raises:
            BBAError: the file cannot be written.
        """
        if self.trace.ticks:
            save(record(self.trace), self.path)


def recordings_folder() -> Path:
    """Returns the folder of the recordings of games with people: that of the platform for data."""
    return user_data_path("bba-tui") / "games"


def watched_folder() -> Path:
    """Returns the folder of the games that were watched, beside that of the games with people."""
    return recordings_folder().with_name("watched")


def keep_watched(trace: Trace, other: Trace | None = None) -> Path:
    """Writes a game that was watched to a new file and returns its path; deletes the oldest where they are too many.

    `other` is the other game of a duel.

    Raises:
        BBAError: the file cannot be written.
    """
    path = new_recording_path(trace.config, watched_folder())
    save(record(trace, other), path)
    with suppress(OSError):
        kept = sorted(path.parent.glob("*.bba"), key=lambda one: one.stat().st_mtime_ns)
        while len(kept) > MOST_WATCHED or (kept[1:] and sum(one.stat().st_size for one in kept) > MOST_BYTES):
            oldest = kept.pop(0)
            for file in (oldest, beside(oldest)):  # and what its answers cost
                file.unlink(missing_ok=True)
    return path


def new_recording_path(config: GameConfig, folder: Path | None = None) -> Path:
    """Returns the path of a new file in a folder, by default `recordings_folder`, named after the time and the game.

    Raises:
        BBAError: the folder cannot be made.
    """
    folder = folder or recordings_folder()
    with os_errors(f"{folder} cannot be made", "; name a file with --record"):
        folder.mkdir(parents=True, exist_ok=True)
    agents = "-".join(agent for agent in config.agents if agent != HUMAN) or HUMAN
    stem = f"{datetime.now():%Y%m%d-%H%M%S}-{config.layout.name}-{agents}-{config.seed}"
    return free_path(folder / f"{stem}.bba")
