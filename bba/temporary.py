"""Temporary folders that go with their process; those of a process that was killed go when the next one is made.

A folder holds a lock as long as its process runs, which the system takes back however the process ends. Only a folder
of this user's own, with such a lock that nobody holds, is removed: names alone prove nothing in a folder of everybody.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from bba.errors import BBAError

PREFIX = "bba-tui-"
LOCK = "in-use"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Makes a folder for its block, which this user alone can read.

    Raises:
        BBAError: it cannot be made.
    """
    place = Path(tempfile.gettempdir())
    remove_folders(place)
    try:
        unnamed = Path(tempfile.mkdtemp(dir=place, prefix=f".{PREFIX}"))  # nobody takes it for one that is left over
    except OSError as error:
        raise BBAError(f"{place}: no temporary folder can be made: {error.strerror or error}") from None
    folder = place / unnamed.name.removeprefix(".")
    try:
        with FileLock(unnamed / LOCK, mode=0o600):
            unnamed.rename(folder)
            yield folder
    finally:
        shutil.rmtree(unnamed, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def remove_folders(place: Path) -> None:
    """Removes the folders in a place whose processes have ended without removing them."""
    with suppress(OSError):
        for folder in place.glob(f"{PREFIX}*"):
            lock = folder / LOCK
            if _is_of_this_user(folder) and lock.is_file() and not lock.is_symlink():
                _remove_if_free(folder)


def _is_of_this_user(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:  # somebody else has removed it
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o077


def _remove_if_free(folder: Path) -> None:
    with suppress(OSError, Timeout), FileLock(folder / LOCK, timeout=0, mode=0o600):
        shutil.rmtree(folder, ignore_errors=True)
