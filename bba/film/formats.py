"""The file formats of a game that need no screen: a film, a picture, two kinds of table.

The suffix of the file's name selects the format. The whole file is made as bytes, which are then written at once, so
that an interruption leaves no half-written file.
"""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import NamedTuple, Self

from bba.analysis.human_choices import with_inferred_skills
from bba.errors import BBAError
from bba.files import check_writable, read_bytes, write_output
from bba.play import Trace

FILM_SPEED = 10.0  # steps a second of a film


class StepRange(NamedTuple):
    """A range of steps: `first` to `last` (None: the newest), both included, every `every`-th of them."""

    first: int = 1
    last: int | None = None
    every: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses ``100:300``, ``100:300:2``, ``:300``, ``::2`` or, for one step, ``300``.

        Raises:
            BBAError: another form, a step below 1, or an end before the beginning.
        """
        match = re.fullmatch(r"([0-9]{0,7})(?:(:)([0-9]{0,7})(?::([0-9]{0,7}))?)?", text.strip())
        if match is None or not text.strip():
            raise BBAError(f"{text[:60]!r} is not FIRST:LAST or FIRST:LAST:EVERY, such as 100:300 or 1:2400:2")
        first = int(match[1] or 1)
        last: int | None = first
        if match[3]:
            last = int(match[3])
        elif match[2]:
            last = None  # "100:" goes on to the newest
        steps = cls(first, last, int(match[4] or 1))
        if steps.first < 1 or steps.every < 1 or (steps.last is not None and steps.last < steps.first):
            raise BBAError(f"{text!r} must count from 1, forward")
        return steps

    def of(self, played: int) -> range:
        """Returns these steps of a game with `played` steps; those beyond its end are left out.

        Raises:
            BBAError: none of them has been played.
        """
        steps = range(self.first, min(played, self.last or played) + 1, self.every)
        if not steps:
            raise BBAError(f"there is no step {self.first} to export; the game has {played}")
        return steps


class Format(NamedTuple):
    """One file format.

    Attributes:
        description: the format in a few words.
        maker: what makes the file, as "module:function", imported only then: of one or two games and `steps`, for a
            film also of its `speed`.
        needs: the module and the name of the optional library that the format needs.
        film: whether it shows steps one after another, at a speed.
    """

    description: str
    maker: str
    needs: tuple[str, str] | None = None
    film: bool = False

    def made(self, games: Sequence[Trace], steps: range, speed: float) -> bytes:
        """Returns the file of these steps of a game, or of both games of a duel, at `speed` steps a second."""
        make = resolve_name(self.maker)
        content: bytes = make(*games, steps=steps, speed=speed) if self.film else make(*games, steps=steps)
        return content


# suffix: what a browser calls it, of files that a notebook shows
SHOWN_FORMATS: Mapping[str, str] = MappingProxyType({".gif": "image/gif", ".png": "image/png"})
PILLOW = ("PIL", "Pillow")
PYARROW = ("pyarrow", "pyarrow")
GAME_FORMATS: dict[str, Format] = {
    ".gif": Format("a film of board and belief", "bba.film.film:to_gif", PILLOW, film=True),
    ".png": Format("a picture of board and belief, after the last of the steps", "bba.film.film:to_png", PILLOW),
    ".jsonl": Format("a table, one JSON object a step", "bba.analysis.trace_table:to_jsonl"),
    ".parquet": Format("a table for data frames", "bba.analysis.trace_table:to_parquet", PYARROW),
}


def format_of(path: Path, formats: Mapping[str, Format] = GAME_FORMATS) -> Format:
    """Returns the format of a file by its suffix.

    Raises:
        BBAError: an unknown suffix, or a library that is not installed.
    """
    file_format = formats.get(path.suffix.lower())
    if file_format is None:
        raise BBAError(f"{path}: cannot tell the format; the name must end in {', '.join(formats)}")
    if file_format.needs is not None and find_spec(file_format.needs[0]) is None:
        raise BBAError(
            f"{path}: a {path.suffix.lower()} file needs {file_format.needs[1]}: pip install 'bba-tui[export]'"
        )
    return file_format


def check_exportable(path: Path, formats: Mapping[str, Format] = GAME_FORMATS) -> None:
    """Checks before the game, not after it, that a file can be written.

    Raises:
        BBAError: an unknown suffix, a library that is not installed, or no file can be written there.
    """
    format_of(path, formats)
    check_writable(path)


def write(
    games: Sequence[Trace],
    path: Path,
    span: StepRange,
    speed: float,
    formats: Mapping[str, Format] = GAME_FORMATS,
    *,
    replace: bool = True,
) -> Path:
    """Writes steps of a game, or of both games of a duel, to a file, with the skills that people pursued.

    Returns:
        Where it is: `path`, or a free name beside it if another file is there that it may not `replace`.

    Raises:
        BBAError: as `check_exportable`, or there is no such step.
    """
    games = [with_inferred_skills(game) for game in games]
    steps = span.of(len(games[0].ticks))
    content = format_of(path, formats).made(games, steps, speed)
    return write_output(path, content, replace=replace)


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file that was written; in a notebook a film and a picture show themselves, also in its exported page.

    Attributes:
        path: the file.
    """

    path: Path

    def __fspath__(self) -> str:
        return str(self.path)

    def _repr_html_(self) -> str | None:
        """Returns the film or the picture itself, so that an exported page has it, too; None for a table."""
        kind = SHOWN_FORMATS.get(self.path.suffix.lower())
        if kind is None:
            return None
        try:
            data = b64encode(read_bytes(self.path)).decode()
        except BBAError:
            return None  # it was moved meanwhile, or is too large for a page
        return f'<img src="data:{kind};base64,{data}" alt="{escape(self.path.name)}" style="max-width:100%">'


def export(trace: Trace, path: Path | str, steps: str | None = None, *, speed: float = FILM_SPEED) -> ExportedFile:
    """Writes a game, or some of its steps, to a file: a film (.gif), a picture (.png), a table (.jsonl, .parquet).

    Args:
        trace: the game.
        path: the file; the end of its name selects the format.
        steps: as "100:300", "100:300:2", ":300", "::2" or "300"; None for all. A picture shows the last of them.
        speed: of a film, in steps a second, above 0.

    Returns:
        The file, which a notebook shows as the last line of a cell.

    Raises:
        BBAError: another ending, no such steps, a library that is not installed, or the file cannot be written.
    """
    if not speed > 0:
        raise BBAError(f"speed: {speed} is not allowed; above 0")
    span = StepRange() if steps is None else StepRange.parse(steps)
    return ExportedFile(write([trace], Path(path), span, speed))
