"""A visitor who sends far too much: little memory is taken, the others play on, and nothing is left when it leaves."""

import asyncio
import json
from contextlib import suppress
from types import SimpleNamespace

import aiohttp
import psutil
import pytest
from textual import events, messages
from textual.app import App
from textual.screen import Screen

from human.study import ActivityLog
from human.study.activity_log import ROOM, GameLog
from tests.helpers.web_server import PATIENCE, first_bytes, free_port, serving
from tui.serve import driver as driver_module
from tui.serve.auth import parse_address
from tui.serve.driver import MOST_UNFINISHED, MOST_WAITING, BoundedReader, VisitorDriver
from tui.serve.limits import TYPED_TAKEN, TokenBucket, VisitorLimits
from tui.serve.server import AppServer
from tui.serve.session import MOST_UNREAD, VisitorSession

FLOOD_BYTES = 50_000_000
MOST_MEMORY = 200 * 2**20
KEYS = json.dumps(["stdin", "w" * 60_000])
KINDS = {  # what is sent again and again
    "keys": KEYS,
    "pastes": json.dumps(["stdin", "\x1b[200~" + "w" * 60_000 + "\x1b[201~"]),
    "tiny keys": json.dumps(["stdin", "w"]),
    "forms": json.dumps(["form", {"page": 1, "value": "x" * 60_000}]),
    "sizes": json.dumps(["resize", {"width": 300, "height": 100}]),
    "focus": json.dumps(["focus"]),
    "pings": json.dumps(["ping", "x" * 60_000]),
}


@pytest.fixture
def clock():
    time = SimpleNamespace(now=0.0)
    return time, lambda: time.now


# --- what the server takes ---------------------------------------------------------------------------------------
def test_a_bucket_lets_a_burst_pass_and_then_its_rate(clock):
    time, now = clock
    bucket = TokenBucket(10, 25, now)
    assert [bucket.take(10) for _ in range(3)] == [True, True, False]
    time.now = 0.5
    assert [bucket.take(10) for _ in range(2)] == [True, False]
    time.now = 1000
    assert [bucket.take(25), bucket.take(1)] == [True, False]


@pytest.mark.parametrize(
    ("message", "a_second", "seconds"),
    [
        ('["stdin", "w"]', 60, 3600),  # a held key
        ('["stdin", "\\u001b[<35;100;30M"]', 250, 600),  # a mouse that is never still
        ('["stdin", "' + "x" * 50_000 + '"]', 1, 600),  # a page of text, pasted again and again
        ('["form", {"page": 1, "value": "' + "x" * 8000 + '"}]', 7, 600),  # a long answer, as it is typed
        ('["resize", {"width": 100, "height": 30}]', 60, 600),  # a window that is drawn larger
    ],
)
def test_nobody_who_types_holds_a_key_pastes_or_moves_the_mouse_is_sent_away(clock, message, a_second, seconds):
    time, now = clock
    limits = VisitorLimits(now)
    for number in range(min(a_second * seconds, 20_000)):
        time.now = number / a_second
        assert limits.endure(len(message))
        assert limits.take(len(message))


@pytest.mark.parametrize("message", KINDS.values(), ids=KINDS)
def test_a_flood_is_no_more_endured_before_it_is_ten_megabytes(clock, message):
    _, now = clock
    limits, sent = VisitorLimits(now), 0
    while limits.endure(len(message)):
        sent += len(message)
    assert sent < 10_000_000


def test_keys_are_counted_one_by_one_and_what_is_pasted_as_one(clock):
    _, now = clock
    limits = VisitorLimits(now)
    paste = "\x1b[200~" + "x" * 60_000 + "\x1b[201~"
    assert all(limits.take_keys(paste) for _ in range(100))
    assert not limits.take_keys("w" * int(TYPED_TAKEN[1]))
    assert not limits.take_keys("\x1b[200~" + "w" * 60_000)  # it has no end
    assert limits.take_keys("w")


class Flooded:
    """A server on this machine with a place for two, and their connections."""

    def __init__(self, url, session):
        self.url, self.session = url, session

    async def connect(self):
        address = f"{self.url}/ws?width=100&height=30"
        return await self.session.ws_connect(address, headers={"Origin": self.url}, max_msg_size=0)


