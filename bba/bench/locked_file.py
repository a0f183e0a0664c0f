"""A file that several runners lock in turn: a method waits while another holds it, and can be interrupted meanwhile."""

import sqlite3
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from bba.errors import BBAError, shortened

LOOK = 1.0  # seconds that SQLite itself waits for another runner's transaction; then a signal is heeded
PAUSE = 0.05  # seconds between two looks, for a file system that does not let SQLite wait
OPENING = 30.0  # seconds to wait when the file is opened: longer than that only where locks do not work
PATIENCE = 600.0  # the same later, when locks are known to work: a machine may be short of time

LOCKS_FAIL = {  # the names of SQLite's errors where a file system cannot lock
    "SQLITE_BUSY",
    "SQLITE_PERM",
    "SQLITE_PROTOCOL",
    "SQLITE_IOERR_LOCK",
    "SQLITE_IOERR_RDLOCK",
    "SQLITE_IOERR_UNLOCK",
    "SQLITE_IOERR_CHECKRESERVEDLOCK",
    "SQLITE_IOERR_BLOCKED",
}
NO_LOCKS = (
    "files cannot be locked there, or another program holds it; take a folder on a disk of this machine, and for "
    "several machines one run with --engine ray, or a run on each and --merge"
)


class LockedFile(Protocol):
    """Has such a file at `path`, for which it waits `patience` seconds."""

    path: Path
    patience: float


Owner = TypeVar("Owner", bound=LockedFile)
Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def patient(act: Callable[Concatenate[Owner, Arguments], Answer]) -> Callable[Concatenate[Owner, Arguments], Answer]:
    """Calls a method of a `LockedFile` again while another runner holds the file.

    It must write all that it writes in one transaction, and can be called again with the same arguments.

    Raises:
        BBAError: any error of the database, as one line that names the file.
    """

    @wraps(act)
    def acts(owner: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        until = time.monotonic() + owner.patience
        while True:
            try:
                return act(owner, *args, **kwargs)
            except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter in the words of the former
                name = getattr(error, "sqlite_errorname", "")
                if name != "SQLITE_BUSY" or time.monotonic() >= until:
                    raise _in_words(owner.path, error, name) from None
            time.sleep(PAUSE)

    return acts


def _in_words(path: Path, error: Exception, name: str) -> BBAError:
    """Returns an error of the database, with SQLite's name for it, as one line."""
    if name in LOCKS_FAIL:
        return BBAError(f"{path.parent}: {shortened(error)}: {NO_LOCKS}")
    return BBAError(f"{path}: {shortened(error)}; what was stored before is kept")
