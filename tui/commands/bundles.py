"""Opens the bundle that a command was given in the place of a folder or a recording."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bba.bundle import Kind


def opened(path: Path, kind: "Kind") -> Path:
    """Returns what a bundle was opened as; a folder or a recording as it is.

    Raises:
        BBAError: a bundle is damaged, holds what it must not, or cannot be opened.
    """
    from bba.bundle import is_archive, opened_bundle

    return opened_bundle(path, kind) if is_archive(path) else path
