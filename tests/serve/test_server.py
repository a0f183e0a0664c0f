"""The server lets in whom it should, as many as it should, and tells them nothing that it should not."""

import asyncio
import errno
import json
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest
import yarl
from aiohttp import web
from textual_serve.download_manager import DownloadManager

from tests.helpers.web_server import PATIENCE, first_bytes, free_port
from tui.commands.terminal import TERMINATED
from tui.serve.auth import parse_address
from tui.serve.limits import VisitorLimits
from tui.serve.server import AppServer
from tui.serve.session import LARGEST, VisitorSession


class Place:
    """A server on this machine, for one visitor, and how to reach it."""

    def __init__(self, server, address, session):
        self.server, self.url, self.session = server, address.url, session

    @property
    def link(self):
        return self.server.auth.link

    def get(self, url, **headers):
        return self.session.get(url, headers=headers, allow_redirects=False)

    async def enter(self):
        async with self.get(self.link) as answer:
            assert answer.status == 303

    async def connect(self, **headers):
        headers = {"Origin": self.url} | headers
        return await self.session.ws_connect(f"{self.url}/ws?width=100&height=30", headers=headers)


@pytest.fixture
async def place(tmp_path):
    address = parse_address(f"127.0.0.1:{free_port()}")
    server = AppServer(address, "{}", 1, tmp_path)
    runner = web.AppRunner(await server.application())
    await runner.setup()
    await web.TCPSite(runner, address.host, address.port).start()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield Place(server, address, session)
    await runner.cleanup()


async def closed(socket):
    """The code and the words with which a connection is closed."""
    async with asyncio.timeout(PATIENCE):
        while (said := await socket.receive()).type not in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
            pass
    return said.data, said.extra