async def pours(socket, message, most=FLOOD_BYTES):
    """Send a message until so many bytes are sent or the connection is closed; whether it was closed."""
    with suppress(ConnectionError):
        for _ in range(most // len(message)):
            await socket.send_str(message)
            if socket.closed:
                return True
        return False
    return True


async def answers(socket):
    await socket.send_json(["ping", "still there"])
    async with asyncio.timeout(PATIENCE):
        while (await socket.receive()).data != '["pong", "still there"]':
            pass


async def reason(socket):
    async with asyncio.timeout(PATIENCE):
        while (said := await socket.receive()).type not in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
            pass
    return said.extra


@pytest.fixture
async def flooded(tmp_path, caplog):
    address = parse_address(f"127.0.0.1:{free_port()}")
    server = AppServer(address, "{}", 2, tmp_path)
    server.log.addHandler(caplog.handler)
    runner = aiohttp.web.AppRunner(await server.application())
    await runner.setup()
    await aiohttp.web.TCPSite(runner, address.host, address.port).start()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(server.auth.link):
            pass
        yield Flooded(address.url, session)
    await runner.cleanup()


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["keys", "tiny keys", "focus"])
async def test_who_floods_is_sent_away_with_a_reason_and_the_other_is_answered(flooded, caplog, kind):
    other, loud = await flooded.connect(), await flooded.connect()
    flood = asyncio.create_task(pours(loud, KINDS[kind]))
    assert await reason(loud) in ("flood", None)  # None: the connection was reset before it was read
    await flood
    await answers(other)
    assert "a visitor who sent far more than anybody types was sent away" in caplog.text
    await other.close()


async def test_pings_of_the_protocol_are_a_flood_too(flooded, caplog):
    loud = await flooded.connect()
    with suppress(ConnectionError):
        for _ in range(100_000):
            await loud.ping(b"x" * 100)
    await reason(loud)
    assert "was sent away" in caplog.text


async def test_a_message_in_pieces_without_an_end_is_closed(flooded):
    loud, other = await flooded.connect(), await flooded.connect()
    piece = b"\x80\xfe\x03\xe8\0\0\0\0" + b"x" * 1000  # of a text, and not the last one
    with suppress(ConnectionError):
        loud._writer.transport.write(b"\x01" + piece[1:])
        for _ in range(1000):
            loud._writer.transport.write(b"\x00" + piece[1:])
            await asyncio.sleep(0)
    await reason(loud)
    await answers(other)
    await other.close()


async def test_who_does_not_read_keeps_the_server_from_nothing():
    """What a process does not read is not kept: the server goes on to hear whether the visitor leaves."""

    class Pipe:
        written = 0
        transport = SimpleNamespace(get_write_buffer_size=lambda: Pipe.written)

        def is_closing(self):
            return False

        def write(self, data):
            Pipe.written += len(data)

    session = object.__new__(VisitorSession)
    session._stdin = Pipe()
    for _ in range(1000):
        await session.send_bytes(b"w" * 1000)
        await session.send_meta({"type": "form", "value": "x" * 1000})
    assert Pipe.written < MOST_UNREAD + 3000


# --- what the visitor's process reads ------------------------------------------------------------------------------
class SlowApp(App):
    """An app that notes what comes, and is busy for a while with each key."""

    def __init__(self):
        super().__init__()
        self.seen, self.waiting, self.most = [], 0, 0
        self.go_on = asyncio.Event()

    async def on_event(self, event):
        if isinstance(event, events.Key):
            await self.go_on.wait()
            self.waiting -= 1
        self.seen.append(type(event).__name__)
        await super().on_event(event)


@pytest.fixture
async def reading(monkeypatch):
    """The driver of a visitor's process, whose app is slow."""
    app = SlowApp()
    async with app.run_test():
        monkeypatch.setattr(driver_module, "WAIT_SECONDS", PATIENCE)
        driver = object.__new__(VisitorDriver)
        driver._app, driver._loop, driver._latest = app, asyncio.get_running_loop(), {}
        driver.exit_event = driver_module.Event()
        driver.cursor_origin, driver._down_buttons, driver._last_move_event = None, [], None
        yield app, driver
        driver.exit_event.set()
        app.go_on.set()


