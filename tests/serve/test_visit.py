"""A participant whose browser goes away loses nothing."""

import asyncio

import aiohttp
import pytest

from bba.play import load
from tests.helpers.web_server import PATIENCE, STUDY, serving


class Terminal:
    """A visitor's terminal without a browser."""

    def __init__(self, socket):
        self.socket = socket

    async def shows(self, words):
        drawn = b""
        async with asyncio.timeout(PATIENCE):
            while words.encode() not in drawn:
                said = await self.socket.receive()
                drawn += said.data if said.type == aiohttp.WSMsgType.BINARY else b""

    async def type(self, keys):
        await self.socket.send_json(["stdin", keys])


@pytest.mark.thorough
async def test_a_closed_page_keeps_every_step_and_the_same_code_goes_on(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    recording = tmp_path / "results" / "remote" / "recordings" / "P1-game-1.bba"
    with serving(tmp_path, "--study", "study.toml") as (_, link):
        url = link.partition("/?")[0]
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            await session.get(link)
            async with session.ws_connect(f"{url}/ws?width=120&height=40", headers={"Origin": url}) as socket:
                visitor = Terminal(socket)
                for words, keys in (("given", "p1\r"), ("Do you agree?", "\t\r"), ("Begin", "\r"), ("your turn", "d")):
                    await visitor.shows(words)
                    await visitor.type(keys)
                await visitor.shows("floor")  # is what one faces after that step
            async with asyncio.timeout(PATIENCE):
                while not recording.exists():
                    await asyncio.sleep(0.05)
            assert load(recording).steps == 1
            async with session.ws_connect(f"{url}/ws?width=120&height=40", headers={"Origin": url}) as socket:
                visitor = Terminal(socket)
                await visitor.shows("given")
                await visitor.type("p1\r")
                await visitor.shows("Welcome back")
