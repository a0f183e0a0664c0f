"""The command `kitchen import`: makes a kitchen of a layout of Overcooked-AI."""

import shlex
import sys
from pathlib import Path

from bba.analysis.kitchen_structure import warn_of_layout
from bba.errors import BBAError
from bba.files import write_whole
from bba.kitchen import Layout, Position
from bba.kitchen.overcooked_layout import SUFFIX
from bba.settings import Settings
from tui.design.kitchen_file import kitchen_text, own_path, writable_path
from tui.design.overcooked import filled, imported, missing


def import_kitchen(settings: Settings) -> None:
    """Writes the kitchen that is made of a layout of Overcooked-AI, and says what it took and what is missing.

    Raises:
        BBAError: the layout cannot be read, or the kitchen's file exists or cannot be written.
    """
    source = settings.kitchen_import or Path()
    if source.suffix != SUFFIX:
        raise BBAError(f"{source}: a layout of Overcooked-AI is a file that ends in {SUFFIX}")
    kitchen = imported(source)
    target = writable_path(settings.out or own_path(source))
    if target.exists() and not settings.force:
        raise BBAError(f"--out: {target} exists; --force writes over it")
    draft = kitchen.draft
    placed: dict[str, Position] = {}
    if settings.fill:
        try:
            draft, placed = filled(kitchen)
        except BBAError as error:
            raise BBAError(f"{source}: {error}") from None
    write_whole(target, kitchen_text(draft, target.stem))
    path = shlex.quote(str(target))
    places = ", ".join(f"{name} {column},{row}" for name, (column, row) in placed.items())
    lacking = ", ".join(missing(draft))
    lines = [f"written to {path}: {draft.width}x{draft.height} tiles, from a layout of Overcooked-AI"]
    if kitchen.in_words:
        lines.append(kitchen.in_words)
    if places:
        lines.append(f"placed on counters (column,row from 0): {places}")
    if lacking:
        lines.append(f"missing: {lacking}; place them: bba-tui design {path}; or --fill does")
    else:
        lines.append(f"to play in it: bba-tui play {path}; to change it: bba-tui design {path}")
    sys.stdout.writelines(f"{line}\n" for line in lines)
    if not lacking:
        warn_of_layout(Layout.load(target))
