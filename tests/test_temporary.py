"""What a killed process leaves behind goes when the program runs again, and nothing else does."""

import os
import signal
import subprocess
import sys
import tempfile
import time

import aiohttp
import pytest

from bba import BBAError
from bba.processes import PARTIAL_SECONDS, remove_partial
from bba.temporary import LOCK, temporary_folder
from tests.helpers.web_server import ROOT, STUDY, first_bytes, serving

MAKES = "from bba.temporary import temporary_folder\nwith temporary_folder() as made: print(made, flush=True); input()"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


async def visit(link):
    """Opens a page of the server, and leaves when its first picture is there."""
    url = link.partition("/?")[0]
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(link):
            pass
        socket = await session.ws_connect(f"{url}/ws", headers={"Origin": url}, max_msg_size=0)
        await first_bytes(socket)


def other_process(place):
    """Another process with a temporary folder, and that."""
    environment = os.environ | {"TMPDIR": str(place), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", MAKES]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, place / process.stdout.readline().strip()


def ended(process):
    process.kill()
    process.communicate()


def test_a_folder_goes_with_its_block(place):
    with temporary_folder() as made:
        assert made.parent == place
        assert made.stat().st_mode & 0o777 == 0o700
        (made / "more").mkdir()
        (made / "more" / "file").write_text("x")
    assert list(place.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_at_the_next_start_and_that_of_another_stays(place):
    killed, left = other_process(place)
    running, used = other_process(place)
    (left / "home").mkdir()
    (left / "home" / "file").write_text("x")
    ended(killed)
    assert left.is_dir()
    with temporary_folder() as made:
        assert sorted(place.iterdir()) == sorted([used, made])
    ended(running)


def foreign(place):
    """Folders that look like one that was left behind, and are none; and what must not be touched."""
    precious = place / "precious"
    precious.mkdir()
    (precious / LOCK).write_text("")
    (place / "bba-tui-link").symlink_to(precious)
    (place / "bba-tui-file").write_text("x")
    (place / "bba-tui-without-a-lock").mkdir(mode=0o700)
    (place / "bba-tui-of-everybody").mkdir()
    (place / "bba-tui-of-everybody").chmod(0o777)
    (place / "bba-tui-of-everybody" / LOCK).write_text("")
    (place / "bba-tui-linked-lock").mkdir(mode=0o700)
    (place / "bba-tui-linked-lock" / LOCK).symlink_to(precious / LOCK)
    return sorted(place.rglob("*"))


def test_nothing_but_an_own_folder_with_its_lock_goes(place):
    before = foreign(place)
    with temporary_folder():
        pass
    assert sorted(place.rglob("*")) == before


def test_a_link_in_a_folder_that_goes_is_not_followed(place):
    process, left = other_process(place)
    outside = place / "outside"
    outside.mkdir()
    (outside / "file").write_text("x")
    (left / "link").symlink_to(outside)
    ended(process)
    with temporary_folder():
        pass
    assert not left.exists()
    assert (outside / "file").read_text() == "x"


def test_a_folder_of_another_user_stays(place, monkeypatch):
    process, left = other_process(place)
    ended(process)
    with monkeypatch.context() as other:
        other.setattr(os, "getuid", lambda: left.stat().st_uid + 1)
        with temporary_folder():
            pass
    assert left.is_dir()


def test_without_room_it_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(BBAError, match="no temporary folder can be made: No such file"), temporary_folder():
        pass


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_an_ended_process_has_half_written_goes_and_what_others_write_stays(tmp_path, kind):
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    names = {f"a.tmp.{process.pid}": False, f"a.tmp.{os.getpid()}": True, "a.tmp.": True, f"b.tmp.{process.pid}": True}
    for name in names:
        (tmp_path / name).write_text("x") if kind == "file" else (tmp_path / name).mkdir()
    remove_partial(tmp_path, "a.tmp.*")
    assert len(list(tmp_path.iterdir())) == 4  # another machine may write them at this moment
    for name in names:
        os.utime(tmp_path / name, (time.time() - 2 * PARTIAL_SECONDS,) * 2)
    remove_partial(tmp_path, "a.tmp.*")
    assert {name: (tmp_path / name).exists() for name in names} == names


@pytest.mark.thorough
@pytest.mark.parametrize("what", ["play", "play with a visitor", "study"])
async def test_the_homes_of_visitors_go_when_the_server_starts_again(tmp_path, what):
    place = tmp_path / "temporary"
    place.mkdir()
    environment = {"TMPDIR": str(place)}
    (tmp_path / "study.toml").write_text(STUDY)
    arguments = ("--study", "study.toml") if what == "study" else ("--play",)
    with serving(tmp_path, *arguments, environment=environment) as (process, link):
        (left,) = place.glob("bba-tui-*")
        if what == "play with a visitor":
            await visit(link)
            assert any(path.is_dir() for path in left.iterdir()), "the home of the visitor"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert left.is_dir()
    with serving(tmp_path, *arguments, environment=environment):
        assert not left.exists()
        assert len(list(place.glob("bba-tui-*"))) == 1
    assert list(place.glob("*bba-tui-*")) == []
