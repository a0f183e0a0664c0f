"""The file formats of exported episodes: a film, a terminal recording, a picture of the screen, two kinds of table.

The suffix of the file's name selects the format. A format is a function of a trace, its steps and a speed that returns
the whole file as bytes, which are then written at once, so that an interruption leaves no half-written file.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from bba.analysis.trace_table import StepRange, to_jsonl, to_parquet
from bba.errors import BBAError
from bba.files import check_writable, write_whole
from bba.play import GameConfig, Trace

Write = Callable[[Trace, range, float], bytes]


class Format(NamedTuple):
    """One file format.

    Attributes:
        description: the format in a few words.
        write: makes the file from a trace, its steps, and the steps a second that a film shows.
        needs: the module and the name of the optional library that the format needs.
        film: whether it shows steps one after another, at a speed.
    """

    description: str
    write: Write
    needs: tuple[str, str] | None = None
    film: bool = False


def _gif(trace: Trace, steps: range, speed: float) -> bytes:
    from bba.film.film import to_gif

    return to_gif(trace, steps, speed)


def _cast(trace: Trace, steps: range, speed: float) -> bytes:
    from tui.export.screen_capture import to_cast

    return to_cast(trace, steps, speed)


def _svg(trace: Trace, steps: range, speed: float) -> bytes:
    from tui.export.screen_capture import to_svg

    return to_svg(trace, steps, speed)


FORMATS: dict[str, Format] = {
    ".gif": Format("a film of board and belief", _gif, ("PIL", "Pillow"), film=True),
    ".cast": Format("the screen, for asciinema", _cast, film=True),
    ".svg": Format("a picture of the screen", _svg),
    ".jsonl": Format("a table, one JSON object a step", lambda trace, steps, _: to_jsonl(trace, steps)),
    ".parquet": Format(
        "a table for data frames", lambda trace, steps, _: to_parquet(trace, steps), ("pyarrow", "pyarrow")
    ),
}


def format_of(path: Path) -> Format:
    """Returns the format of a file by its suffix.

    Raises:
        BBAError: an unknown suffix, or a library that is not installed.
    """
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        raise BBAError(f"{path}: cannot tell the format; the name must end in {', '.join(FORMATS)}")
    if found.needs is not None and find_spec(found.needs[0]) is None:
        raise BBAError(f"{path}: a {path.suffix.lower()} file needs {found.needs[1]}: pip install 'bba-tui[export]'")
    return found


def check_exportable(path: Path) -> None:
    """Checks before the game, not after it, that a file can be written.

    Raises:
        BBAError: an unknown suffix, a library that is not installed, or no file can be written there.
    """
    format_of(path)
    check_writable(path)


def export(trace: Trace, path: Path, span: StepRange, speed: float) -> None:
    """Writes steps of a game to a file.

    Raises:
        BBAError: as `check_exportable`, or there is no such step.
    """
    write_whole(path, format_of(path).write(trace, span.of(len(trace.ticks)), speed))


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
