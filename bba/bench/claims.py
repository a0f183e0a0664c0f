"""Which runner plays which episode: the table ``claims`` of a results file.

A claim is free again when its runner ends, when its process is gone, or when there was no heartbeat for a while: soon
if the runner is elsewhere, late if its process is seen to run, since others may leave it no time. A claim from the
future, which a clock that was set back leaves behind, is free as well.

A file that several runners lock in turn: a method waits while another holds it, and can be interrupted meanwhile.
"""

import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Callable, Collection
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from bba.errors import BBAError, shortened
from bba.processes import is_running

FINISHED = "SELECT key FROM episodes WHERE failure IS NULL AND (NOT :recorded OR recording IS NOT NULL)"
OTHERS = "another run of this sweep, which plays the rest"
MISSED = 3.0  # seconds without a heartbeat after which a process of this machine that is gone has lost its claims
REMOTE_SILENCE = 10.0  # the same for a runner of another machine
STUCK = 600.0  # the same for a process that runs: it hangs, or its number is another one's by now
_CLAIM = f"""
INSERT INTO claims (key, runner, seen, host, pid, since)
SELECT :key, :runner, :now, :host, :pid, :now WHERE NOT EXISTS ({FINISHED} AND key = :key)
ON CONFLICT (key) DO UPDATE SET runner = :runner, seen = :now, host = :host, pid = :pid, since = :now
WHERE is_free(seen, host, pid)
"""


class Claims:
    """The claims of one runner, and its view of those of others; `database` is the results file, open."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._who = {"runner": uuid.uuid4().hex, "host": platform.node(), "pid": os.getpid()}
        database.create_function("is_free", 3, self._is_free)

    def take(self, key: str, *, recorded: bool = False) -> bool:
        """Claims an episode; returns False if it is finished (with a recording, if `recorded`) or claimed elsewhere."""
        values = self._who | {"key": key, "recorded": recorded, "now": time.time()}
        return self._database.execute(_CLAIM, values).rowcount == 1

    def renew(self) -> None:
        """Sends a heartbeat for all claims of this runner."""
        self._database.execute("UPDATE claims SET seen = ? WHERE runner = ?", (time.time(), self._who["runner"]))

    def release(self, key: str | None = None) -> None:
        """Frees one claim of this runner, or all of them."""
        one = "" if key is None else " AND key = :key"
        self._database.execute(f"DELETE FROM claims WHERE runner = :runner{one}", self._who | {"key": key})

    def waited_for(self, keys: Collection[str]) -> str:
        """Returns for which runs, and since when, the episodes of these keys have to wait, in words."""
        wanted = set(keys)
        found = [row for row in self._database.execute("SELECT key, host, pid, since FROM claims") if row[0] in wanted]
        if not found or any(since is None for *_, since in found):
            return OTHERS
        since = time.strftime("%H:%M:%S", time.localtime(min(row[3] for row in found)))
        episodes = "1 episode" if len(found) == 1 else f"{len(found)} episodes"
        runs = sorted({self._run(host, pid) for _, host, pid, _ in found})
        return f"{episodes} that {' and '.join(runs[:3])} {'plays' if len(runs) == 1 else 'play'}, since {since}"

    def _run(self, host: str, pid: int) -> str:
        return f"process {pid} on {'this machine' if host == self._who['host'] else host}"

    def _is_free(self, seen: float, host: str | None, pid: int | None) -> bool:
        """Whether a claim with this last heartbeat counts no more."""
        silent = time.time() - seen
        if silent < -REMOTE_SILENCE:
            return True
        if pid is None or host != self._who["host"]:
            return silent > REMOTE_SILENCE
        return silent > (STUCK if is_running(pid) else MISSED)


LOCK_WAIT = 1.0  # seconds that SQLite itself waits for another runner's transaction; then a signal is heeded
LOCK_PAUSE = 0.05  # seconds between two looks, for a file system that does not let SQLite wait
OPENING = 30.0  # seconds to wait when the file is opened: longer than that only where locks do not work
LOCK_PATIENCE = 600.0  # the same later, when locks are known to work: a machine may be short of time

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
            time.sleep(LOCK_PAUSE)

    return acts


def _in_words(path: Path, error: Exception, name: str) -> BBAError:
    """Returns an error of the database, with SQLite's name for it, as one line."""
    if name in LOCKS_FAIL:
        return BBAError(f"{path.parent}: {shortened(error)}: {NO_LOCKS}")
    return BBAError(f"{path}: {shortened(error)}; what was stored before is kept")
