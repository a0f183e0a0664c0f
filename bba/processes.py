"""Processes and threads of this machine: whether a process runs, and workers that end when their parent is gone."""

import os
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

Answer = TypeVar("Answer")

PARENT_LOOK = 0.25  # seconds between two looks whether the parent is still there


def is_running(pid: int) -> bool:
    """Returns whether a process of this number runs on this machine; True where that cannot be known."""
    if os.name != "posix":
        return True  # there, the call below would not ask, but end the process
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return not _has_ended(pid)


def _has_ended(pid: int) -> bool:
    """Whether a process has ended though its number is taken, as in a container where nobody asks how it ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_bytes()
        _, _, fields = status.rpartition(b")")  # the name before it may hold anything
        state = fields.split()[0]
    except (OSError, IndexError):
        return False  # not known, or it ended just now
    return state in (b"Z", b"X")


def in_thread(task: Callable[[], Answer]) -> Future[Answer]:
    """Begins a task in a thread of its own, which ends with this process; returns the future of its result."""
    future: Future[Answer] = Future()

    def run() -> None:
        try:
            future.set_result(task())
        except BaseException as error:  # noqa: BLE001 - it is raised again by the future
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def leave_with(parent: int) -> None:
    """Ends this process, from now on, as soon as its parent is gone; does nothing where parents are never replaced."""
    if os.name == "posix":
        threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_LOOK)
    os._exit(1)  # at once: nobody waits for what this process does


PARTIAL_SECONDS = 60.0  # seconds after which a half-written file of an ended process is removed


def remove_partial(folder: Path, pattern: str) -> None:
    """Removes half-written files and folders of processes that have ended.

    Args:
        folder: where they are.
        pattern: that of their names, which end with a dot or a hyphen and the number of the process.
    """
    with suppress(OSError):
        for path in folder.glob(pattern):
            name_without_number = path.name.rstrip("0123456789")
            number = path.name.removeprefix(name_without_number)
            if number and not path.is_symlink() and not is_running(int(number)) and _is_old(path):
                _remove(path)


def _is_old(path: Path) -> bool:
    """Whether nothing was written for a while: the process may be one of another machine."""
    return time.time() - path.stat().st_mtime > PARTIAL_SECONDS


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
