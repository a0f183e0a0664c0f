"""The command --merge: puts the results of several folders together."""

import sys
from pathlib import Path

from bba.bench.merging import merge
from bba.bench.stored_rows import damage_text
from bba.errors import BBAError
from bba.settings import Settings


def merge_results(settings: Settings) -> None:
    """Adds the results of the folders of --merge to that of --out, and says how many episodes it holds then.

    Raises:
        BBAError: there is no --out, or a folder cannot be used.
    """
    if settings.out is None:
        raise BBAError("--merge: say into which folder with --out")
    merged = merge([Path(name.strip()) for name in (settings.merge or "").split(",")], settings.out)
    if merged.damaged:
        sys.stderr.write(f"{damage_text(merged.damaged)}\n")
    sys.stdout.write(f"{settings.out}: {merged.episodes} episodes\n")
