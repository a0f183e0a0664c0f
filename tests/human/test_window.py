"""The window on a virtual display, with keys pressed by xdotool."""

import os
import shutil
import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

import pytest
from Xlib.display import Display
from Xlib.protocol.event import ClientMessage

from bba.agents import Controls
from bba.errors import BBAError
from bba.kitchen import Action, Layout, constants
from bba.play import Replay, load
from human.keymap import DEFAULT
from human.window_client import WindowClient
from tests.helpers.terminal import terminal
from tests.helpers.typist import actions_until_a_dish

pytest.importorskip("pygame", reason="the extra 'window' is not installed")
MISSING = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not on this machine: {', '.join(MISSING)}")

PATIENCE = 120.0  # seconds; reached only when something is broken


def eventually(condition):
    """What `condition` returns as soon as it is true."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(0.02)
    raise AssertionError("waited in vain")


@pytest.fixture(scope="module")
def display():
    """A virtual display."""
    reader, writer = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "800x600x24"], pass_fds=[writer]
    ) as server:
        os.close(writer)
        with os.fdopen(reader) as told:
            yield f":{told.readline().strip()}"
        server.terminate()


def xdotool(display, *arguments):
    done = subprocess.run(
        ["xdotool", *arguments], env=os.environ | {"DISPLAY": display}, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def ask_to_close(display, window):
    """Does what a window manager does when the user closes a window."""
    with closing(Display(display)) as server:
        protocols, delete = server.intern_atom("WM_PROTOCOLS"), server.intern_atom("WM_DELETE_WINDOW")
        target = server.create_resource_object("window", int(window))
        target.send_event(ClientMessage(window=target, client_type=protocols, data=(32, [delete, 0, 0, 0, 0])))
        server.flush()


class Messages:
    """The messages that a window sent."""

    def __init__(self, display, monkeypatch, people=(1,)):
        monkeypatch.setenv("DISPLAY", display)
        self.controls = {seat: Controls() for seat in people}
        self.presses, self.commands = [], []
        self.layout = Layout.load("ring")
        self.window = WindowClient(self.layout, self.controls, DEFAULT)
        self.ends = SimpleQueue()  # whether the user closed it
        self.window.listen(lambda *press: self.presses.append(press), self.commands.append, self.ends.put)
        eventually(lambda: xdotool(display, "search", "--class", "bba-tui"))


@pytest.fixture
def messages(display, monkeypatch):
    messages = Messages(display, monkeypatch)
    yield messages
    messages.window.close()


def test_a_held_key_is_held_until_it_goes_up(messages, display):
    xdotool(display, "keydown", "Left")
    eventually(lambda: messages.controls[1].take().action == Action.WEST)
    assert messages.presses == [(1, Action.WEST)]
    assert messages.controls[1].take().action == Action.WEST
    xdotool(display, "keydown", "Up")
    eventually(lambda: messages.controls[1].take().action == Action.NORTH)
    xdotool(display, "keyup", "Up")
    eventually(lambda: messages.controls[1].take().action == Action.WEST)
    xdotool(display, "keyup", "Left")
    eventually(lambda: messages.controls[1].take().action is None)


def test_actions_and_commands_are_sent(messages, display):
    xdotool(display, "key", "space", "p", "F9", "Return")
    eventually(lambda: len(messages.presses) == 2 and len(messages.commands) == 2)
    assert messages.presses == [(1, Action.INTERACT)] * 2
    assert messages.commands == ["pause", "declare(4)"]


def test_two_people_share_the_keyboard(display, monkeypatch):
    messages = Messages(display, monkeypatch, people=(0, 1))
    xdotool(display, "key", "d", "Left")
    eventually(lambda: len(messages.presses) == 2)
    assert messages.presses == [(0, Action.EAST), (1, Action.WEST)]
    messages.window.close()


def test_a_killed_window_is_noticed(messages):
    messages.window._process.kill()
    assert not messages.ends.get(timeout=PATIENCE)


def test_a_window_that_the_user_closes_says_so(messages, display):
    deadline = time.monotonic() + PATIENCE
    while messages.ends.empty() and time.monotonic() < deadline:  # one that is just made hears nothing
        time.sleep(0.1)
        for window in xdotool(display, "search", "--class", "bba-tui").split()[-1:]:
            ask_to_close(display, window)
    assert messages.ends.get(timeout=PATIENCE)


def test_without_a_display_there_is_one_line(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BBAError, match=r"^--play window: .*display.*; play in the terminal with --play$"):
        WindowClient(Layout.load("ring"), {1: Controls()}, DEFAULT)


def windows_of(game):
    """The processes of a game's windows, and of no other game that may be tested beside it."""
    children = " ".join(file.read_text() for file in Path(f"/proc/{game}/task").glob("*/children")).split()
    return [int(child) for child in children if b"human.window" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.fixture
def playing(display, tmp_path, monkeypatch):
    """The real command on a game in the window, turn by turn; and its recording."""
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "game.bba"
    arguments = ["--play", "window", "--turns", "--agent", "proagent", "--layout", "open", "--record", str(path)]
    with terminal(*arguments) as screen:
        screen.wait_for("your turn")
        eventually(lambda: xdotool(display, "search", "--class", "bba-tui"))
        yield screen, path


@pytest.mark.thorough
def test_a_dish_is_delivered_by_keys_in_the_window_and_a_killed_window_ends_the_game(playing, display):
    screen, path = playing
    names = {
        constants.NORTH: "Up",
        constants.SOUTH: "Down",
        constants.EAST: "Right",
        constants.WEST: "Left",
        constants.INTERACT: "space",
    }
    steps = [names.get(action, "period") for action in actions_until_a_dish()]
    for start in range(0, len(steps), 50):
        xdotool(display, "key", "--delay", "5", *steps[start : start + 50])
    screen.wait_for(f"step {len(steps)}/")
    (window,) = windows_of(screen.process.pid)
    os.kill(window, signal.SIGKILL)
    screen.end()
    assert load(path).steps == len(steps)
    assert Replay(load(path)).run().score > 0


@pytest.mark.long
def test_killing_the_game_ends_the_window_and_keeps_the_recording(playing, display):
    screen, path = playing
    xdotool(display, "key", "--delay", "20", *["period"] * 60)
    screen.wait_for("step 60/")
    os.kill(screen.process.pid, signal.SIGKILL)
    eventually(lambda: not xdotool(display, "search", "--class", "bba-tui"))
    assert load(path).steps >= 50
