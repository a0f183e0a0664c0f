"""Connections that ask for nothing: they are closed, so that no number of them keeps others out."""

import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from aiohttp import web

PATIENCE = 10.0  # seconds in which a connection must have asked for something
MOST = 200  # connections that ask for nothing; the oldest of more are closed at once
LOOK_EVERY = 1.0  # seconds between two looks

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Connection(Protocol):
    """A connection of the server."""

    def force_close(self) -> None:
        """Closes it now."""


class HalfOpenWatch:
    """Closes connections without a request that is being answered.

    Args:
        now: returns the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._busy: set[Connection] = set()
        self._idle_since: dict[Connection, float] = {}

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Notes while a request is answered; of a terminal that is as long as it is open."""
        connection = request.protocol
        self._busy.add(connection)
        try:
            return await handler(request)
        finally:
            self._busy.discard(connection)
            self._idle_since[connection] = self._now()

    def look(self, connections: Iterable[Connection]) -> None:
        """Closes those of all connections that have asked for nothing for too long, or are too many."""
        now = self._now()
        idle = {one: self._idle_since.get(one, now) for one in connections if one not in self._busy}
        oldest_first = sorted(idle, key=idle.__getitem__)
        too_many = set(oldest_first[: max(0, len(idle) - MOST)])
        closed = {one for one in idle if one in too_many or now - idle[one] >= PATIENCE}
        for one in closed:
            one.force_close()
        self._idle_since = {one: since for one, since in idle.items() if one not in closed}
