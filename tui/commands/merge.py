"""The command --merge: puts the results of several folders together."""

import sys
from pathlib import Path

from bba.bench.merging import merge
from bba.errors import BBAError
from bba.settings import Settings
from tui.commands.sweep_output import kept_line


def merge_results(settings: Settings) -> None:
    """Adds the results of the folders of --merge to that of --out, and says how many episodes it holds then.

    Raises:
        BBAError: there is no --out, or a folder cannot be used.
    """
    if settings.out is None:
        raise BBAError("--merge: say into which folder with --out")
    merged = merge([Path(name.strip()) for name in (settings.merge or "").split(",")], settings.out)
    for line in merged.damage:
        sys.stderr.write(f"{line}\n")
    counted = "1 episode" if merged.episodes == 1 else f"{merged.episodes} episodes"
    sys.stdout.write(
        f"{settings.out} holds {counted}; the sweep into it plays what is missing\n{kept_line(settings.out)}\n"
    )
