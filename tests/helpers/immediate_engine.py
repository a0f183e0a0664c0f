"""An engine without processes."""

from collections import deque
from concurrent.futures import Future

from bba.bench import runner


class ImmediateEngine:
    """An engine that executes each task in this process when it is submitted; workers are not warmed up.

    Args:
        errors: what the first tasks raise instead of running, in order; None for a task that runs.
        workers: how many it says that it has.
    """

    def __init__(self, *errors, workers=1):
        self._errors = deque(errors)
        self.workers, self.ahead, self.closed = workers, 0, False

    def submit(self, task, *args, **kwargs):
        future = Future()
        error = self._errors.popleft() if self._errors else None
        try:
            if error is not None:
                raise error
            future.set_result(None if task is runner.warm_up else task(*args, **kwargs))
        except Exception as raised:  # noqa: BLE001 - it is raised again when the future is read
            future.set_exception(raised)
        return future

    def close(self):
        self.closed = True
