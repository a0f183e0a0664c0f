"""A program that is stopped and goes on, one whose terminal takes nothing any more, and the status of each end."""

import shutil
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from bba.play import load
from tests.helpers.samples import crossed
from tests.helpers.terminal import PATIENCE, Terminal, terminal
from tui.preferences import AppState

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for threads in /proc")

ROOT = Path(__file__).parents[2]
ALTERNATE = b"\x1b[?1049h"
GAME = ("watch", "open", "--agent", "bayes", "--horizon", "100000", "--speed", "50")
# A command whose terminal is its own, as that of a window's first program is.
OWNS_ITS_TERMINAL = (
    sys.executable,
    "-c",
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])",
)
AT_MOST = 10.0  # seconds until the program has ended


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home, of somebody who has seen the tour and Learn."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    AppState().note(taught=True, toured=True)
    return tmp_path


def threads(pid: int) -> int:
    return psutil.Process(pid).num_threads()


def read_until(screen: Terminal, holds, what: str) -> None:
    screen.wait_until(lambda _: holds(), what)


def status_within(screen: Terminal, seconds: float = AT_MOST) -> int:
    """The exit status of a program that is to end although nobody reads what it writes."""
    return screen.process.wait(seconds)


# --- stopped and continued -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "under_way", "signals"),
    crossed(
        [(GAME, "kitchen: open"), (("recordings",), "No recorded games"), ((), "settings")],
        [(("SIGCONT",),), (("SIGSTOP", "SIGCONT"),), (("SIGCONT",) * 5,)],
    ),
)
def test_a_program_that_somebody_continues_draws_anew_and_takes_keys(home, signals, arguments, under_way):
    with terminal(*arguments) as screen:
        screen.wait_for(under_way, "quit")
        screen.catch_up()
        before = threads(screen.process.pid)
        for number, name in enumerate(signals, 2):
            screen.process.send_signal(getattr(signal, name))
            if name == "SIGCONT" and "SIGSTOP" not in signals:
                read_until(screen, lambda number=number: screen.sent.count(ALTERNATE) >= number, name)
        read_until(screen, lambda: screen.sent.count(ALTERNATE) > 1, "a screen that is drawn anew")
        screen.screen.reset()
        screen.process.send_signal(signal.SIGCONT)
        screen.wait_for(under_way, "quit")  # all of it
        assert threads(screen.process.pid) <= before
        screen.send("q")
        assert screen.end() == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("how", ["ctrl+z", "SIGTSTP", "SIGSTOP"])
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs a shell with jobs")
def test_a_shell_gets_the_terminal_back_and_fg_the_screen(home, monkeypatch, how):
    monkeypatch.setenv("PS1", "PROMPT> ")
    with terminal("bash", "--norc", "-i", command=OWNS_ITS_TERMINAL) as screen:
        screen.wait_for("PROMPT>")
        screen.send(f"{sys.executable} -m tui.cli {' '.join(GAME)}\r")
        screen.wait_for("kitchen: open", "quit")
        (program,) = psutil.Process(screen.process.pid).children()
        before = program.num_threads()
        if how == "ctrl+z":
            screen.send("\x1a")
        else:
            program.send_signal(getattr(signal, how))
        read_until(screen, lambda: program.status() == psutil.STATUS_STOPPED, "a program that stands still")
        read_until(screen, lambda: b"Stopped" in screen.sent, "the word of the shell")
        if how != "SIGSTOP":  # which asks nobody
            assert screen.sent.rindex(b"\x1b[?1049l") < screen.sent.rindex(b"Stopped")
        sent = len(screen.sent)
        screen.send("bg\r")
        read_until(screen, lambda: program.status() == psutil.STATUS_STOPPED, "a program without a terminal")
        screen.screen.reset()
        screen.send("fg\r")
        screen.wait_for("kitchen: open", "quit")
        assert ALTERNATE in screen.sent[sent:]
        assert program.num_threads() <= before
        screen.send("q")
        read_until(screen, lambda: not program.is_running(), "the end")


def test_without_a_shell_the_program_says_that_nobody_would_bring_it_back(home):
    with terminal(*GAME) as screen:
        screen.wait_for("kitchen: open", "quit")
        screen.send("\x1a")
        screen.wait_for("there is no shell here")
        screen.send("q")
        assert screen.end() == 0


# --- a terminal that takes nothing -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("way", "status", "key"), crossed([("closed", 129), ("SIGTERM", 143), ("SIGHUP", 129)], [("",), ("x",)])
)
def test_a_terminal_that_takes_nothing_leaves_no_process_and_the_game_is_kept(home, way, status, key):
    with terminal(*GAME, "--record", str(home / "game.bba")) as screen:
        screen.wait_for("kitchen: open", "quit")
        screen.stall()
        if key:
            screen.send(key)
        if way == "closed":
            screen.hang_up()
        else:
            screen.process.send_signal(getattr(signal, way))
        assert status_within(screen) == status
    assert load(home / "game.bba").steps > 0


def test_a_terminal_that_takes_something_again_gets_the_newest_picture(home):
    with terminal(*GAME) as screen:
        screen.wait_for("kitchen: open", "quit")
        screen.stall()
        screen.send(" ")
        screen.wait_for("paused", "kitchen: open", "quit")
        screen.send("q")
        assert screen.end() == 0


# --- the status of each end ------------------------------------------------------------------------------------
SCREENS = {
    "watch": (GAME, "kitchen: open"),
    "start": ((), "watch"),
    "play": (("play", "open", "--turns", "--agent", "switching"), "your turn"),
    "duel": (("duel", "open", "--planner", "scripted"), "kitchen"),
    "design": (("design",), "undo"),
    "recordings": (("recordings",), "No recorded games"),
    "study": (("study", "example", "--participant", "P1", "--out", "study"), "quit|leave"),
}


@pytest.mark.parametrize(
    ("name", "way", "status"),
    crossed([(name,) for name in SCREENS], [("SIGTERM", 143), ("SIGHUP", 129), ("closed", 129)]),
)
def test_every_screen_ends_with_the_same_status(home, monkeypatch, name, way, status):
    monkeypatch.chdir(home)
    arguments, under_way = SCREENS[name]
    with terminal(*arguments) as screen:
        screen.wait_until(lambda text: any(word in text for word in under_way.split("|")), under_way)
        if way == "closed":
            screen.hang_up()
        else:
            screen.process.send_signal(getattr(signal, way))
            deadline = time.monotonic() + PATIENCE
            while screen.process.poll() is None and time.monotonic() < deadline:
                screen.catch_up()
        assert status_within(screen) == status
    assert b"Traceback" not in screen.sent
    assert not list(home.rglob("crash-*.txt"))
