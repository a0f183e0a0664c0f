"""The files of compiled kernels: one for a kernel and the types of its arguments, with a seal at its end.

The seal is a digest of the rest. A file that a full disk, a kill or a synchronised folder has cut or changed is as good
as none: its kernel is compiled anew, in the background like any other.
"""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SUFFIX = ".nbc"
SEAL = 16  # bytes


def sealed(content: bytes) -> bytes:
    """Returns a content with its seal, as a file has it."""
    return content + _seal(content)


def is_whole(path: Path) -> bool:
    """Whether a file is there, can be read and is as it was written."""
    try:
        content = memoryview(path.read_bytes())
    except OSError:
        return False
    return content[-SEAL:] == _seal(content[:-SEAL])


def file_name(function: Callable[..., Any], key: object) -> str:
    """Returns the name of the file of a kernel; `key` tells the types of its arguments apart by its `repr`."""
    digest = hashlib.blake2b(repr(key).encode(), digest_size=8).hexdigest()
    return f"{_name(function)}-{digest}{SUFFIX}"


def whole_files(folder: Path, function: Callable[..., Any] | None = None) -> Iterator[Path]:
    """Yields the usable files in a folder, or those of one kernel."""
    pattern = f"*{SUFFIX}" if function is None else f"{_name(function)}-*{SUFFIX}"
    try:
        yield from filter(is_whole, folder.glob(pattern))
    except OSError:  # it cannot be looked into
        return


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _seal(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=SEAL, person=b"kernel").digest()
