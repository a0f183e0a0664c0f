"""Engines that play episodes: processes of this machine or threads of this process; a Ray cluster is in `ray_engine`.

An engine takes a task and returns a `concurrent.futures.Future`. A future that raises means that its worker died.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, ParamSpec, Protocol, TypeVar

from bba.processes import leave_with

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

IDLE = 20  # seconds without work after which a worker ends


class Engine(Protocol):
    """Runs tasks, `workers` of them at the same time, and takes `ahead` more, so that no worker waits for the next."""

    workers: int
    ahead: int

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Starts a task."""

    def close(self) -> None:
        """Stops at once; running tasks are lost."""


# Each worker would multiply matrices with as many threads as there are cores and wait for the threads of the others:
# three trainings on two cores took ten times as long.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


# loky's process that cleans up after a killed runner would tell the terminal so; it starts with these options.
QUIET = "ignore:resource_tracker:UserWarning"


class ProcessEngine:
    """Worker processes of this machine (loky). If one dies, all of them are replaced."""

    def __init__(self, workers: int | None = None) -> None:
        import loky

        self._loky = loky
        if QUIET not in sys.warnoptions:
            sys.warnoptions.append(QUIET)
        self.workers = self.ahead = workers or loky.cpu_count()

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Starts a task in a worker."""
        with _no_interrupt():
            future: Future[Answer] = self._executor().submit(task, *args, **kwargs)
        return future

    def close(self) -> None:
        """Ends the workers."""
        self._executor().shutdown(wait=True, kill_workers=True)

    def _executor(self) -> Any:
        """Returns the executor; a new one if a worker has died."""
        return self._loky.get_reusable_executor(
            max_workers=self.workers, timeout=IDLE, initializer=_begin_work, initargs=(os.getpid(),), env=ONE_THREAD
        )


def _begin_work(parent: int) -> None:
    """Ignores Ctrl+C, which reaches every process of a terminal; the parent ends the workers, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_with(parent)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Holds Ctrl+C back in this block, and from the processes that begin in it, which have not yet ignored it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class ThreadEngine:
    """Threads of this process, for episodes that wait for a language model and share its limits."""

    ahead = 0  # every task begins at once

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Starts a task in a daemon thread of its own."""
        future: Future[Answer] = Future()

        def run() -> None:
            try:
                future.set_result(task(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - it is raised again by the future
                future.set_exception(error)

        threading.Thread(target=run, daemon=True).start()
        return future

    def close(self) -> None:
        """Does nothing: the threads end with the process."""
