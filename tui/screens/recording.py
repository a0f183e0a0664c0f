"""The question which recording to watch."""

from pathlib import Path

from tui.game_factory import make_replay
from tui.playback.source import LiveSource, PlaybackSource
from tui.screens.path_dialog import PathDialog

SUFFIX = ".bba"


class RecordingDialog(PathDialog[PlaybackSource]):
    """Asks for a recording until one can be played, or until it is closed."""

    TITLE = "watch a recording"
    EXAMPLE = f"path of a recording, such as game{SUFFIX}"
    NAMELESS = "no file is named yet"
    DOES = "Watch"

    def offered(self) -> list[str]:
        """The recordings in the working folder, newest first."""
        return recordings(Path())

    def opened(self, path: Path) -> PlaybackSource:
        """The recording at a path."""
        return LiveSource(make_replay(path))


def recordings(folder: Path) -> list[str]:
    """The names of the recordings in a folder, newest first; none where it cannot be read."""
    try:
        found = [(file.stat().st_mtime, file.name) for file in folder.glob(f"*{SUFFIX}") if file.is_file()]
    except OSError:
        return []
    return [name for _, name in sorted(found, reverse=True)]
