"""The file formats of exported episodes: those of the core but its picture, a terminal recording, and a picture of the
screen. The suffix of the file's name selects the format.
"""

from pathlib import Path

from bba.analysis.snapshot import StepRange
from bba.film import formats
from bba.film.formats import Format
from bba.play import GameConfig, Trace


def _cast(trace: Trace, steps: range, speed: float) -> bytes:
    from tui.export.screen_capture import to_cast

    return to_cast(trace, steps, speed)


def _svg(trace: Trace, steps: range, speed: float) -> bytes:
    from tui.export.screen_capture import to_svg

    return to_svg(trace, steps, speed)


FORMATS: dict[str, Format] = {
    ".gif": formats.GAME_FORMATS[".gif"],
    ".cast": Format("the screen, for asciinema", _cast, film=True),
    ".svg": Format("a picture of the screen", _svg),
    ".jsonl": formats.GAME_FORMATS[".jsonl"],
    ".parquet": formats.GAME_FORMATS[".parquet"],
}


def format_of(path: Path) -> Format:
    """Returns the format of a file by its suffix.

    Raises:
        BBAError: an unknown suffix, or a library that is not installed.
    """
    return formats.format_of(path, FORMATS)


def check_exportable(path: Path) -> None:
    """Checks before the game, not after it, that a file can be written.

    Raises:
        BBAError: an unknown suffix, a library that is not installed, or no file can be written there.
    """
    formats.check_exportable(path, FORMATS)


def export(trace: Trace, path: Path, span: StepRange, speed: float) -> None:
    """Writes steps of a game to a file.

    Raises:
        BBAError: as `check_exportable`, or there is no such step.
    """
    formats.write(trace, path, span, speed, FORMATS)


def free_path(path: Path) -> Path:
    """Returns the path, or the first of name-2, name-3, … where a file exists already."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def default_name(config: GameConfig, step: int, suffix: str) -> str:
    """Returns the default name of a file: kitchen, agents, seed and step."""
    return f"{config.layout.name}-{'-'.join(config.agents)}-{config.seed}-step{step}{suffix}"
