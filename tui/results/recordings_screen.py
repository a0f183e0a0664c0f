"""The list of recorded games, with a picture of the end of the one under the cursor; the last one for the start."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from subprocess import DEVNULL

from textual import events, on, work
from textual.content import Content
from textual.markup import escape
from textual.widgets import DataTable

from bba.agents import HUMAN
from bba.analysis.snapshot import Snapshot
from bba.bench.formatting import NONE
from bba.errors import BBAError
from bba.files import os_errors
from bba.kitchen.kitchen import scene_of
from bba.play import Outcome, Trace, load, outcome, usage_path
from bba.terminal_text import visible_line
from human.keymap import RECORDING_KEYS
from human.recordings import recordings_folder, watched_folder
from tui.game_factory import compared_source, make_replay, recorded_source, replay_command
from tui.playback.source import PlaybackSource
from tui.results.browser import BrowserScreen, FileKind, aside, cells_of, modified, move
from tui.screens.dialogs import (
    RECORDING,
    BookmarkDialog,
    ExportRequested,
    PathDialog,
    WatchRequested,
    newest_first,
    recording_dialog,
)
from tui.screens.start import LastGame
from tui.style.base_app import bindings, key_of
from tui.widgets import LayoutPicture
from tui.widgets.sorted_table import SortableCell

MOST_NOTED = 20  # cells of a note on the start screen
CURVE_BLOCKS = "▁▂▃▄▅▆▇█"
CURVE_CELLS = 8  # cells of the score over time


def recorded_games() -> list[Path]:
    """Returns the recordings in the working folder and in the platform's data folders, newest first."""
    paths: dict[Path, Path] = {}
    for folder in (recordings_folder(), watched_folder(), Path()):
        for path in newest_first(folder, f"*{RECORDING}"):
            paths[path.resolve()] = path
    return sorted(paths.values(), key=modified, reverse=True)


def read_game(path: Path) -> Outcome:
    """Returns what came of a recorded game.

    Raises:
        BBAError: it cannot be read.
    """
    return outcome(load(path), str(path))


def renamed(path: Path, name: str) -> Path:
    """Gives a recording another name in its folder, and returns its new path.

    Raises:
        BBAError: there is a file of this name, or one that can be brought back, or the recording cannot be renamed.
    """
    new = path.with_name(name.removesuffix(RECORDING) + RECORDING)
    if new.exists() or aside(new).exists():
        raise BBAError(f"there is a file {new.name} already")
    with os_errors(f"{path} cannot be renamed"):
        move(((path, new), (usage_path(path), usage_path(new))))
    return new


def game_cells(path: Path, game: Outcome | None) -> list[SortableCell]:
    """Returns a game as a row; the name of its file, for which there is no column, comes last."""
    if game is None:
        empty = [SortableCell("", None) for _ in range(5)]
        return [*empty, SortableCell("cannot be read", None), *cells_of(path.name)]
    scores = game.scores
    cooks = " · ".join(game.config.agents)
    if game.rival is not None:
        ego, partner = game.config.agents
        cooks = f"duel: {ego} / {game.rival} · {partner}"
    elif path.parent == watched_folder():
        cooks += ", watched"
    unnamed = re.match(r"\d{8}-\d{6}-", path.name)  # by its time, where nobody has named it
    name = cooks if unnamed else path.stem
    replans = NONE if game.replans is None else str(game.replans)
    return [
        *cells_of(game.config.layout.name, scores[-1] if scores else 0),
        SortableCell(replans, game.replans),
        *cells_of(len(scores)),
        SortableCell(curve(scores), None),
        *cells_of(game.note or name, path.name),
    ]


