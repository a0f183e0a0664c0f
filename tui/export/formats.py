"""The file formats of exported episodes: those of the core, a terminal recording, and a picture of the
screen. The suffix of the file's name selects the format.
"""

from pathlib import Path
from typing import NamedTuple

from bba.film.formats import GAME_FORMATS, PILLOW, Format
from bba.play import GameConfig, Trace


def _cast(trace: Trace, steps: range, speed: float) -> bytes:
    from tui.export.screen_capture import to_cast

    return to_cast(trace, steps, speed)


def _svg(trace: Trace, steps: range, speed: float, other: Trace | None = None) -> bytes:
    from tui.export.screen_capture import to_svg

    return to_svg(trace, steps, speed, other)


# In the order in which the dialog offers them. Those of the screen import Textual, but only once they are written, so
# that a game without a screen starts as quickly as without an export.
FORMATS: dict[str, Format] = {
    ".gif": GAME_FORMATS[".gif"],
    ".png": GAME_FORMATS[".png"],
    ".cast": Format("the screen, for asciinema", _cast, film=True),
    ".svg": Format("a picture of the screen", _svg),
    ".jsonl": GAME_FORMATS[".jsonl"],
    ".parquet": GAME_FORMATS[".parquet"],
}


DUEL_SUFFIXES = (".gif", ".png", ".svg")  # of `duel_formats`


def duel_formats(other: Trace) -> dict[str, Format]:
    """Returns the formats that show both games of a duel, whose other game this is."""

    def gif(trace: Trace, steps: range, speed: float) -> bytes:
        from bba.film.duel import to_duel_gif

        return to_duel_gif((trace, other), steps, speed)

    def png(trace: Trace, steps: range, speed: float) -> bytes:  # noqa: ARG001 - one step has no speed
        from bba.film.duel import to_duel_png

        return to_duel_png((trace, other), steps)

    return {
        ".gif": Format("a film of both games and who leads", gif, PILLOW, film=True),
        ".png": Format("a picture of both games, after the last of the steps", png, PILLOW),
        ".svg": Format("a picture of the screen", lambda trace, steps, speed: _svg(trace, steps, speed, other)),
    }


class ExportRequest(NamedTuple):
    """What is to be exported.

    Attributes:
        path: a file that does not exist yet.
        steps: the steps that go into it.
        speed: how many of them a film shows in a second.
    """

    path: Path
    steps: range
    speed: float


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
