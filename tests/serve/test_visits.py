"""Places: a visitor who returns to a study gets theirs at once."""

import asyncio

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
