"""What strangers send to a server with a visitor in it: it is refused, nothing is printed, and the visitor plays on."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress

import aiohttp
import pytest
import yarl

from tests.helpers.web_server import PATIENCE, ROOT, STUDY, free_port

HALF_OPEN = 400
OTHERS = {"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}
PATHS = (
    "/pages/..%2f..%2fcli.py",
    "/static/../../../etc/passwd",
    "//etc/passwd",
    "/pages/%00",
    "/static/" + "x" * 5000,
)


class Visitor:
    """A browser that is let in, and its terminal."""

    def __init__(self, url):
        self.url, self.asked = url, 0
        self.session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def enter(self, link):
        async with self.session.get(link) as answer:
            assert answer.status == 200
        headers = {"Origin": self.url}
        self.socket = await self.session.ws_connect(
            f"{self.url}/ws?width=100&height=30", headers=headers, max_msg_size=0
        )

    async def is_answered(self):
        self.asked += 1
        await self.socket.send_json(["ping", self.asked])
        async with asyncio.timeout(PATIENCE):
            while (await self.socket.receive()).data != f'["pong", {self.asked}]':
                pass

    async def status(self, path, **headers):
        address = yarl.URL(self.url + path, encoded=True)
        async with self.session.get(address, headers=headers, allow_redirects=False) as answer:
            return answer.status


@pytest.fixture
def server(tmp_path):
    """A server of a study, all of whose output is read."""
    (tmp_path / "study.toml").write_text(STUDY)
    port = free_port()
    command = [sys.executable, "-m", "tui.cli", "--study", "study.toml", f"--serve=127.0.0.1:{port}"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=outside(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    yield process, f"http://127.0.0.1:{port}"
    process.kill()
    process.stdout.close()
    process.wait()


def outside(folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BBA_")}
    return kept | {"PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}


@pytest.mark.long
async def test_strangers_are_refused_and_the_visitor_plays_on(server):
    process, url = server
    process.stdout.readline()
    link = process.stdout.readline().split()[-1]
    port = int(url.rpartition(":")[2])
    visitor, stranger, loud = Visitor(url), Visitor(url), Visitor(url)
    await visitor.enter(link)
    for path in ("/", "/?token=wrong", "/ws", "/pages/page.js"):
        assert await stranger.status(path, Origin=url) == 403
    assert await stranger.status("/", Cookie=f"bba-tui-{port}=of-yesterday") == 403
    for headers in OTHERS:
        assert await visitor.status("/", **headers) == 403
    for path in PATHS:
        assert await visitor.status(path) in (400, 404)
    await visitor.is_answered()
    await loud.enter(link)
    with suppress(ConnectionError):
        await loud.socket.send_str("x" * 10_000_000)
    async for _ in loud.socket:
        pass
    await visitor.is_answered()
    await check_half_open(visitor, port)
    for one in (visitor, stranger, loud):
        await one.session.close()
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    assert process.stdout.read() == "kept in results/remote; its tables: bba-tui study tables results/remote\n"


async def check_half_open(visitor, port):
    """Connections that never ask for anything keep nobody out, and are closed."""
    silent = []
    for _ in range(HALF_OPEN):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: 127")
        silent.append((reader, writer))
    await visitor.is_answered()
    assert await visitor.status("/") == 200
    async with asyncio.timeout(PATIENCE):
        for reader, writer in silent:
            with suppress(ConnectionError):
                await reader.read()
            writer.close()
    await visitor.is_answered()
