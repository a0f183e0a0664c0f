"""Places: a visitor who returns to a study gets theirs at once; connections that ask for nothing are closed."""

import asyncio

from tui.serve import server
from tui.serve.server import HalfOpenWatch
from tui.serve.session import Visits


class Socket(dict):
    """A connection that remembers how it was closed."""

    said = None

    async def close(self, code, message):
        self.said = message.decode()


async def visit(visits, visitor, socket, until):
    async with visits.place(visitor, socket) as free:
        await until.wait()
        return free


async def test_who_returns_takes_the_place_of_the_visit_before_once_that_is_over():
    visits, first, leave = Visits(1), Socket(), asyncio.Event()
    before = asyncio.create_task(visit(visits, "anna", first, leave))
    await asyncio.sleep(0)
    assert visits.full("ben")
    assert not visits.full("anna")
    again = asyncio.create_task(visit(visits, "anna", Socket(), leave))
    await asyncio.sleep(0)
    assert first.said == "elsewhere"
    assert not again.done()
    leave.set()
    assert await before
    assert await again
    assert not visits.full("ben")


async def test_without_a_place_there_is_none_and_nobody_is_sent_away():
    visits, first, leave = Visits(1), Socket(), asyncio.Event()
    before = asyncio.create_task(visit(visits, None, first, leave))
    await asyncio.sleep(0)
    async with visits.place(None, Socket()) as free:
        assert not free
    assert first.said is None
    leave.set()
    await before


class Connection:
    """A connection that is open or closed."""

    closed = False

    def force_close(self):
        self.closed = True


class Request:
    def __init__(self, connection):
        self.protocol = connection


async def test_connections_that_ask_for_nothing_are_closed_and_those_that_are_answered_are_not():
    time = [0.0]
    watch = HalfOpenWatch(lambda: time[0])
    silent, busy = Connection(), Connection()
    done = asyncio.Event()

    async def answer(_):
        await done.wait()

    request = asyncio.create_task(watch.middleware(Request(busy), answer))
    await asyncio.sleep(0)
    for seconds in (0, server.HEADER_SECONDS - 1, server.HEADER_SECONDS):
        time[0] = seconds
        watch.look([silent, busy])
        assert silent.closed == (seconds == server.HEADER_SECONDS)
    time[0] = 1000
    watch.look([busy])
    done.set()
    await request
    watch.look([busy])
    assert not busy.closed
    time[0] += server.HEADER_SECONDS
    watch.look([busy])
    assert busy.closed


def test_of_too_many_silent_connections_the_oldest_are_closed_at_once():
    time = [0.0]
    watch = HalfOpenWatch(lambda: time[0])
    old = [Connection() for _ in range(server.MOST_CONNECTIONS)]
    watch.look(old)
    time[0] = 1.0
    new = [Connection() for _ in range(200)]
    watch.look([*old, *new])
    assert not any(one.closed for one in new)
    assert all(one.closed for one in old)
