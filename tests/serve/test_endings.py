"""What a served study gives at each ending, and that no browser gets what belongs to another one; and its link."""

import asyncio
import json
import re
import stat
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
import yarl

from human.study import StudyFolder, load_study
from human.study.tables import tables_of
from tests.helpers.command_line import parsed
from tests.helpers.studies import PLAN, plan
from tests.helpers.web_server import PATIENCE, free_port, serving
from tests.serve.test_monitor import visiting
from tests.serve.test_visit import Terminal
from tests.tui.test_study_endings import CODES, ENDINGS, KEPT, ME, WAYS
from tests.tui.test_study_endings import PLAN as WALKED
from tests.tui.test_study_pairs import TWO
from tui import cli
from tui.serve import command
from tui.serve.auth import kept_token, parse_address
from tui.serve.server import AppServer
from tui.serve.session import ENDS, PAGES, VISITOR, VisitorSession

IDS = "PROLIFIC_PID=abc&STUDY_ID=s"


@asynccontextmanager
async def served(path, endings, **options):
    """A server of a study with these endings, and a browser that has come with the ids of its link."""
    address = parse_address(f"127.0.0.1:{options.pop('port', None) or free_port()}")
    cookies = options.pop("cookies", None) or aiohttp.CookieJar(unsafe=True)
    app = AppServer(address, "{}", 1, path, study=plan(online={"endings": endings}), **options)
    runner = await visiting(await app.application(), address)
    async with aiohttp.ClientSession(cookie_jar=cookies) as session:
        yield app, session
    await runner.cleanup()


async def everything(session, url):
    """All messages of a visit, and the word with which its connection was closed."""
    async with session.ws_connect(f"{url}/ws", headers={"Origin": url}) as socket:
        said = []
        while (message := await socket.receive()).type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
            said.append(message.data)
        return said, message.extra


@pytest.mark.parametrize("end", ENDS)
async def test_a_browser_gets_the_code_of_its_ending_and_of_no_other(tmp_path, monkeypatch, end):
    async def ends(session, *_):
        await session._end(end)

    async def nothing(session):
        pass

    monkeypatch.setattr(VisitorSession, "start", ends)
    monkeypatch.setattr(VisitorSession, "stop", nothing)
    async with served(tmp_path, ENDINGS) as (app, session):
        async with session.get(f"{app.auth.link}&{IDS}") as answer:
            page = await answer.text()
            assert (answer.status, "CODE-OF" in page) == (200, False)
        said, closed = await everything(session, app.public_url)
    assert closed == end
    given = f'["given", {{"code": "{CODES.get(end)}", "link": "https://x.org/abc"}}]'
    assert said == ([given] if end in CODES else [])


async def test_an_ending_without_an_entry_gives_nothing(tmp_path, monkeypatch):
    async def ends(session, *_):
        await session._end("idle")

    async def nothing(session):
        pass

    monkeypatch.setattr(VisitorSession, "start", ends)
    monkeypatch.setattr(VisitorSession, "stop", nothing)
    async with served(tmp_path, {"finished": {"code": "F1N"}}) as (app, session):
        await session.get(f"{app.auth.link}&{IDS}")
        assert await everything(session, app.public_url) == ([], "idle")


async def test_what_is_typed_while_a_session_ends_is_read_so_that_the_browser_learns_why_it_ended(
    tmp_path, monkeypatch
):
    async def nothing(*_):
        pass

    monkeypatch.setattr(VisitorSession, "start", nothing)
    monkeypatch.setattr(VisitorSession, "stop", nothing)
    async with served(tmp_path, ENDINGS) as (app, session):
        await session.get(f"{app.auth.link}&{IDS}")
        headers = {"Origin": app.public_url}
        async with session.ws_connect(f"{app.public_url}/ws", headers=headers, autoclose=False) as socket:
            await socket.send_json(["ping", 1])
            await socket.receive()
            ending = asyncio.create_task(app._visits.close_all())
            assert (await socket.receive()).extra == "server"
            await socket.send_json(["stdin", "\r"])
            for _ in range(50):
                await asyncio.sleep(0)
            assert not ending.done()
            await socket.close()
            await ending


def test_every_way_to_end_has_a_page():
    pages = re.findall(r'<main class="end" data-end="([a-z-]+)">', (PAGES / "index.html").read_text("utf-8"))
    assert sorted(pages) == sorted([*ENDS, "lost"])


