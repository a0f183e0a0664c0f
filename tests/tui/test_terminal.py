"""In a real terminal: the app draws, takes keys and leaves the terminal as it was."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pyte
import pytest

from tests.helpers.terminal import is_readable
from tests.helpers.wait_for_idle import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

ROOT = Path(__file__).parents[2]
PROGRAM = """
from tests.helpers.app import fresh_source
from tui.app.app import BBAApp
BBAApp(fresh_source(horizon=2400, fast=False), speed=2.0).run()
"""


def test_a_game_is_drawn_and_q_restores_the_terminal(tmp_path):
    (leader, follower), screen = pty.openpty(), pyte.Screen(120, 40)
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    sized = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment = sized | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "HOME": str(tmp_path)}
    environment |= {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")}  # panels are remembered there
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=follower, stdout=follower, stderr=follower, env=environment, cwd=ROOT
    ) as process:
        os.close(follower)
        try:
            drawn = read_until(leader, screen, "posterior (observer)")
            for digit, title in ((b"1", "gate (observer)"), (b"2", "─ cooks ─"), (b"5", "─ events ─")):
                os.write(leader, digit)
                drawn += read_until(leader, screen, title)
            os.write(leader, b" ")
            drawn += read_until(leader, screen, "paused")
            seen = "\n".join(screen.display)
            os.write(leader, b"q")
            drawn += read_until(leader, screen, "\x1b[?1049l")
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()  # else a text that never comes would be waited for by the end of the block
    os.close(leader)
    for title in ("kitchen: open", "orders", "posterior (observer)", "gate (observer)", "cooks", "events"):
        assert title in seen
    assert "38;2;238;119;51" in drawn  # a role's colour, in full
    assert drawn.index("\x1b[?1049h") < drawn.index("\x1b[?1049l")  # the alternate screen, and back


@pytest.mark.parametrize("told", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_an_app_whose_terminal_was_closed_ends_by_itself_or_when_it_is_told_to(told):
    (leader, follower), screen = pty.openpty(), pyte.Screen(80, 24)
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=follower, stdout=follower, stderr=follower, cwd=ROOT
    ) as process:
        os.close(follower)
        try:
            read_until(leader, screen, "posterior")
            os.close(leader)
            if told:
                process.terminate()
            assert process.wait(PATIENCE / 4) == 0
        finally:
            process.kill()


def read_until(terminal: int, screen: pyte.Screen, text: str) -> str:
    """What the program writes until `text` is written, or seen on the screen."""
    got, deadline, stream = "", time.monotonic() + PATIENCE, pyte.Stream(screen)
    while text not in got and text not in "\n".join(screen.display) and time.monotonic() < deadline:
        if is_readable(terminal, 0.1):
            read = os.read(terminal, 65536).decode(errors="replace")
            stream.feed(read)
            got += read
    assert text in got or text in "\n".join(screen.display)
    return got
