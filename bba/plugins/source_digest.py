"""The digest of a plug-in's own source files: games with it are filed under that, so that an edit makes them new games.

Of a file these are the file itself; of a module of a package all Python files of the package. Other files count too if
the module of the plug-in lists them in `PLUGIN_FILES`, relative to itself: weights, for one.
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from bba.errors import BBAError
from bba.files import read_bytes


def source_digest(module: str) -> str:
    """Returns 16 hex digits: the digest of the source files of an imported module, by their names and contents.

    Raises:
        BBAError: it lists a file that cannot be read.
    """
    top, digest = sys.modules[module.partition(".")[0]], hashlib.blake2b(digest_size=8)
    for root, file in [*_sources(top), *_listed(sys.modules[module])]:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + read_bytes(file) + b"\0")
    return digest.hexdigest()


def _sources(top: ModuleType) -> Iterator[tuple[Path, Path]]:
    """Yields each Python file of a package or module with the folder that it is in."""
    folders = [Path(folder) for folder in getattr(top, "__path__", ())]
    for folder in folders:
        yield from ((folder, file) for file in sorted(folder.rglob("*.py")) if file.is_file())
    if not folders and top.__file__:
        yield Path(top.__file__).parent, Path(top.__file__)


def _listed(module: ModuleType) -> Iterator[tuple[Path, Path]]:
    """Yields the other files that a module says it needs."""
    files = getattr(module, "PLUGIN_FILES", ())
    if files and not module.__file__:
        raise BBAError(f"{module.__name__}: PLUGIN_FILES stands in a file of its own")
    folder = Path(module.__file__ or "").parent
    yield from ((folder, folder / file) for file in sorted(map(str, files)))
