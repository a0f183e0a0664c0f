"""A game without a screen, written into a file as a film, a picture or a table."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bba.errors import BBAError
from bba.film.formats import StepRange, check_exportable, write
from bba.play import Trace
from bba.terminal_text import note_lines, visible_line
from tui.arguments.options import ScreenlessGame
from tui.export.formats import DUEL_FORMATS, FORMATS
from tui.game_factory import check_output, other_name_note


@dataclass(frozen=True, slots=True)
class Film:
    """A file into which games are written.

    Attributes:
        path: the file; its suffix says how.
        span: which steps.
        speed: steps a second.
        replace: whether it may exist.
    """

    path: Path
    span: StepRange
    speed: float
    replace: bool

    def write(self, games: Sequence[Trace]) -> None:
        """Writes the file and says so; on a terminal also before, because a film takes a while."""
        if sys.stderr is not None and sys.stderr.isatty():
            note_lines(f"writing {visible_line(self.path)} …")
        formats = FORMATS if len(games) == 1 else DUEL_FORMATS
        written = write(games, self.path, self.span, self.speed, formats, replace=self.replace)
        note_lines(f"{other_name_note(self.path, written)}wrote {visible_line(written)}")


def checked_film(options: ScreenlessGame, replay: Path | None, export: Path | None, *, duel: bool) -> Film | None:
    """Checks before the game what cannot be exported after it; returns what is to be exported, if anything is.

    Raises:
        BBAError: the file cannot be written or exists already, or there will be no such steps.
    """
    formats = DUEL_FORMATS if duel else FORMATS
    check_output("export", export, force=options.force, check=lambda path: check_exportable(path, formats))
    try:
        span = StepRange()
        if options.export_steps is not None:
            span = StepRange.parse(options.export_steps)
        if replay is None:
            span.of(options.horizon)
    except BBAError as error:
        raise BBAError(f"--export-steps: {error}") from None
    if export is None:
        return None
    return Film(export, span, options.film_speed, replace=options.force)
