"""The idle limit: a visitor who does nothing for long is warned, and then leaves the place to others."""

import time
from collections.abc import Callable

LIMIT = 15 * 60.0  # seconds without a key, a click or a move of the mouse
WARNING = 60.0  # seconds before the limit at which the visitor is warned
LOOK_EVERY = 5.0  # seconds between two looks
ARE_YOU_THERE = "Are you still there? Press any key; otherwise this session ends in a minute. What you did is saved."


class IdleWatch:
    """Warns once, then ends, when a visitor has done nothing for long.

    Args:
        warn: tells the visitor.
        end: ends the session.
        limit: seconds after which it ends.
        now: returns the time in seconds.
    """

    def __init__(
        self,
        warn: Callable[[], object],
        end: Callable[[], object],
        limit: float = LIMIT,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._warn, self._end, self._limit, self._now = warn, end, limit, now
        self._last, self._warned = now(), False

    def note(self) -> None:
        """Notes that the visitor did something."""
        self._last, self._warned = self._now(), False

    def look(self) -> None:
        """Warns or ends if the time has come."""
        idle = self._now() - self._last
        if idle >= self._limit:
            self._end()
        elif idle >= self._limit - WARNING and not self._warned:
            self._warned = True
            self._warn()
