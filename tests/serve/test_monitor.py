"""The page for researchers, and the ids of the link that visitors come with."""

import re
from datetime import UTC, datetime

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from tests.helpers.languages import english_in, spoken
from tests.helpers.studies import begin_study, plan
from tests.helpers.web_server import free_port
from tui.serve.auth import parse_address
from tui.serve.server import AppServer, Monitor, monitor_page
from tui.serve.session import LINK, VISITOR

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


async def visiting(app, address):
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, address.host, address.port).start()
    return runner


def test_the_page_shows_everybody_and_takes_no_text_for_html(tmp_path):
    folder = begin_study(tmp_path, title="<script>alert(1)</script>")
    with folder.participation("P7"):
        pass
    page = monitor_page(folder, (1, 4), NOW)
    assert "<script>" not in page
    assert "P7" in page
    assert (
        "participants: 1 · taking part: 0 · waiting: 0 · away: 1 · done: 0 · excluded: 0 · withdrawn: 0 · 1 of" in page
    )


def test_the_page_is_in_the_language_of_the_study_as_is_where_somebody_is(tmp_path):
    folder = begin_study(tmp_path, questions=[{"name": "saw", "text": "?", "when": "start"}], layouts=["open"])
    with folder.participation("P7") as part:
        part.exclude("researcher")
    with folder.participation("P8") as part:
        part.log.note("joined")
        part.log.note("paused", detail="dialog")
        with spoken("de"):
            page = monitor_page(folder, (1, 4), NOW)
    for words in ('<html lang="de">', "von Hand", "Frage saw, 1 von 1", "angehalten: Dialog", "1 von 4 Plätzen"):
        assert words in page
    assert english_in(re.sub(r"<style>.*</style>|<[^>]*>", "\n", page, flags=re.DOTALL), "de") == set()


async def test_the_page_needs_its_own_link(tmp_path):
    address = parse_address(f"127.0.0.1:{free_port()}", option="--monitor")
    monitor = Monitor(address, begin_study(tmp_path), lambda: (0, 4))
    runner = await visiting(monitor.application(), address)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(address.url) as answer:
            assert answer.status == 403
        async with session.get(monitor.auth.link) as answer:
            assert answer.status == 200
            assert "Nobody has agreed to take part yet" in await answer.text()
    await runner.cleanup()


@pytest.fixture
async def online(tmp_path):
    """A server of a study whose visitors have ids, and a browser that is let in."""
    address = parse_address(f"127.0.0.1:{free_port()}")
    study = plan(online={"completion-code": "C0DE", "return-link": "https://example.org/done"})
    server = AppServer(address, "{}", 1, tmp_path, study=study)
    runner = await visiting(await server.application(), address)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield server, session
    await runner.cleanup()


async def test_the_ids_of_the_link_are_kept_and_the_secret_is_not(online):
    server, session = online
    async with session.get(f"{server.auth.link}&PROLIFIC_PID=abc&STUDY_ID=s&other=x") as answer:
        assert answer.status == 200
        assert "token" not in str(answer.url)
        assert "C0DE" not in await answer.text()
    cookies = {cookie.key: cookie.value for cookie in session.cookie_jar}
    assert cookies[LINK] == "PROLIFIC_PID=abc&STUDY_ID=s"

    request = make_mocked_request("GET", "/ws", {"Cookie": f"{LINK}=PROLIFIC_PID=abc&STUDY_ID=s; {VISITOR}=me"})
    said = server._ids.ids(request)
    assert (said.participant, said.study, said.session) == ("abc", "s", None)


@pytest.mark.parametrize("ids", ["", "&PROLIFIC_PID=", "&PROLIFIC_PID=..%2Fother", "&STUDY_ID=s"])
async def test_without_an_id_of_a_participant_nobody_comes_in(online, ids):
    server, session = online
    async with session.get(f"{server.auth.link}{ids}") as answer:
        assert answer.status == 400
        assert (await answer.text()).count("\n") == 1
