"""The recordings that this computer keeps: of games with people, and of games that were watched."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from platformdirs import user_data_path

from bba.agents import HUMAN
from bba.errors import BBAError
from bba.files import free_path, os_errors, read_bytes
from bba.play import GameConfig, Trace, record, save, save_new, usage_path
from bba.play.recording_io import unpack, with_usage

KEPT_STEPS = 100  # of a game that is watched: ten seconds at the usual speed; shorter ones are glances
MOST_BYTES = 50 * 2**20  # that such games take
MOST_WATCHED = 20  # such games that are kept; they may be many, and each can be played again from its options


def recordings_folder() -> Path:
    """Returns the folder of the recordings of games with people: that of the platform for data."""
    return user_data_path("bba-tui") / "games"


def watched_folder() -> Path:
    """Returns the folder of the games that were watched, beside that of the games with people."""
    return recordings_folder().with_name("watched")


class ContinuedRecording:
    """The recording that a game goes on from.

    Args:
        path: its file.

    Raises:
        BBAError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._content = read_bytes(path)
        self.recording = with_usage(unpack(self._content, str(path)), self._content, path)

    @property
    def path(self) -> Path | None:
        """Its file; None where that is gone, or somebody has changed it meanwhile."""
        try:
            return self._path if read_bytes(self._path) == self._content else None
        except BBAError:
            return None

    def holds(self, trace: Trace) -> bool:
        """Whether nothing has come to the game since then: no step, no bookmark."""
        return len(trace.ticks) <= self.recording.steps and trace.bookmarks == dict(self.recording.notes)

    def replaced(self) -> None:
        """Takes what is in the file now for the forerunner: the game was written there, and goes on."""
        self._content = read_bytes(self._path)
        self.recording = unpack(self._content, str(self._path))


def keep_watched(trace: Trace, rival: Trace | None = None, continues: ContinuedRecording | None = None) -> Path:
    """Writes a game that was watched to a file and returns its path; deletes the oldest where they are too many.

    Args:
        trace: the game.
        rival: the other game of a duel.
        continues: the recording that it goes on from, in whose place it is written; None for a new file.

    Raises:
        BBAError: the file cannot be written; then the forerunner is as it was.
    """
    forerunner = None if continues is None else continues.path
    if continues is None or forerunner is None:
        path = save_new(record(trace, rival), new_recording_path(trace.config, watched_folder()))
    else:
        path = forerunner
        save(record(trace, rival), path)
        continues.replaced()
    with suppress(OSError):
        _delete_oldest_watched()
    return path


def _delete_oldest_watched() -> None:
    """Deletes watched games, the oldest first, until those that are kept are neither too many nor too large."""
    recordings = sorted(watched_folder().glob("*.bba"), key=lambda recording: recording.stat().st_mtime_ns)
    while len(recordings) > MOST_WATCHED or (len(recordings) > 1 and _bytes_of(recordings) > MOST_BYTES):
        oldest = recordings.pop(0)
        oldest.unlink(missing_ok=True)
        usage_path(oldest).unlink(missing_ok=True)  # what its answers cost


def _bytes_of(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files)


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
