"""The places of visitors: how many are taken, and who comes back to their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from tui.serve.ends import End, close_with


@dataclass(eq=False)
class Visit:
    """A visitor's connection; `over` is set once the process behind it has ended."""

    socket: web.WebSocketResponse
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Visits:
    """Counts the visitors. One who returns takes the place of the visit before, which is ended first.

    Args:
        places: how many visitors there may be.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._visits: dict[Visit, str | None] = {}

    @property
    def taken(self) -> int:
        """The number of visitors."""
        return len(self._visits)

    def full(self, visitor: str | None) -> bool:
        """Whether there is no place for this visitor."""
        return len(self._visits) >= self.places and not self._visits_of(visitor)

    async def close_all(self) -> None:
        """Tells every visitor that the server ends."""
        for visit in list(self._visits):
            await close_with(visit.socket, End.SERVER)

    @asynccontextmanager
    async def place(self, visitor: str | None, socket: web.WebSocketResponse) -> AsyncIterator[bool]:
        """Takes a place; yields whether there is one. An earlier visit of the same visitor is ended before.

        Args:
            visitor: who it is; None where nobody can return.
            socket: the visitor's connection.
        """
        for visit in self._visits_of(visitor):
            await close_with(visit.socket, End.ELSEWHERE)
            await visit.over.wait()
        if len(self._visits) >= self.places:
            yield False
            return
        visit = Visit(socket)
        self._visits[visit] = visitor
        try:
            yield True
        finally:
            del self._visits[visit]
            visit.over.set()

    def _visits_of(self, visitor: str | None) -> list[Visit]:
        return [visit for visit, who in self._visits.items() if visitor is not None and who == visitor]
