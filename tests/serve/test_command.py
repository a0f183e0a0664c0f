"""`--serve`: what it takes, what it refuses in one line, and how it ends."""

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import aiohttp
import pytest

from bba.errors import BBAError
from tests.helpers.command_line import parsed
from tests.helpers.web_server import PATIENCE, first_bytes, serving
from tui import cli
from tui.serve import command
from tui.serve.auth import parse_address


@pytest.mark.parametrize(
    ("text", "url", "expected"),
    [
        ("127.0.0.1:8000", None, ("127.0.0.1", 8000, "http://127.0.0.1:8000")),
        ("localhost", None, ("localhost", 8000, "http://localhost:8000")),
        ("9000", None, ("127.0.0.1", 9000, "http://127.0.0.1:9000")),
        (":9000", None, ("127.0.0.1", 9000, "http://127.0.0.1:9000")),
        ("[::1]:9000", None, ("::1", 9000, "http://[::1]:9000")),
        ("0.0.0.0:80", "https://Study.example.org/", ("0.0.0.0", 80, "https://study.example.org")),
    ],
)
def test_an_address_is_host_and_port_and_what_visitors_type(text, url, expected):
    assert parse_address(text, url) == expected


@pytest.mark.parametrize(
    ("text", "url", "said"),
    [
        ("", None, "not HOST:PORT"),
        ("a b:80", None, "not HOST:PORT"),
        ("127.0.0.1:0", None, "not HOST:PORT"),
        ("127.0.0.1:70000", None, "not HOST:PORT"),
        ("example.org:80", None, "not an address of this machine"),
        ("0.0.0.0:80", None, "--public-url"),
        ("127.0.0.1", "ftp://x", "--public-url"),
        ("127.0.0.1", "https://user@x", "--public-url"),
        ("127.0.0.1", "https://x/y", "--public-url"),
        ("127.0.0.1", "https://x:y", "--public-url"),
    ],
)
def test_what_is_no_address_is_one_line(text, url, said):
    with pytest.raises(BBAError, match=said):
        parse_address(text, url)


def test_only_loopback_is_local_and_there_the_name_does_as_well():
    assert parse_address("127.0.0.1:80").local
    assert parse_address("127.0.0.1:81").hosts == {"127.0.0.1:81", "localhost:81"}
    assert not parse_address("192.168.1.5:81").local
    assert parse_address("192.168.1.5:81").hosts == {"192.168.1.5:81"}


def test_a_port_that_browsers_leave_out_is_left_out():
    assert parse_address("127.0.0.1:80").hosts == {"127.0.0.1", "localhost"}
    assert parse_address("0.0.0.0:8000", "https://Study.Example.org:443/").origins == {"https://study.example.org"}


def test_serve_alone_means_this_machine():
    assert parsed(["--serve"]).served_at == "127.0.0.1:8000"
    assert parsed(["--serve", "--sessions", "2"]).served_at == "127.0.0.1:8000"
    assert parsed(["--serve", "127.0.0.1:9"]).served_at == "127.0.0.1:9"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--model-log", "x"],
        ["--play", "window"],
    ],
)
def test_what_visitors_cannot_share_is_refused(arguments, capsys):
    assert cli.main(["--serve", *arguments]) == 2
    assert f"{arguments[0]}: not for visitors" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--record", "x.bba"], ["--participant", "P1", "--study", "x.toml"], ["--headless"]]
)
def test_what_only_other_commands_do_is_no_option_of_serve(arguments, capsys):
    assert cli.main(["--serve", *arguments]) == 2
    assert f"{arguments[0]}: is no option of serve, but of " in capsys.readouterr().err


def test_no_key_is_handed_to_visitors(monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    assert cli.main(["--serve", "--planner", "openai"]) == 2
    said = capsys.readouterr().err
    assert "given no key" in said
    assert "hunter2" not in said


def test_the_rollout_planner_needs_no_key_and_is_served(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    assert command.visitor_options(parsed(["--serve", "--planner", "rollout"])) == '{"planner":"rollout"}'


def test_the_visitors_options_are_the_operators_without_those_of_the_server():
    shown = command.visitor_options(parsed(["--serve", "--sessions", "3", "--layout", "ring", "--play"]))
    assert json.loads(shown) == {"play": "terminal", "layout": "ring"}


def test_without_the_libraries_it_is_one_line(monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("tui.serve.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("aiohttp", "textual_serve"):
        monkeypatch.setitem(sys.modules, name, None)
    assert cli.main(["--serve"]) == 2
    assert capsys.readouterr().err == "bba-tui: --serve needs textual-serve: pip install 'bba-tui[serve]'\n"


def test_a_port_that_is_taken_is_one_line(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert cli.main(["--serve", f"127.0.0.1:{taken.getsockname()[1]}"]) == 2
    assert "in use" in capsys.readouterr().err


def test_beyond_this_machine_there_is_a_warning(monkeypatch, capsys):
    monkeypatch.setattr(command, "run_until_interrupted", lambda *_: None)
    assert cli.main(["--serve", "0.0.0.0:8000", "--public-url", "http://kitchen.example.org:8000"]) == 0
    said = capsys.readouterr().out
    assert "http://kitchen.example.org:8000/?token=" in said
    assert "warning" in said


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the process in /proc")
@pytest.mark.parametrize("way", [pytest.param(signal.SIGINT, marks=pytest.mark.thorough), signal.SIGKILL])
async def test_when_the_server_ends_however_its_visitors_processes_end(tmp_path, way):
    with serving(tmp_path) as (process, link):
        url = link.partition("/?")[0]
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            await session.get(link)
            socket = await session.ws_connect(f"{url}/ws", headers={"Origin": url})
            await first_bytes(socket)
            (visitor,) = visitors_of(process.pid)
            os.kill(process.pid, way)
            process.wait(PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while runs(visitor):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def visitors_of(server):
    tasks = Path(f"/proc/{server}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def runs(process):
    """Whether a process runs; one that has ended has no command line, even where nobody has waited for it."""
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return False