def toml(value) -> str:
    """A value as TOML, in a line."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name} = {toml(one)}' for name, one in value.items())}}}"
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, list | tuple) else json.dumps(value)


async def walk(session, url, pages, consent="\t\t\r"):
    """Walks a served study to its end; returns all that came from the server, a message each, and how it closed.

    `consent` is what is pressed on the first page.
    """
    async with session.ws_connect(f"{url}/ws?width=100&height=30", headers={"Origin": url}) as socket:
        visitor, said, ahead = Terminal(socket), [], [*pages, "Close"]
        while (message := await socket.receive(PATIENCE)).type != aiohttp.WSMsgType.CLOSE:
            said.append(message.data.encode() if isinstance(message.data, str) else message.data)
            if ahead and ahead[0].encode() in said[-1] and message.type == aiohttp.WSMsgType.BINARY:
                if (title := ahead.pop(0)) == "Game over":
                    await asyncio.sleep(3)  # it takes no key before it was quiet for two seconds
                await visitor.type(consent if title == "A small study" else "\r")
        return said, message.extra


def begun(folder):
    with folder.participation(ME.code, ME):
        pass


SERVED_WAYS = WAYS | {"idle": (begun, {}, ["Welcome back"])}


@pytest.mark.thorough
@pytest.mark.parametrize("ending", SERVED_WAYS)
async def test_a_served_ending_has_its_code_its_row_and_no_other_code_in_the_stream(tmp_path, ending):
    before, more, pages = SERVED_WAYS[ending]
    more = more | {"online": {"endings": ENDINGS}}
    if ending == "idle":  # in the second page, which nobody leaves
        more = more | {"horizon": 2000}
    file = tmp_path / "study.toml"
    file.write_text("\n".join(f"{name} = {toml(value)}" for name, value in (PLAN | WALKED | more).items()))
    folder = StudyFolder.begin(tmp_path / "kept", load_study(file))
    if before is not None:
        before(folder)
    options = ("--study", "study.toml", "--out", "kept", *(["--idle=0.1"] if ending == "idle" else []))
    with serving(tmp_path, *options) as (_, link):
        url = link.partition("/?")[0]
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            session.cookie_jar.update_cookies({VISITOR: "a cookie"}, yarl.URL(url))
            async with session.get(f"{link}&PROLIFIC_PID=me") as answer:
                said = [await answer.read()]
            stream, closed = await walk(session, url, pages)
    assert closed == ending
    given = {"code": CODES[ending], "link": "https://x.org/me"}
    assert stream[-1] == json.dumps(["given", given]).encode()
    shown = b"".join([*said, *stream])
    assert [name for name, code in CODES.items() if code.encode() in shown] == [ending]
    if ending in (*KEPT, "idle"):
        assert [row["ending"] for row in tables_of(folder)["participants"]] == [ending]


@pytest.mark.thorough
async def test_who_loses_the_other_one_in_a_served_study_gets_the_code_of_that_and_no_other(tmp_path):
    more = TWO | {"horizon": 2000, "wait": 15, "online": {"endings": ENDINGS}}
    (tmp_path / "study.toml").write_text("\n".join(f"{name} = {toml(value)}" for name, value in (PLAN | more).items()))
    jars = [aiohttp.CookieJar(unsafe=True) for _ in range(2)]
    with serving(tmp_path, "--study", "study.toml", "--out", "kept") as (_, link):
        url = link.partition("/?")[0]
        async with (
            aiohttp.ClientSession(cookie_jar=jars[0]) as staying,
            aiohttp.ClientSession(cookie_jar=jars[1]) as leaving,
        ):
            for session, code in ((staying, "me"), (leaving, "you")):
                await session.get(f"{link}&PROLIFIC_PID={code}")
            pages = ["A small study", "Game 1 of 1", "Game over"]
            walked = asyncio.create_task(walk(staying, url, pages, consent="\t\r"))
            async with leaving.ws_connect(f"{url}/ws?width=100&height=30", headers={"Origin": url}) as socket:
                visitor = Terminal(socket)
                for words, keys in (("A small study", "\t\r"), ("Game 1 of 1", "\r"), ("orders", "d")):
                    await visitor.shows(words)
                    await visitor.type(keys)
            stream, closed = await walked
    assert closed == "partner-lost"
    given = {"code": CODES["partner-lost"], "link": "https://x.org/me"}
    assert stream[-1] == json.dumps(["given", given]).encode()
    assert [name for name, code in CODES.items() if code.encode() in b"".join(stream)] == ["partner-lost"]
    rows = tables_of(StudyFolder.open(tmp_path / "kept"))["participants"]
    assert [row["ending"] for row in rows].count("partner-lost") == 1


async def test_after_a_restart_the_same_link_and_the_same_cookie_are_let_in(tmp_path):
    token, port = kept_token(tmp_path / "token"), free_port()
    async with served(tmp_path, {}, token=token, port=port) as (app, session):
        link = app.auth.link
        await session.get(f"{link}&{IDS}")
        cookies = session.cookie_jar
        before = {cookie.key: cookie.value for cookie in cookies}
    async with served(tmp_path, {}, token=kept_token(tmp_path / "token"), port=port, cookies=cookies) as (app, session):
        assert app.auth.link == link
        async with session.get(app.public_url) as answer:
            assert answer.status == 200
        assert {cookie.key: cookie.value for cookie in session.cookie_jar} == before


def test_the_command_keeps_the_links_secret_in_a_file_for_its_owner_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "run_until_interrupted", lambda *_: None)
    file, links = tmp_path / "token", []
    for _ in range(2):
        assert cli.main(["serve", f"127.0.0.1:{free_port()}", "--token-file", str(file)]) == 0
        links.append(re.search(r"token=(\S+)", capsys.readouterr().out)[1])
    assert links == [file.read_text().strip()] * 2
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["token"]
    assert cli.main(["--token-file", str(file)]) == 2
    assert "--token-file: goes with serve" in capsys.readouterr().err
    shown = command.visitor_options(parsed(["--serve", "--token-file", str(file)]))
    assert shown == "{}", "a visitor's process is not told where the secret is"


@pytest.mark.parametrize(("content", "said"), [("short\n", "holds no secret"), ("x" * 30 + " y", "holds no secret")])
def test_a_file_without_a_secret_is_one_line(tmp_path, content, said, capsys):
    file = tmp_path / "token"
    file.write_text(content)
    assert cli.main(["serve", f"127.0.0.1:{free_port()}", "--token-file", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"bba-tui: --token-file: {file}: {said}")
    assert file.read_text() == content


def test_a_token_file_that_cannot_be_made_is_one_line(tmp_path, capsys):
    file = Path(tmp_path / "nowhere" / "token")
    assert cli.main(["serve", f"127.0.0.1:{free_port()}", "--token-file", str(file)]) == 2
    assert f"{file}: cannot be written" in capsys.readouterr().err
