"""Runs slow work in a daemon thread so that the screen stays responsive.

A thread cannot be stopped, so every task carries a generation number: a result of an earlier generation is dropped.
A screen that is gone takes no result any more, and leaving the program does not wait for the thread.
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from bba.errors import BBAError

Found = TypeVar("Found")
Post = Callable[..., object]  # takes a function and its arguments from any thread and calls it in the screen's thread


class BackgroundTask(Generic[Found]):
    """Runs one task at a time in a thread and delivers its result, unless the task was cancelled meanwhile.

    Args:
        post: calls a function in the screen's thread, such as `App.call_later`.
    """

    def __init__(self, post: Post) -> None:
        self.busy = False
        self._post = post
        self._generation = 0

    def begin(
        self,
        work: Callable[[], Found],
        arrived: Callable[[Found], object],
        failed: Callable[[BBAError], object] = lambda _: None,
    ) -> None:
        """Runs `work`, then calls `arrived` with its result, or `failed` with its BBAError; others are raised there."""
        self.busy = True
        threading.Thread(target=self._work, args=(self._generation, work, arrived, failed), daemon=True).start()

    def cancel(self) -> None:
        """Discards the result of the running task."""
        self._generation += 1
        self.busy = False

    def _work(
        self,
        generation: int,
        work: Callable[[], Found],
        arrived: Callable[[Found], object],
        failed: Callable[[BBAError], object],
    ) -> None:
        found: Found | Exception
        try:
            found = work()
        except Exception as caught:  # noqa: BLE001 - the screen's thread raises it again
            found = caught
        self._post(self._deliver, generation, found, arrived, failed)

    def _deliver(
        self,
        generation: int,
        found: Found | Exception,
        arrived: Callable[[Found], object],
        failed: Callable[[BBAError], object],
    ) -> None:
        if generation != self._generation:
            return
        self.busy = False
        if isinstance(found, BBAError):
            failed(found)
        elif isinstance(found, Exception):
            raise found
        else:
            arrived(found)
