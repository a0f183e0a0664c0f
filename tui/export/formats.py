"""The file formats of exported episodes: those of the core, a terminal recording, and a picture of the
screen. The suffix of the file's name selects the format.
"""

from pathlib import Path
from typing import NamedTuple

from bba.film.formats import GAME_FORMATS, PILLOW, Format
from bba.play import GameConfig

SCREEN_PICTURE = Format("a picture of the screen", "tui.export.screen_capture:to_svg")
# In the order in which the dialog offers them. Those of the screen import Textual, but only once they are written, so
# that a game without a screen starts as quickly as without an export.
FORMATS: dict[str, Format] = {
    ".gif": GAME_FORMATS[".gif"],
    ".png": GAME_FORMATS[".png"],
    ".cast": Format("the screen, for asciinema", "tui.export.screen_capture:to_cast", film=True),
    ".svg": SCREEN_PICTURE,
    ".jsonl": GAME_FORMATS[".jsonl"],
    ".parquet": GAME_FORMATS[".parquet"],
}
DUEL_FORMATS: dict[str, Format] = {  # that show both games of a duel
    ".gif": Format("a film of both games and who leads", "bba.film.duel:to_duel_gif", PILLOW, film=True),
    ".png": Format("a picture of both games, after the last of the steps", "bba.film.duel:to_duel_png", PILLOW),
    ".svg": SCREEN_PICTURE,
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


def default_name(config: GameConfig, step: int, suffix: str) -> str:
    """Returns the default name of a file: kitchen, agents, seed and step."""
    return f"{config.layout.name}-{'-'.join(config.agents)}-{config.seed}-step{step}{suffix}"
