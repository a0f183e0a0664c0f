"""Where episodes are played: in processes of this machine, in threads of this process, or on a Ray cluster.

An engine takes a task and gives a `concurrent.futures.Future`; whoever waits need not know which engine it is. A future
that raises says that what played it has died.
"""

import os
import signal
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, Protocol, TypeVar

from bba.errors import BBAError

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

REACH = 5  # seconds to reach a cluster
IDLE = 20  # seconds after which a worker without work ends, such as one whose parent was killed


class Engine(Protocol):
    """Carries out tasks, `workers` of them at the same time."""

    workers: int

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Begin a task."""

    def close(self) -> None:
        """Stop at once; what is under way is lost."""


# A worker that multiplies matrices with as many threads as there are cores waits for the other workers' threads: three
# trainings on two cores took ten times as long.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class ProcessEngine:
    """Worker processes of this machine (loky). One that dies is replaced; those beside it are, too."""

    def __init__(self, workers: int | None = None) -> None:
        import loky

        self._loky = loky
        self.workers = workers or loky.cpu_count()

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Begin a task in a worker."""
        future: Future[Answer] = self._executor().submit(task, *args, **kwargs)
        return future

    def close(self) -> None:
        """End the workers."""
        self._executor().shutdown(wait=True, kill_workers=True)

    def _executor(self) -> Any:
        """The executor, or another one in its place if a worker has died."""
        return self._loky.get_reusable_executor(
            max_workers=self.workers, timeout=IDLE, initializer=_leave_interrupts_to_the_parent, env=ONE_THREAD
        )


def _leave_interrupts_to_the_parent() -> None:
    """Ctrl+C reaches every process of the terminal; the parent ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class ThreadEngine:
    """Threads of this process, for episodes that wait for a language model and share its limits."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Begin a task in a thread of its own, which does not keep the process from ending."""
        future: Future[Answer] = Future()

        def carry_out() -> None:
            try:
                future.set_result(task(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - it is raised where the future is read
                future.set_exception(error)

        threading.Thread(target=carry_out, daemon=True).start()
        return future

    def close(self) -> None:
        """Leave the threads to end with the process."""


class RayEngine:
    """A Ray cluster: the one at `address`, or one of this machine alone.

    Raises:
        BBAError: Ray is not installed, or there is no cluster.
    """

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise BBAError("--engine ray: needs Ray: pip install 'bba-tui[cluster]'") from None
        try:
            _reach(address or "")
            here: dict[str, Any] = {} if address else {"num_cpus": workers, "include_dashboard": False}
            ray.init(address=address or "local", logging_level="ERROR", log_to_driver=False, **here)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise BBAError(f"--engine ray: no cluster at {address or 'this machine'}: {_line(error)}") from None
        self._ray, self._call = ray, ray.remote(max_retries=0)(_call)
        self.workers = workers or int(ray.cluster_resources().get("CPU", 1))

    def submit(
        self, task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Answer]:
        """Begin a task somewhere on the cluster."""
        future: Future[Answer] = self._call.remote(task, *args, **kwargs).future()
        return future

    def close(self) -> None:
        """Leave the cluster; one of this machine alone ends."""
        self._ray.shutdown()


def _call(task: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
    """Ray takes functions only, and a task may be any callable."""
    return task(*args, **kwargs)


def _reach(address: str) -> None:
    """Find out at once that nobody listens at ``host:port`` or ``ray://host:port``: Ray itself tries for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=REACH).close()


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
