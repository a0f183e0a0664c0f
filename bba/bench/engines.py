"""Engines that play episodes: processes of this machine, threads of this process, or a Ray cluster.

An engine takes a task and returns a `concurrent.futures.Future`. A future that raises means that its worker died.
"""

import os
import signal
import socket
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, ParamSpec, Protocol

from bba.errors import BBAError, shortened
from bba.processes import Answer, in_thread, leave_with

Arguments = ParamSpec("Arguments")

WORKER_IDLE_SECONDS = 20  # seconds without work after which a worker ends


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
# A worker whose memory has grown, as by PyTorch, is replaced between two episodes, which loky would tell the user.
REPLACED_WORKER = "A worker stopped while some jobs were given to the executor"


def available_cores() -> int:
    """Returns how many cores this process may use, which is the usual number of workers."""
    import loky

    return int(loky.cpu_count())


class ProcessEngine:
    """Worker processes of this machine (loky). If one dies, all of them are replaced."""

    def __init__(self, workers: int | None = None) -> None:
        import loky

        self._loky = loky
        warnings.filterwarnings("ignore", REPLACED_WORKER, UserWarning)
        if QUIET not in sys.warnoptions:
            sys.warnoptions.append(QUIET)
        self.workers = workers or available_cores()
        self.ahead = self.workers

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
            max_workers=self.workers,
            timeout=WORKER_IDLE_SECONDS,
            initializer=_begin_work,
            initargs=(os.getpid(),),
            env=ONE_THREAD,
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
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


class ThreadEngine:
    """Threads of this process, for episodes that wait for a language model and share its limits."""

    ahead = 0  # every task begins at once

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Starts a task in a daemon thread of its own."""
        return in_thread(partial(task, *args, **kwargs))

    def close(self) -> None:
        """Does nothing: the threads end with the process."""


CLUSTER_SECONDS = 5  # seconds to reach a cluster
STDERR = 2  # the descriptor


ADDRESS_VARIABLE = "RAY_ADDRESS"  # by which Ray itself knows its cluster; in a Ray job and in a pod it is set
OF_THIS_MACHINE = "local"  # an address: no cluster that runs, but a new one


def cluster_address(address: str | None) -> tuple[str | None, str]:
    """Returns the address of the cluster to join, and where it is from: the option, else Ray's own variable.

    Args:
        address: that of the option; None without one.

    Returns:
        The address, None for a new cluster of this machine; and the text that names the variable, "" for the option.
    """
    origin = ""
    if not address:
        address = os.environ.get(ADDRESS_VARIABLE, "").strip()
        origin = f" ({ADDRESS_VARIABLE})"
    if address in ("", OF_THIS_MACHINE):
        return None, ""
    return address, origin


class RayEngine:
    """A Ray cluster: the one at `address`, else at RAY_ADDRESS, or one of this machine, which ends with `close`.

    Raises:
        BBAError: Ray is not installed, or there is no cluster and none starts.
    """

    ahead = 0

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise BBAError("--engine ray: needs Ray: pip install 'bba-tui[cluster]'") from None
        begin = partial(ray.init, logging_level="ERROR", log_to_driver=False)
        address, origin = cluster_address(address)
        if address is not None:
            _join(begin, address, origin)
        else:
            begin_local = partial(begin, address=OF_THIS_MACHINE, num_cpus=workers, include_dashboard=False)
            _begin_on_this_machine(begin_local, ray.shutdown)
        self._ray = ray
        self._call = ray.remote(max_retries=0)(_call)
        self.workers = workers or int(ray.cluster_resources().get("CPU", 1))

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Starts a task on the cluster."""
        future: Future[Answer] = self._call.remote(task, *args, **kwargs).future()
        return future

    def close(self) -> None:
        """Disconnects from the cluster; ends a local one."""
        self._ray.shutdown()


def _join(begin: Callable[..., object], address: str, origin: str) -> None:
    """Joins the cluster at `address`; `origin` says in messages where the address is from.

    Raises:
        BBAError: there is none.
    """
    problem = f"--engine ray: no cluster at {address}{origin}"
    try:
        _reach(address)
    except OSError as error:
        raise BBAError(f"{problem}: {shortened(error)}") from None
    try:
        with _mute():
            begin(address=address)
    except Exception as error:  # noqa: BLE001 - what Ray raises where it does not start is of no other class
        token = "" if "RAY_AUTH_MODE" in os.environ else "; one that asks for a token needs RAY_AUTH_MODE=token"
        raise BBAError(f"{problem}: {_without_full_stop(error)}{token}") from None


@contextmanager
def _mute() -> Iterator[None]:
    """Drops what is written to the error output: where a token is missing, Ray itself writes 20 warnings."""
    stderr_copy = os.dup(STDERR)
    try:
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - it is no path
            os.dup2(nowhere.fileno(), STDERR)
        yield
    finally:
        os.dup2(stderr_copy, STDERR)
        os.close(stderr_copy)


def _begin_on_this_machine(begin: Callable[[], object], end: Callable[[], object]) -> None:
    """Starts a cluster on this machine. If that fails, once more.

    Ray gives two of its own processes 15 seconds each to start, which no setting changes. Where the machine is busy, or
    their files come from a slow disk, that is too short; the second time the files are in memory.

    Raises:
        BBAError: it did not start.
    """
    try:
        with suppress(Exception):
            begin()
            return
        end()
        begin()
    except Exception as error:  # noqa: BLE001 - as above
        end()
        reason = _without_full_stop(error)
        raise BBAError(
            f"--engine ray: Ray did not start on this machine, twice: {reason}; take --engine local, or "
            "start it with 'ray start --head' and name it with --address"
        ) from None


def _without_full_stop(error: Exception) -> str:
    return shortened(error).rstrip(".")


def _call(task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
    """Calls a task. Ray takes functions only, and a task may be any callable."""
    return task(*args, **kwargs)


def _reach(address: str) -> None:
    """Checks that something listens at ``host:port`` or ``ray://host:port``. Ray itself would try for minutes.

    Raises:
        OSError: nothing does.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=CLUSTER_SECONDS).close()
