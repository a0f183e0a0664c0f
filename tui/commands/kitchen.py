"""The command `kitchen import`: makes a kitchen of a layout of Overcooked-AI."""

import shlex
import sys
from pathlib import Path

from bba.errors import BBAError
from tui.arguments.options import CommandOptions, Force, KitchenOptions, Out


class KitchenImport(KitchenOptions, CommandOptions):
    """Options of `kitchen import`."""

    source: Path
    out: Out = None
    force: Force = False


def kitchen_import(options: KitchenImport) -> None:
    """Make a kitchen of a layout of Overcooked-AI, and say what it took and what is missing.

    Raises:
        BBAError: the layout cannot be read, or the kitchen's file exists or cannot be written.
    """
    from bba.analysis.kitchen_structure import warn_of_layout
    from bba.files import write_whole
    from bba.kitchen import Layout, Position
    from bba.kitchen.overcooked_layout import SUFFIX
    from tui.design.kitchen_file import kitchen_text, own_path, writable_path
    from tui.design.overcooked import filled, imported, missing

    source = options.source
    if source.suffix != SUFFIX:
        raise BBAError(f"{source}: a layout of Overcooked-AI is a file that ends in {SUFFIX}")
    kitchen = imported(source)
    target = writable_path(options.out or own_path(source))
    if target.exists() and not options.force:
        raise BBAError(f"--out: {target} exists; --force writes over it")
    draft = kitchen.draft
    placed: dict[str, Position] = {}
    if options.fill:
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
