"""The list of recorded games, with a picture of the end of the one under the cursor."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from textual import events, on
from textual.markup import escape
from textual.message import Message
from textual.widgets import DataTable

from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.kernels import is_compiled
from bba.kitchen.scene import scene_of
from bba.play import Trace
from bba.play.usage_file import beside
from tui.game_factory import make_replay
from tui.playback.source import PlaybackSource
from tui.results.browser import BrowserScreen
from tui.results.recorded_games import HEADINGS, RecordedGame, game_cells, read_game, recorded_games
from tui.screens.dialogs import recording_dialog
from tui.style.background_task import BackgroundTask
from tui.widgets.layout_picture import LayoutPicture
from tui.widgets.sorted_table import SortableCell

ROOMY = 110  # columns from which the picture has room


class RecordingsScreen(BrowserScreen[RecordedGame]):
    """Shows recorded games, newest first, and posts a message where one is to be watched or exported.

    Args:
        speed: steps a second of a game that is watched.
    """

    @dataclass
    class RecordingChosen(Message):
        """Somebody wants to watch a recording, at `speed` steps a second."""

        source: PlaybackSource
        speed: float

    @dataclass
    class RecordingExport(Message):
        """Somebody wants to write a recorded game to a file."""

        snapshot: Snapshot

    HEADINGS = HEADINGS
    EMPTY = "No recorded games yet: play one, or give --record FILE with a game. o opens one that lies elsewhere."

    def __init__(self, speed: float) -> None:
        self._picture, self._speed = LayoutPicture(id="end"), speed
        super().__init__("recorded games", recorded_games(), self._picture)
        self._exporting: BackgroundTask[Trace] = BackgroundTask(self.call_later)

    def on_resize(self, event: events.Resize) -> None:
        self._picture.display = event.size.width >= ROOMY

    def read(self, path: Path) -> RecordedGame:
        """Returns a recorded game."""
        return read_game(path)

    def cells(self, entry: RecordedGame) -> list[SortableCell]:
        """Returns the row of a game."""
        return game_cells(entry, datetime.now())

    def open(self, entry: RecordedGame) -> None:
        """Watches a game.

        Raises:
            BBAError: it cannot be read.
        """
        self._watch(PlaybackSource(make_replay(entry.path), file=entry.path))

    def question(self, entry: RecordedGame) -> str:
        """Returns the question before a recording is deleted."""
        return f"Delete the recording {entry.path.name}? The game cannot be had back."

    def delete(self, entry: RecordedGame) -> None:
        """Deletes a recording, and what its answers cost.

        Raises:
            OSError: it cannot be deleted.
        """
        for path in (entry.path, beside(entry.path)):
            path.unlink(missing_ok=True)

    def action_open_path(self) -> None:
        self.app.push_screen(recording_dialog(), self._watch)

    def action_export(self) -> None:
        if self.chosen is not None and not self._exporting.busy:
            self.notify("playing the game again …", markup=False)
            self._exporting.begin(_whole(self.chosen.path), self._export)

    @on(DataTable.RowHighlighted)
    def show_end(self) -> None:
        """Shows the last state of the game under the cursor, and the name of its file."""
        game = self.chosen
        self.query_one("#rows").border_subtitle = "" if game is None else escape(game.path.name)
        if game is None or game.config is None or game.came is None:
            self._picture.show_nothing()
            return
        layout, steps = game.config.layout, len(game.came.scores)
        self._picture.show_scene(layout, scene_of(layout, game.came.state), "the end", f"after step {steps}")

    def _watch(self, source: PlaybackSource | None) -> None:
        if source is not None:
            self.post_message(self.RecordingChosen(source, self._speed))

    def _export(self, trace: Trace | BBAError) -> None:
        if isinstance(trace, BBAError):
            self.notify(str(trace), severity="error", markup=False)
        elif not trace.ticks:
            self.notify("the recording holds no step", severity="error", markup=False)
        else:
            self.post_message(self.RecordingExport(Snapshot(trace, len(trace.ticks))))


def _whole(path: Path) -> Callable[[], Trace]:
    """Returns a function that plays a recording to its end, with the beliefs."""
    return lambda: make_replay(path, fast=is_compiled())().run()
