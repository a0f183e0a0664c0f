"""Connections that ask for nothing, or send too much, are closed, and keep nobody out."""

import asyncio
import errno
import logging
import resource
from types import SimpleNamespace

import aiohttp
import pytest

from tests.helpers.web_server import first_bytes, serving
from tui.serve import connections
from tui.serve.connections import (
    FILES_OF_SERVER,
    FILES_OF_VISITOR,
    HEADER_SECONDS,
    LONGEST_REQUEST,
    MOST_CONNECTIONS,
    SENT,
    VISITOR_SECONDS,
    Connection,
    Connections,
    connections_beside,
)
from tui.serve.log import one_line_logger


class Transport(asyncio.WriteTransport):
    """A transport that remembers whether it was closed."""

    closed = False

    def abort(self):
        self.closed = True


class Answering:
    """What would answer requests, and the bytes that came to it."""

    def __init__(self):
        self.bytes = 0

    def connection_made(self, transport):
        pass

    def data_received(self, data):
        self.bytes += len(data)


@pytest.fixture
def door():
    """All connections, at most three of them idle; the time; and a way to open one."""
    time = SimpleNamespace(now=0.0)
    everybody = Connections(one_line_logger(), 3, lambda: time.now)

    def opened(address="10.0.0.1"):
        time.now += 0.001
        answering, transport = Answering(), Transport()
        connection = Connection(everybody, answering, address)
        connection.connection_made(transport)
        return SimpleNamespace(answering=answering, transport=transport, sends=connection.data_received)

    return SimpleNamespace(all=everybody, time=time, opened=opened)


def request_of(one):
    return SimpleNamespace(protocol=one.answering)


async def test_connections_that_ask_for_nothing_are_closed_and_those_that_are_answered_are_not(door):
    silent, busy = door.opened(), door.opened()
    done = asyncio.Event()
    request = asyncio.create_task(door.all.middleware(request_of(busy), lambda _: done.wait()))
    await asyncio.sleep(0)
    door.time.now = HEADER_SECONDS - 1
    door.all.look()
    assert not silent.transport.closed
    door.time.now = HEADER_SECONDS + 1
    door.all.look()
    assert silent.transport.closed
    door.time.now = 1000
    door.all.look()
    done.set()
    await request
    door.time.now += VISITOR_SECONDS - 1
    door.all.look()
    assert not busy.transport.closed
    door.time.now += 1
    door.all.look()
    assert busy.transport.closed


async def test_who_is_refused_has_no_more_time_than_before(door):
    stranger = door.opened()

    async def refuse(_):
        raise PermissionError

    with pytest.raises(PermissionError):
        await door.all.middleware(request_of(stranger), refuse)
    door.time.now += HEADER_SECONDS
    door.all.look()
    assert stranger.transport.closed


def test_of_too_many_the_oldest_is_closed_as_the_next_one_comes(door):
    first, *others = (door.opened() for _ in range(4))
    assert first.transport.closed
    assert not any(one.transport.closed for one in others)


def test_who_has_most_connections_makes_room_for_others(door):
    visitor = door.opened("10.0.0.2")
    crowd = [door.opened("10.0.0.1") for _ in range(50)]
    assert not visitor.transport.closed
    assert [one.transport.closed for one in crowd] == [True] * 48 + [False] * 2


@pytest.mark.parametrize("size", [1, 100, 65_536])
def test_a_request_without_an_end_is_closed_before_it_takes_memory(door, size):
    stranger = door.opened()
    for _ in range(LONGEST_REQUEST // size + 1):
        stranger.sends(b"x" * size)
    assert stranger.transport.closed
    assert stranger.answering.bytes <= LONGEST_REQUEST


async def test_a_terminal_may_send_more_but_not_without_a_limit(door):
    visitor = door.opened()
    done = asyncio.Event()
    request = asyncio.create_task(door.all.middleware(request_of(visitor), lambda _: done.wait()))
    await asyncio.sleep(0)
    visitor.sends(b"x" * LONGEST_REQUEST * 10)
    assert not visitor.transport.closed
    visitor.sends(b"x" * int(SENT[1]))
    assert visitor.transport.closed
    done.set()
    await request


async def test_where_no_file_can_be_opened_it_is_one_line_and_the_next_one_comes(door, monkeypatch, capsys):
    """The one that asks for nothing is closed instead."""
    silent, tries = door.opened(), []
    door.all._log = one_line_logger()
    monkeypatch.setattr(connections, "REST_SECONDS", 0)

    async def accept(_):
        tries.append(1)
        if len(tries) > 50:
            raise asyncio.CancelledError
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_accept", accept)
    listener = SimpleNamespace(setblocking=lambda _: None)
    with pytest.raises(asyncio.CancelledError):
        await door.all.accept(listener, Answering)
    assert silent.transport.closed
    said = capsys.readouterr().err.splitlines()
    assert said == ["bba-tui: too many files are open to take another connection; a larger `ulimit -n` helps"]


@pytest.mark.parametrize(
    ("soft", "hard", "room", "warned"),
    [
        (1024, 1024, MOST_CONNECTIONS, False),
        (64, 10**6, MOST_CONNECTIONS, False),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, MOST_CONNECTIONS, False),
        (150, 150, 150 - FILES_OF_SERVER - 4 * FILES_OF_VISITOR, False),
        (40, 40, connections.FEWEST_CONNECTIONS, True),
    ],
)
def test_files_stay_for_visitors_whatever_the_limit(monkeypatch, caplog, soft, hard, room, warned):
    limits = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: limits.append(wanted))
    log = logging.getLogger("connections")
    assert connections_beside(4, log) == room
    assert bool(caplog.records) == warned
    assert all(wanted <= hard for wanted, _ in limits)


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs a limit on files of another process")
@pytest.mark.parametrize(("files", "strangers"), [(40, 60), (40, 100), (60, 100)])
async def test_strangers_leave_files_for_visitors_and_write_little(tmp_path, files, strangers):
    """With few files in all and more connections that ask for nothing, a visitor is served."""
    errors = (tmp_path / "errors").open("w")
    with errors, serving(tmp_path, "--play", "--layout=open", "--sessions=3", errors=errors) as (process, link):
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (files, files))
        url = link.partition("/?")[0]
        silent = []
        for _ in range(strangers):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(b"GET / HTTP/1.1\r\nHost: 127")
            silent.append((reader, writer))
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            async with session.get(link) as answer:
                assert answer.status == 200
            socket = await session.ws_connect(f"{url}/ws", headers={"Origin": url}, max_msg_size=0)
            await first_bytes(socket)
            await socket.close()
        for _, writer in silent:
            writer.close()
    said = (tmp_path / "errors").read_text().splitlines()
    assert [line for line in said if not line.startswith("bba-tui: ")] == []
    assert len(said) < 10
