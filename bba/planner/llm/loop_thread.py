"""An event loop in a thread of its own, for synchronous callers of coroutines."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class LoopThread:
    """An event loop in a daemon thread that starts with the first coroutine, for synchronous callers of coroutines.

    Only a coroutine can be cancelled at any moment: a socket timeout starts again with every byte, and a thread cannot
    be stopped. The loop has a thread of its own because some callers, such as notebooks, already run a loop.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine and returns its result or raises its error; cancels it if the caller is interrupted."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._running_loop())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="model endpoint", daemon=True).start()
            return self._loop