def children():
    """The visitors' processes that this one has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"tui.visitor" in (folder / "cmdline").read_bytes():
                found.append(folder)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/?token=%C3%A4", "/static/js/textual.js", "/ws"])
async def test_without_the_link_nothing_is_shown(place, path):
    async with place.get(place.url + path, Origin=place.url) as answer:
        assert answer.status == 403


async def test_a_cookie_of_another_time_is_refused(place):
    async with place.get(place.url, Cookie=f"{place.server.auth._cookie}=of-yesterday") as answer:
        assert answer.status == 403


async def test_a_message_of_ten_megabytes_ends_its_session_alone(place, caplog):
    place.server._visits.places = 2
    await place.enter()
    other, socket = await place.connect(), await place.connect()
    with suppress(ConnectionError):
        await socket.send_str("x" * 10_000_000)
    async with asyncio.timeout(PATIENCE):
        while not socket.closed:
            await socket.receive()
    await other.send_json(["ping", 7])
    async with asyncio.timeout(PATIENCE):
        while (await other.receive()).data != '["pong", 7]':
            pass
    assert "Traceback" not in caplog.text
    await other.close()


async def test_the_secret_of_the_link_becomes_a_cookie_and_leaves_the_address(place):
    async with place.get(place.link) as answer:
        assert (answer.status, answer.headers["Location"]) == (303, "/")
        assert "HttpOnly" in answer.headers["Set-Cookie"]
        assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    async with place.get(place.url) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "textual-terminal" in await answer.text()


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}])
async def test_other_hosts_and_origins_are_refused_even_with_the_link(place, headers):
    async with place.get(place.link, **headers) as answer:
        assert answer.status == 403
    await place.enter()
    async with place.get(place.url, **headers) as answer:
        assert answer.status == 403


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}])
async def test_other_hosts_and_origins_get_no_terminal(place, headers):
    await place.enter()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await place.connect(**headers)
    assert refusal.value.status == 403


async def test_who_names_no_origin_gets_no_terminal(place):
    await place.enter()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await place.session.ws_connect(f"{place.url}/ws")
    assert refusal.value.status == 403


async def test_one_more_than_there_are_places_is_told_so_and_a_place_that_is_left_is_free(place):
    await place.enter()
    socket = await place.connect()
    async with place.get(place.url) as answer:
        assert answer.status == 503
        assert "At most 1 can be here" in await answer.text()
    second = await place.connect()
    assert await closed(second) == (4000, "full")
    await socket.close()
    async with asyncio.timeout(PATIENCE):
        while (await place.get(place.url)).status != 200:
            await asyncio.sleep(0.05)


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at the process in /proc")
async def test_a_visitors_process_sees_nothing_of_the_servers_environment_and_has_a_home_of_its_own(
    place, monkeypatch, tmp_path
):
    for name in ("OPENAI_API_KEY", "BBA_API_KEY", "AWS_SECRET_ACCESS_KEY", "BBA_MODEL"):
        monkeypatch.setenv(name, "hunter2")
    await place.enter()
    socket = await place.connect()
    await first_bytes(socket)
    (child,) = children()
    seen = (child / "environ").read_bytes()
    assert b"hunter2" not in seen
    assert place.link.rpartition("=")[2].encode() not in seen + (child / "cmdline").read_bytes()
    assert f"HOME={tmp_path}".encode() in seen
    await socket.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the process in /proc")
async def test_the_page_says_so_when_a_process_is_killed_and_the_place_is_free(place):
    await place.enter()
    socket = await place.connect()
    await first_bytes(socket)
    (child,) = children()
    os.kill(int(child.name), signal.SIGKILL)
    assert await closed(socket) == (4000, "fault")
    async with asyncio.timeout(PATIENCE):
        while (await place.get(place.url)).status != 200:
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("of", "name", "error"),
    [
        (VisitorSession, "_open_app_process", OSError(errno.EMFILE, "Too many open files")),
        pytest.param(
            VisitorSession,
            "_open_app_process",
            OSError(errno.EAGAIN, "Resource temporarily unavailable"),
            marks=pytest.mark.thorough,
        ),
        (tempfile, "mkdtemp", OSError(errno.ENOSPC, "No space left on device")),
    ],
)
async def test_who_cannot_be_served_is_told_so_and_the_place_is_free(place, monkeypatch, caplog, of, name, error):
    def fail(*_, **__):
        raise error

    place.server.log.addHandler(caplog.handler)
    await place.enter()
    with monkeypatch.context() as full:
        full.setattr(of, name, fail)
        assert await closed(await place.connect()) == (4000, "busy")
    assert [record.getMessage() for record in caplog.records] == [f"a visitor could not be served: {error.strerror}"]
    socket = await place.connect()
    await first_bytes(socket)
    await socket.close()


async def test_a_browser_that_answers_no_more_is_nothing_to_complain_of(place, monkeypatch, caplog):
    """Its terminal ends, and its place is free."""

    async def receive(_, timeout=None):
        raise TimeoutError("No PONG received")

    await place.enter()
    with monkeypatch.context() as silent:
        silent.setattr(web.WebSocketResponse, "receive", receive)
        assert (await closed(await place.connect()))[0] == 4000
    async with asyncio.timeout(PATIENCE):
        while (await place.get(place.url)).status != 200:
            await asyncio.sleep(0.05)
    assert not caplog.records


@pytest.mark.parametrize(("drawn", "code"), [(False, -signal.SIGKILL), (True, TERMINATED)])
async def test_a_process_may_end_by_itself_once_it_has_drawn_something(place, monkeypatch, drawn, code):
    stop, codes = VisitorSession.stop, []

    async def noting(session):
        await stop(session)
        codes.append(session._process.returncode)

    monkeypatch.setattr(VisitorSession, "stop", noting)
    await place.enter()
    socket = await place.connect()
    if drawn:
        await first_bytes(socket)
    await socket.close()
    async with asyncio.timeout(PATIENCE):
        while not codes:
            await asyncio.sleep(0.01)
    assert codes == [code]


@pytest.mark.parametrize(
    "said",
    [
        *("nonsense", "{}", '["stdin", 5]', '["resize", {"width": "x"}]', '["sh", "ls"]'),
        pytest.param("[" * 50_000, id="50,000 brackets"),
    ],
)
async def test_an_invalid_message_ends_the_session(place, said):
    await place.enter()
    socket = await place.connect()
    await socket.send_str(said)
    async with asyncio.timeout(PATIENCE):
        async for _ in socket:
            pass
    assert socket.close_code == 1003


@pytest.mark.parametrize("path", ["/pages/%00", "/static/a%00b", "/pages/..%2f..%2fcli.py", "/static/" + "x" * 300])
async def test_an_odd_path_is_answered_without_a_traceback(place, path, caplog):
    await place.enter()
    async with place.get(yarl.URL(place.url + path, encoded=True)) as answer:
        assert answer.status in (403, 404)
    assert not caplog.records


def test_a_screen_as_large_as_a_house_is_not_believed(tmp_path):
    connection = dict.fromkeys(("write_bytes", "write_str", "close", "end", "download_manager"))
    environment = VisitorSession("{}", tmp_path, **connection)._build_environment(10**9, -1)
    assert (environment["COLUMNS"], environment["ROWS"]) == (str(LARGEST), "10")


def test_all_visitors_share_the_compiled_kernels(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/the/servers")
    connection = dict.fromkeys(("write_bytes", "write_str", "close", "end", "download_manager"))
    environments = [VisitorSession("{}", tmp_path / name, **connection)._build_environment() for name in "ab"]
    assert [environment["NUMBA_CACHE_DIR"] for environment in environments] == ["/the/servers"] * 2


FORM = {
    "page": 7, "title": "A study", "texts": ["<b>"], "pictures": [["data:image/png;base64,AA", '"wide"']],
    "problem": "", "buttons": [{"id": "yes", "label": "Go on", "off": True}], "focus": None, "type": "",
    "contrast": False, "begun": False,
}  # fmt: skip
NO_WORDS = {"type": "page", "form": FORM | {"title": "", "texts": []}}
FIELDS = {  # by the type of a question: what its form has, and what says that nothing is given yet
    "scale": ({"options": [["1  no", False], ["2  yes", True]]}, ['type="radio" name="answer" value="1" checked']),
    "choices": ({"options": [["red", False]]}, ['type="checkbox" name="answer" value="0">']),
    "slider": ({"ends": ["low", "high"], "value": None}, ["data-unset", 'aria-valuetext="not set"']),
    "number": ({"value": "3"}, ['inputmode="decimal"', 'value="3"']),
    "text": ({"value": "</textarea>"}, ["&lt;/textarea&gt;</textarea>"]),
    "code": ({"value": "P7"}, ["data-confirms", 'value="P7"']),
}


async def told(tmp_path, *pages):
    """What a browser is told of what a process says."""
    said = []

    async def note(text):
        said.append(json.loads(text))

    connection = dict.fromkeys(("write_bytes", "close", "end", "download_manager"))
    session = VisitorSession("{}", tmp_path, write_str=note, **connection)
    for page in pages:
        await session.on_meta(json.dumps(page).encode())
    return said


async def test_a_page_of_a_study_is_a_form_in_the_browser_and_a_game_has_none(tmp_path):
    form, none, notice = await told(
        tmp_path,
        {"type": "page", "form": FORM},
        {"type": "page", "form": {}},
        {"type": "notice", "text": "Are you there?"},
    )
    assert (form[0], none, notice) == ("form", ["form", ""], ["notice", "Are you there?"])
    for part in (
        'data-page="7"',
        '<h1 id="form-title" tabindex="-1">A study</h1>',
        "<p>&lt;b&gt;</p>",
        'alt="&#34;wide&#34;"',
        '<button type="button" data-button="yes" disabled>Go on</button>',
        "Larger letters",
    ):
        assert part in form[1]
    assert "alertdialog" not in form[1]


async def test_a_dialog_is_one_for_a_screen_reader_and_letters_are_chosen_before_consent_only(tmp_path):
    dialog, later = await told(
        tmp_path,
        {"type": "page", "form": FORM | {"title": "", "texts": ["Leave here?\n\nYou can."]}},
        {"type": "page", "form": FORM | {"begun": True, "contrast": True}},
    )
    assert 'role="alertdialog" aria-modal="true" aria-labelledby="form-title" aria-describedby="said"' in dialog[1]
    assert 'tabindex="-1">Leave here?</h1>' in dialog[1]
    assert ("<p>You can.</p>" in dialog[1], "High contrast" in dialog[1]) == (True, False)
    assert ("Larger letters" in later[1], 'aria-pressed="true"' in later[1]) == (False, True)


async def test_a_page_that_cannot_be_shown_ends_the_visit_with_a_word_instead_of_standing_still(tmp_path, monkeypatch):
    """Nothing is read of the process after it, so that it could not even end."""
    ends, log = [], []

    async def end(why):
        ends.append(why)

    async def open_process(session, *_):
        packet = session.encode_packet(b"M", json.dumps(NO_WORDS).encode())
        said = b"__GANGLION__\n" + packet
        program = f"import sys, time; sys.stdout.buffer.write({said!r}); sys.stdout.flush(); time.sleep(600)"
        session._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", program), stdin=asyncio.subprocess.PIPE, stdout=-1, stderr=-1
        )
        session._stdin = session._process.stdin

    monkeypatch.setattr(VisitorSession, "_open_app_process", open_process)
    connection = dict.fromkeys(("write_bytes", "write_str", "close"))
    session = VisitorSession(
        "{}", tmp_path, end=end, report=log.append, download_manager=DownloadManager(), **connection
    )
    await session.start(80, 24)
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait([session._task])
    await session.stop()
    assert ends == ["fault"]
    assert [line.partition(":")[0] for line in log] == ["a visitor's page could not be shown"]
    assert session._process.returncode is not None


@pytest.mark.parametrize("kind", FIELDS)
async def test_every_kind_of_question_has_a_field_with_its_label(tmp_path, kind):
    more, parts = FIELDS[kind]
    ((_, form),) = await told(tmp_path, {"type": "page", "form": FORM | {"type": kind, "texts": ["How?"]} | more})
    assert [part for part in parts if part not in form] == []
    label = '<legend id="said">How?</legend>' if "options" in more else '<label id="said" for="answer">How?</label>'
    assert label in form


async def test_what_a_form_says_reaches_the_process_as_that_and_nothing_else():
    class Session:
        said = []  # noqa: RUF012

        async def send_meta(self, data):
            self.said.append(data)

    app = object.__new__(AppServer)
    await app._handle(["form", {"page": 7, "value": [1], "type": "exit"}], None, Session(), VisitorLimits())
    assert Session.said == [{"page": 7, "value": [1], "type": "form"}]
    with pytest.raises(ValueError, match="not a message"):
        await app._handle(["form", [7]], None, Session(), VisitorLimits())