def curve(scores: Sequence[int]) -> str:
    """Returns the course of a score as `CURVE` blocks, from none to the most of the game."""
    if not scores:
        return ""
    cells = min(CURVE_CELLS, len(scores))
    sampled = [scores[(number + 1) * len(scores) // cells - 1] for number in range(cells)]
    most = max(1, *sampled)
    highest = len(CURVE_BLOCKS) - 1
    heights = [max(0, score) * highest // most for score in sampled]
    return "".join(CURVE_BLOCKS[height] for height in heights)


RECORDING_FILES = FileKind(
    headings=("when", "kitchen", "score", "replans", "steps", "curve", "cooks"),  # the longest is the last
    empty="No recorded games yet: play one, or watch one for 100 steps. o opens one that lies elsewhere.",
    dated="",
    content=read_game,
    cells=game_cells,
    opened=recorded_source,
    dialog=recording_dialog,
    question="Delete {}? You can undo it until you leave this list.".format,
    files=lambda path: (path, usage_path(path)),
    exporting=lambda _: "playing the game again …",
    export=lambda path: make_replay(path, fast=True)().run(),
)
ROOMY_COLUMNS = 110  # columns from which the picture has room


class RecordingsScreen(BrowserScreen[Outcome, PlaybackSource, Trace]):
    """Shows recorded games, newest first, and posts a message where one is to be watched or exported.

    Args:
        speed: steps a second of a game that is watched.
    """

    SITUATION = "among recordings"

    BINDINGS = bindings(RECORDING_KEYS, priority=False)

    def __init__(self, speed: float) -> None:
        self._picture = LayoutPicture(id="end")
        self._speed = speed
        super().__init__("recorded games", RECORDING_FILES, recorded_games(), self._picture)

    def on_resize(self, event: events.Resize) -> None:
        self._picture.display = event.size.width >= ROOMY_COLUMNS

    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """The command that shows the game under the cursor, and the path of its file."""
        if self.chosen is None:
            return ("command", ""), ("path", "")
        path = self.chosen.path
        return ("command", replay_command(path)), ("path", str(path.absolute()))

    def action_compare(self) -> None:
        self.attempt(lambda: self.show(compared_source([entry.path for entry in self.targets])))

    @work
    async def action_rename(self) -> None:
        chosen = self.chosen
        if chosen is not None:
            dialog = PathDialog(
                lambda path: renamed(chosen.path, path.name),
                (),
                title="rename a recording",
                example="a name",
                unnamed="no name is given yet",
                action="Rename",
                suffix=None,
                value=chosen.path.name,
            )
            path = await self.app.push_screen_wait(dialog)
            if path is not None:
                self.entries[self.entries.index(chosen)] = replace(chosen, path=path)
                self._marked.discard(chosen.path)
                self._show()

    @work
    async def action_note(self) -> None:
        chosen = self.chosen
        if chosen is None or chosen.content is None:
            return
        path = chosen.path
        note = chosen.content.note
        answer = await self.app.push_screen_wait(BookmarkDialog(f"note on {path.name}", note or None))
        if answer is not None and self.attempt(lambda: recorded_source(path).bookmark(0, answer.note or None)):
            noted = replace(chosen, content=chosen.content._replace(note=answer.note or ""))
            self.entries[self.entries.index(chosen)] = noted
            self._show()

    def action_open_folder(self) -> None:
        folder = None if self.chosen is None else self.chosen.path.absolute().parent
        if folder is not None and not opened(folder):
            self.hint(f"it is in {folder}; {key_of(self.app, 'copy_path')} copies its path")

    def show(self, opened: PlaybackSource | None) -> None:
        """Watches a game."""
        if opened is not None:
            self.post_message(WatchRequested(self, opened, self._speed))

    def exported(self, export: Trace) -> None:
        """Asks for the game to be written to a file."""
        if export.ticks:
            self.post_message(ExportRequested(self, Snapshot(export, len(export.ticks))))
        else:
            self.notify("the recording holds no step", severity="error", markup=False)

    @on(DataTable.RowHighlighted)
    def show_end(self) -> None:
        """Shows the last state of the game under the cursor, and the name of its file."""
        chosen = self.chosen
        game = chosen.content if chosen is not None else None
        text = ""
        if chosen is not None:
            text = chosen.path.name
            if game is not None and game.note:
                text += f": {game.note}"
        self.query_one("#rows").border_subtitle = escape(visible_line(text))
        if game is None:
            self._picture.show_nothing()
            return
        layout = game.config.layout
        scene = scene_of(layout, game.state)
        self._picture.show_scene(layout, scene, "the end", f"after step {len(game.scores)}")


def opened(folder: Path) -> bool:
    """Opens a folder in a window of the desktop; returns whether there is what opens it."""
    name = {"darwin": "open", "win32": "explorer"}.get(sys.platform, "xdg-open")
    has_desktop = name != "xdg-open" or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
    program = shutil.which(name) if has_desktop else None
    if program is None:
        return False
    subprocess.Popen([program, folder], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)
    return True


def last_game() -> LastGame | None:
    """Returns the newest recorded game that can be read, which takes about 0.1 s."""
    for path in recorded_games():
        game = _game_in_words(path)
        if game is not None:
            return game
    return None


def _game_in_words(path: Path) -> LastGame | None:
    """Returns a game in few words; None where it cannot be read."""
    try:
        recording = load(path)
        config = recording.config
        steps = recording.steps
        result = outcome(recording, str(path))
    except BBAError:
        return None
    note = Content(result.note).truncate(MOST_NOTED, ellipsis=True).plain
    name = note or "+".join(config.agents)
    score = result.scores[-1] if result.scores else 0
    text = f"{config.layout.name} {name} score {score:,}"
    if HUMAN in config.agents or recording.other is not None or steps >= config.horizon:
        return LastGame(path, text)
    return LastGame(path, f"{text}, step {steps} of {config.horizon}", goes_on=True)