async def test_no_more_keys_are_read_than_the_app_can_do(reading):
    app, driver = reading

    def press():
        for _ in range(5 * MOST_WAITING):
            driver.process_message(events.Key("w", "w"))
            app.waiting += 1
            app.most = max(app.most, app.waiting)

    pressing = asyncio.create_task(asyncio.to_thread(press))
    while driver._waiting or app.waiting < MOST_WAITING:  # until it waits for the app
        await asyncio.sleep(0.01)
    assert not pressing.done()
    assert app.most <= MOST_WAITING + 1
    app.go_on.set()
    await pressing
    while app.seen.count("Key") < 5 * MOST_WAITING:  # none is lost
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("kinds", [("focus", "blur"), ("resize",)])
async def test_of_what_is_said_of_the_window_the_latest_counts(reading, monkeypatch, kinds):
    _, driver = reading
    told = []
    monkeypatch.setattr(driver_module.WebDriver, "on_meta", lambda _, kind, payload: told.append((kind, payload)))

    def tell():
        for number in range(MOST_WAITING - 1):
            driver.on_meta(kinds[number % len(kinds)], {"width": number, "height": 20})

    tell()  # before the app does anything
    while not told:
        await asyncio.sleep(0.01)
    last = MOST_WAITING - 2
    assert told == [(kinds[last % len(kinds)], {"width": last, "height": 20})]


@pytest.mark.parametrize(
    "message",
    [
        events.Resize.from_dimensions((99_999_999, 99_999_999), (1, 1)),
        messages.InBandWindowResize(supported=True, enabled=True),
    ],
)
async def test_a_size_that_comes_as_a_key_is_not_believed(reading, message):
    app, driver = reading
    sent = []
    driver.send_message = sent.append
    driver.process_message(message)
    assert sent == []
    assert isinstance(app.screen, Screen)


def test_a_paste_without_an_end_is_not_kept(monkeypatch):
    monkeypatch.setattr(driver_module.InputReader, "__init__", lambda reader: None)
    monkeypatch.setattr(driver_module.InputReader, "__iter__", lambda reader: iter([b"x" * 1000] * 10**6))
    driver = object.__new__(VisitorDriver)
    assert sum(map(len, BoundedReader(driver._note_bytes))) <= MOST_UNFINISHED


# --- what is written down ------------------------------------------------------------------------------------------
def lines(log):
    return log.read_text().splitlines() if log.exists() else []


@pytest.mark.parametrize("what", ["keys", "focus", "sizes"])
def test_a_flood_does_not_fill_the_log(tmp_path, what):
    file = tmp_path / "logs" / "P1.jsonl"
    log = ActivityLog(file)
    game = GameLog(log, 1)
    for _ in range(5000):
        if what == "keys":
            game.key("w")
        else:
            log.note("focus" if what == "focus" else "size", detail="80x24")
    assert ROOM <= len(lines(file)) < 2 * ROOM
    game.note("over")
    assert '"over"' in lines(file)[-1]


def test_keys_that_decide_steps_are_all_in_the_log(tmp_path):
    file = tmp_path / "logs" / "P1.jsonl"
    game = GameLog(ActivityLog(file), 1)
    for step in range(1000):
        for _ in range(5):
            game.key("w")
        game.step(step + 1)
    assert len(lines(file)) == 1 + 6 * 1000


# --- the whole of it -----------------------------------------------------------------------------------------------
@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
async def test_fifty_megabytes_of_one_visitor_take_little_memory_and_leave_nothing(tmp_path, kind):
    with serving(tmp_path, "--play", "--layout=open", "--sessions=2") as (process, link):
        url = link.partition("/?")[0]
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            async with session.get(link):
                pass
            place = Flooded(url, session)
            loud = await place.connect()
            await first_bytes(loud)
            server = psutil.Process(process.pid)
            flood = asyncio.create_task(pours(loud, KINDS[kind]))
            most = 0
            while not flood.done():
                for one in [server, *server.children()]:
                    with suppress(psutil.Error):
                        most = max(most, one.memory_info().rss)
                await asyncio.sleep(0.05)
            assert most < MOST_MEMORY
            other = await place.connect()
            await answers(other)
            await other.close()
            await loud.close()
            async with asyncio.timeout(PATIENCE):
                while server.children():
                    await asyncio.sleep(0.05)
