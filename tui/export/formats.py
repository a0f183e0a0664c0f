"""Episodes as files that others can open: a film, a terminal cast, a picture of the screen, and two kinds of table.

The end of the file's name says which. Every format is a function of a trace, its steps and a speed that gives the whole
file as bytes, which are then written at once: whoever is interrupted leaves nothing half-written.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from bba.analysis.trace_export import StepRange, to_jsonl, to_parquet
from bba.errors import BBAError
from bba.files import check_writable, write_whole
from bba.play import GameConfig, Trace

Write = Callable[[Trace, range, float], bytes]


class Format(NamedTuple):
    """One kind of file.

    Attributes:
        description: what it is, in a few words.
        write: makes the file of a trace, its steps and the steps a second that a film shows.
        needs: the module of the optional extra without which it cannot be written, and that library's name.
    """

    description: str
    write: Write
    needs: tuple[str, str] | None = None


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
    ".gif": Format("a film of board and belief", _gif, ("PIL", "Pillow")),
    ".cast": Format("the screen, for asciinema", _cast),
    ".svg": Format("a picture of the screen", _svg),
    ".jsonl": Format("a table, one JSON object a step", lambda trace, steps, _: to_jsonl(trace, steps)),
    ".parquet": Format(
        "a table for data frames", lambda trace, steps, _: to_parquet(trace, steps), ("pyarrow", "pyarrow")
    ),
}


def format_of(path: Path) -> Format:
    """What kind of file this is to be, by the end of its name.

    Raises:
        BBAError: an end that stands for none, or a library that is not installed.
    """
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        raise BBAError(f"{path}: cannot tell the format; the name must end in {', '.join(FORMATS)}")
    if found.needs is not None and find_spec(found.needs[0]) is None:
        raise BBAError(f"{path}: a {path.suffix.lower()} file needs {found.needs[1]}: pip install 'bba-tui[export]'")
    return found


def check_exportable(path: Path) -> None:
    """Find out before the game, not after it, that this file cannot be written.

    Raises:
        BBAError: no such format, a library that is not installed, or no file can be written there.
    """
    format_of(path)
    check_writable(path)


def export(trace: Trace, path: Path, span: StepRange, speed: float) -> None:
    """Write these steps of a game to a file.

    Raises:
        BBAError: as `check_exportable`; or there is no such step.
    """
    write_whole(path, format_of(path).write(trace, span.of(len(trace.ticks)), speed))


def free_path(path: Path) -> Path:
    """The path, or where there is a file already, the first of name-2, name-3, … where there is none."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def default_name(config: GameConfig, step: int, suffix: str) -> str:
    """What a file about this game up to a step is called: kitchen, cooks, seed and step."""
    return f"{config.layout.name}-{'-'.join(config.agents)}-{config.seed}-step{step}{suffix}"
