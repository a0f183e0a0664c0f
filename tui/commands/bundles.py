"""Opens the bundle that a command was given in the place of a folder or a recording."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bba.bundle import Kind

MAGIC = b"PK\x03\x04"


def opened(path: Path, kind: "Kind") -> Path:
    """Returns what a bundle was opened as; a folder or a recording as it is.

    Raises:
        BBAError: a bundle is damaged, holds what it must not, or cannot be opened.
    """
    if not is_archive(path):
        return path
    from bba.bundle import opened_bundle

    return opened_bundle(path, kind)


def is_archive(path: Path) -> bool:
    """Returns whether a file begins as an archive does; False where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False
