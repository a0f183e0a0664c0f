"""Connections: how many there may be without a request that is being answered, and how much each may send.

Strangers can open connections, too. One that asks for nothing is closed after a few seconds, and of too many the
oldest of whoever has most of them, so that nobody keeps others out, and files stay for those who have the link.
"""

import asyncio
import errno
import logging
import socket
import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from aiohttp import web

from tui.serve.auth import Handler
from tui.serve.limits import TokenBucket

HEADER_SECONDS = 10.0  # seconds in which a connection must have asked for something
VISITOR_SECONDS = 60.0  # seconds in which a visitor must ask for more: a slow line takes that for a file of the page
MOST_CONNECTIONS = 200  # connections that ask for nothing
FEWEST_CONNECTIONS = 4  # of them where few files may be open
LOOK_SECONDS = 1.0  # seconds between two looks
LONGEST_REQUEST = 64 * 1024  # bytes of a request with its headers and its body
SENT = (1024 * 1024.0, 8 * 1024 * 1024.0)  # bytes through an open terminal: a second, and at once after a rest
FILES_OF_VISITOR = 6  # files that the server has open for each
FILES_OF_SERVER = 32
REST_SECONDS = 0.2  # seconds before the next try where no connection can be taken
OUT_OF_FILES = {errno.EMFILE, errno.ENFILE}


class Connection(asyncio.Protocol):
    """Passes on what comes through a connection, as far as it is not too much.

    Args:
        connections: all of them.
        answering: answers requests.
        address: who it is.
    """

    def __init__(self, connections: "Connections", answering: web.RequestHandler, address: str) -> None:
        self.address = address
        self.idle_since: float | None = connections.now()  # None while a request is being answered
        self.patience = HEADER_SECONDS
        self.unanswered = 0  # bytes since the last request was answered
        self.sent = TokenBucket(*SENT, connections.now)
        self._connections = connections
        self._answering = answering
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins to answer."""
        self._transport = transport
        self._connections.add(self._answering, self)
        self._answering.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Passes bytes on, or closes where they are too many."""
        if self._is_too_much(len(data)):
            self.close()
        else:
            self._answering.data_received(data)

    def _is_too_much(self, size: int) -> bool:
        if self.idle_since is None:
            return not self.sent.take(size)
        self.unanswered += size
        return self.unanswered > LONGEST_REQUEST

    def close(self) -> None:
        """Closes the connection at once."""
        if isinstance(self._transport, asyncio.WriteTransport):
            self._transport.abort()

    def eof_received(self) -> None:
        """Notes that nothing more will come."""
        self._answering.eof_received()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Ends."""
        self._connections.remove(self._answering)
        self._answering.connection_lost(exc)

    def pause_writing(self) -> None:
        """Waits until what was answered is read."""
        self._answering.pause_writing()

    def resume_writing(self) -> None:
        """Goes on to answer."""
        self._answering.resume_writing()


class Connections:
    """All connections of the server.

    Args:
        log: says a problem in one line.
        most: how many may ask for nothing.
        now: returns the time in seconds.
    """

    def __init__(
        self, log: logging.Logger, most: int = MOST_CONNECTIONS, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.now = now
        self._log = log
        self._most = most
        self._all: dict[web.RequestHandler, Connection] = {}

    def add(self, answering: web.RequestHandler, connection: Connection) -> None:
        """Notes a new connection; where there are too many, another one is closed."""
        while len(self._idle()) >= self._most:
            self._close_one()
        self._all[answering] = connection

    def remove(self, answering: web.RequestHandler) -> None:
        """Notes that a connection is closed."""
        self._all.pop(answering, None)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Notes while a request is answered; of a terminal that is as long as it is open."""
        connection = self._all.get(request.protocol)
        if connection is None:  # another server has taken it
            return await handler(request)
        connection.idle_since = None
        connection.unanswered = 0
        try:
            response = await handler(request)
            connection.patience = VISITOR_SECONDS
            return response
        finally:
            connection.idle_since = self.now()

    def look(self) -> None:
        """Closes those that have asked for nothing for too long."""
        time_now = self.now()
        for answering, connection in self._idle().items():
            if connection.idle_since is not None and time_now - connection.idle_since >= connection.patience:
                self._close(answering)

    async def accept(self, listener: socket.socket, answering: Callable[[], web.RequestHandler]) -> None:
        """Takes connections until it is cancelled.

        Args:
            listener: where they come.
            answering: returns what answers the requests of one.
        """
        loop = asyncio.get_running_loop()
        listener.setblocking(False)
        while True:
            try:
                visitor, address = await loop.sock_accept(listener)
                factory = partial(Connection, self, answering(), str(address[0]))
                await loop.connect_accepted_socket(factory, visitor)
            except ConnectionError:  # it has gone again
                continue
            except OSError as error:
                self._say(error)
                self._close_one()
                await asyncio.sleep(REST_SECONDS)

    def _say(self, error: OSError) -> None:
        if error.errno in OUT_OF_FILES:
            self._log.warning("too many files are open to take another connection; a larger `ulimit -n` helps")
        else:
            self._log.warning("no connection can be taken: %s", error.strerror or error)

    def _idle(self) -> dict[web.RequestHandler, Connection]:
        return {key: connection for key, connection in self._all.items() if connection.idle_since is not None}

    def _close_one(self) -> None:
        """Closes the oldest idle connection of the address that has most of them."""
        idle = self._idle()
        if idle:
            counts = Counter(connection.address for connection in idle.values())
            self._close(max(idle, key=lambda key: (counts[idle[key].address], -(idle[key].idle_since or 0.0))))

    def _close(self, answering: web.RequestHandler) -> None:
        self._all.pop(answering).close()


def connections_beside(visitors: int, log: logging.Logger) -> int:
    """Returns how many connections may ask for nothing, so that files stay for so many visitors.

    As many files are allowed as are needed, if the system lets us.
    """
    try:
        import resource
    except ImportError:  # this system counts in another way
        return MOST_CONNECTIONS
    needed = FILES_OF_SERVER + visitors * FILES_OF_VISITOR + MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return MOST_CONNECTIONS
    spare = soft - FILES_OF_SERVER - visitors * FILES_OF_VISITOR
    if spare < FEWEST_CONNECTIONS:
        log.warning("only %d files may be open (`ulimit -n`): not all of %d visitors may find a place", soft, visitors)
    return max(FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, spare))
