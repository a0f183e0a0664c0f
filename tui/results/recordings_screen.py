"""The list of recorded games, with a picture of the end of the one under the cursor.

Recorded games as a list shows them: when, where, who, and what came of it.

The games that were recorded last, for the start screen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from textual import events, on
from textual.markup import escape
from textual.message import Message
from textual.widgets import DataTable

from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.kernels import is_compiled
from bba.kitchen.scene import scene_of
from bba.play import GameConfig, Trace, load
from bba.play.recording import Outcome, outcome
from human.session import delete_recording, recordings_folder, watched_folder
from tui.game_factory import make_replay
from tui.playback.source import PlaybackSource
from tui.results.browser import BrowserScreen
from tui.screens.dialogs import RECORDING, newest_first, recording_dialog
from tui.screens.last_games import LastGame, LastGames
from tui.style.background_task import BackgroundTask
from tui.widgets.board_picture import LayoutPicture
from tui.widgets.sorted_table import SortableCell

CURVE_BLOCKS = "▁▂▃▄▅▆▇█"
CURVE_CELLS = 8  # cells of the score over time


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game in a list.

    Attributes:
        path: its file.
        modified: when it was written, in seconds since 1970.
        config: the game; None where the file cannot be read.
        came: what came of it; None as above.
        problem: why it cannot be read; "" where it can.
    """

    path: Path
    modified: float
    config: GameConfig | None = None
    came: Outcome | None = None
    problem: str = ""


def recorded_games() -> list[Path]:
    """Returns the recordings in the working folder and in the platform's data folders, newest first."""
    folders = (recordings_folder(), watched_folder(), Path())
    found = {path.resolve(): path for folder in folders for path in newest_first(folder, f"*{RECORDING}")}
    return sorted(found.values(), key=_modified, reverse=True)


def read_game(path: Path) -> RecordedGame:
    """Returns a recorded game; one that cannot be read says why."""
    try:
        recording = load(path)
        return RecordedGame(path, _modified(path), recording.config, outcome(recording, str(path)))
    except BBAError as error:
        return RecordedGame(path, _modified(path), problem=str(error))


HEADINGS = ("when", "kitchen", "cooks", "score", "replans", "steps", "course")


def game_cells(game: RecordedGame, now: datetime) -> list[SortableCell]:
    """Returns a game as a row; the name of its file, for which there is no column, comes last."""
    when = SortableCell(day_text(game.modified, now), game.modified)
    if game.config is None or game.came is None:
        unknown = [SortableCell(text, None) for text in ("", "cannot be read", *[""] * (len(HEADINGS) - 3))]
        return [when, *unknown, SortableCell(game.path.name, game.path.name)]
    scores = game.came.scores
    numbers = (scores[-1] if scores else 0, game.came.replans, len(scores))
    watched = ", watched" if game.path.parent == watched_folder() else ""
    names = (game.config.layout.name, " · ".join(game.config.agents) + watched)
    return [
        when,
        *(SortableCell(name, name) for name in names),
        *(SortableCell(str(number), number) for number in numbers),
        SortableCell(curve(scores), None),
        SortableCell(game.path.name, game.path.name),
    ]


def curve(scores: Sequence[int]) -> str:
    """Returns the course of a score as `CURVE` blocks, from none to the most of the game."""
    if not scores:
        return ""
    cells = min(CURVE_CELLS, len(scores))
    sampled = [scores[(number + 1) * len(scores) // cells - 1] for number in range(cells)]
    most = max(1, *sampled)
    return "".join(CURVE_BLOCKS[max(0, score) * (len(CURVE_BLOCKS) - 1) // most] for score in sampled)


def day_text(seconds: float, now: datetime) -> str:
    """Returns a time as people say it: "today 20:41", "yesterday", "1 Mar"; in other years "2025-03-01"."""
    then = datetime.fromtimestamp(seconds)
    if then.date() == now.date():
        return f"today {then.hour}:{then:%M}"
    if then.date() == (now - timedelta(days=1)).date():
        return "yesterday"
    return f"{then.day} {then:%b}" if then.year == now.year else f"{then.date()}"


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


ROOMY_COLUMNS = 110  # columns from which the picture has room


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
        self._picture.display = event.size.width >= ROOMY_COLUMNS

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
        delete_recording(entry.path)

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


LATEST_GAMES = 4  # games


def last_games() -> LastGames:
    """Returns the recorded games that there are; the newest ones are read, which takes about 0.1 s each."""
    paths = recorded_games()
    if not paths:
        return LastGames()
    games = [read_game(path) for path in paths[:LATEST_GAMES]]
    readable = tuple(LastGame(game.path, words) for game in games if (words := _in_words(game)))
    return LastGames(len(paths), day_text(games[0].modified, datetime.now()), readable)


def _in_words(game: RecordedGame) -> str:
    """Returns kitchen, cooks and score of a game; "" where it cannot be read."""
    if game.config is None or game.came is None:
        return ""
    score = game.came.scores[-1] if game.came.scores else 0
    return f"{game.config.layout.name} {'+'.join(game.config.agents)} {score:,}"
