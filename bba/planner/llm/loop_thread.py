"""Coroutines for callers that wait.

Only a coroutine can be cut off at any moment: a socket's timeout counts anew with every byte, and a thread cannot be
stopped. The loop runs in a thread of its own, because some callers (a notebook, for one) have a loop already.
"""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class LoopThread:
    """An event loop in a daemon thread, which starts with the first coroutine."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """What the coroutine returns, or raises; an interruption of the caller ends the coroutine, too."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._started())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="model endpoint", daemon=True).start()
            return self._loop
