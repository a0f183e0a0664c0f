"""Processes of this machine, and threads: whether one runs, and workers that leave when what started them is gone."""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
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
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return False  # not known, or it ended just now
    return state in (b"Z", b"X")


def in_thread(task: Callable[[], Answer]) -> Future[Answer]:
    """Begins a task in a thread of its own, which ends with this process; returns what will come of it."""
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
        threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_LOOK)
    os._exit(1)  # at once: nobody waits for what this process does
