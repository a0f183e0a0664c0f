"""Work that would hold up the keys, in a thread of its own.

A thread cannot be stopped, so every piece of work carries a generation: what arrives for an older one is dropped. The
thread is a daemon, so that leaving never waits for it.
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from bba.errors import BBAError

Found = TypeVar("Found")
Post = Callable[..., object]  # takes a function and its arguments from any thread and calls it in the screen's own


class BackgroundTask(Generic[Found]):
    """Does one piece of work at a time in a thread, and hands in what it finds unless it was given up meanwhile."""

    def __init__(self, post: Post) -> None:
        self.busy = False
        self._post = post
        self._generation = 0

    def begin(self, work: Callable[[], Found], arrived: Callable[[Found | BBAError], None]) -> None:
        """Do this; then call `arrived` with what was found, or with the problem. Other errors are raised there."""
        self.busy = True
        threading.Thread(target=self._work, args=(self._generation, work, arrived), daemon=True).start()

    def give_up(self) -> None:
        """Whatever is still under way is for nobody any more."""
        self._generation += 1
        self.busy = False

    def _work(self, generation: int, work: Callable[[], Found], arrived: Callable[[Found | BBAError], None]) -> None:
        found: Found | Exception
        try:
            found = work()
        except Exception as caught:  # noqa: BLE001 - whatever it is, the screen's thread raises it again
            found = caught
        self._post(self._arrived, generation, found, arrived)

    def _arrived(self, generation: int, found: Found | Exception, arrived: Callable[[Found | BBAError], None]) -> None:
        if generation != self._generation:
            return
        self.busy = False
        if isinstance(found, Exception) and not isinstance(found, BBAError):
            raise found
        arrived(found)
