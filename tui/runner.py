"""Stepping a feed without ever holding up the keys.

A feed that does not block is stepped at once. One that does is stepped in a thread of its own, one step at a time. A
thread cannot be stopped, so every request carries the generation of the game that it was made for: what arrives for
an older one is dropped. The thread is a daemon, so that leaving never waits for a model.
"""

import threading
from collections.abc import Callable

from bba.errors import BBAError
from tui.feed import Feed


class Runner:
    """Steps one feed and says when it has.

    Args:
        feed: what is stepped.
        stepped: called after steps were played (None), or could not be (the reason in one line).
        post: takes a function and its arguments from any thread and calls it in the screen's own.
    """

    def __init__(self, feed: Feed, stepped: Callable[[str | None], None], post: Callable[..., object]) -> None:
        self.feed = feed
        self.busy = False
        self._stepped, self._post = stepped, post
        self._generation = 0

    def step(self, steps: int = 1) -> None:
        """Play up to so many steps (one, where the feed blocks); nothing while one is under way or none is left."""
        if self.busy or self.feed.done:
            return
        if self.feed.blocking:
            self.busy = True
            threading.Thread(target=self._in_thread, args=(self._generation,), daemon=True).start()
        else:
            self._at_once(steps)

    def restart(self) -> None:
        """Begin the game again; whatever is still under way is for nobody any more."""
        self._generation += 1
        self.busy = False
        self.feed.restart()

    def _at_once(self, steps: int) -> None:
        problem = None
        try:
            for _ in range(steps):
                if not self.feed.done:
                    self.feed.step()
        except BBAError as error:
            problem = str(error)
        self._stepped(problem)

    def _in_thread(self, generation: int) -> None:
        error: Exception | None = None
        try:
            self.feed.step()
        except Exception as caught:  # noqa: BLE001 - whatever it is, the screen's thread raises it again
            error = caught
        self._post(self._arrived, generation, error)

    def _arrived(self, generation: int, error: Exception | None) -> None:
        if generation != self._generation:
            return
        self.busy = False
        if error is not None and not isinstance(error, BBAError):
            raise error
        self._stepped(str(error) if error else None)
