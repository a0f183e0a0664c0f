"""Recorded games as a list shows them: when, where, who, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from bba.errors import BBAError
from bba.play import GameConfig, load
from bba.play.outcome import Outcome, outcome
from human.session import recordings_folder
from tui.screens.dialogs import RECORDING, newest_first
from tui.widgets.sorted_table import SortableCell

LEVELS = "▁▂▃▄▅▆▇█"
CURVE = 8  # cells of the score over time


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
    """Returns the recordings in the working folder and in the platform's data folder, newest first."""
    folders = (recordings_folder(), Path())
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
    names = (game.config.layout.name, " · ".join(game.config.agents))
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
    cells = min(CURVE, len(scores))
    sampled = [scores[(number + 1) * len(scores) // cells - 1] for number in range(cells)]
    most = max(1, *sampled)
    return "".join(LEVELS[max(0, score) * (len(LEVELS) - 1) // most] for score in sampled)


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
