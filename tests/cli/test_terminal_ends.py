"""However its terminal ends, no process of ours is left, and what was played is kept."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pyte
import pytest

from bba.play import load
from tests.helpers.terminal import is_readable
from tui.preferences import AppState

pytestmark = [pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")]

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "tui.cli"]
PATIENCE, AT_MOST = (
    120.0,
    5.0,
)  # seconds until it is under way, and from the end of its terminal to that of its last process
WAYS = ("closed", "closed, in a shell", "without a terminal of its own", "nohup", "SIGHUP", "SIGTERM", "shell killed",
        "shell killed and closed", "Ctrl+D and closed", "emulator killed")  # fmt: skip
KEYS = "d" * 5


class Ending:
    """A command in a terminal of its own, which is to end in one of the ways.

    Args:
        way: one of `WAYS`.
        arguments: the command's.
        home: an empty folder for all that it keeps.
    """

    def __init__(self, way: str, arguments: list[str], home: Path) -> None:
        self.way, self.screen, self._mark = way, pyte.Screen(120, 40), f"BBA_TEST_ENDING={home}"
        self._stream = pyte.ByteStream(self.screen)
        folders = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(home))
        environment = os.environ | folders | {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
        environment |= dict([self._mark.split("=", 1)])
        command = [*COMMAND, *arguments]
        if "shell" in way:
            command = ["/bin/sh", "-c", " ".join(command) + "; exit $?"]
        if way == "without a terminal of its own":
            self.master, slave = pty.openpty()
            process = subprocess.Popen(
                command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=home, start_new_session=True
            )
            os.close(slave)
            self.first = process.pid
        elif way == "emulator killed":
            spawn = f"import pty, signal; signal.signal(signal.SIGHUP, signal.SIG_DFL); pty.spawn({command!r})"
            self.master, slave = pty.openpty()
            self.first = subprocess.Popen(
                [sys.executable, "-c", spawn], stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=home,
                start_new_session=True,
            ).pid  # fmt: skip
            os.close(slave)
        else:
            self.first, self.master = pty.fork()
            if self.first == 0:
                # Whoever runs the tests may ignore it, which children inherit.
                signal.signal(signal.SIGHUP, signal.SIG_IGN if way == "nohup" else signal.SIG_DFL)
                os.chdir(home)
                os.execve(command[0], command, environment)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def processes(self) -> list[int]:
        """The processes of the command that are left, those that ended and were not waited for excepted."""
        found = []
        for folder in Path("/proc").iterdir():
            try:
                ours = folder.name.isdigit() and self._mark.encode() in (folder / "environ").read_bytes()
                if ours and (folder / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                    found.append(int(folder.name))
            except OSError:
                continue
        return sorted(found)

    def text(self) -> str:
        """What is on the screen by now."""
        while is_readable(self.master, 0):
            self._stream.feed(os.read(self.master, 1 << 16))
        return "\n".join(self.screen.display)

    def end(self) -> None:
        """Ends the terminal in its way."""
        app = next(pid for pid in self.processes() if _runs_the_command(pid))
        if self.way in ("SIGHUP", "SIGTERM"):
            os.kill(app, getattr(signal, self.way))
        if self.way in ("shell killed", "shell killed and closed", "emulator killed"):
            os.kill(self.first, signal.SIGKILL)
        if self.way == "Ctrl+D and closed":
            os.write(self.master, b"\x04")
        if "closed" in self.way or self.way in ("without a terminal of its own", "nohup"):
            os.close(self.master)
            self.master = -1

    def close(self) -> None:
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        if self.master >= 0:
            os.close(self.master)


def _runs_the_command(pid: int) -> bool:
    return Path(f"/proc/{pid}/cmdline").read_bytes().startswith("\0".join(COMMAND).encode())


def left_after(
    monkeypatch, ways: list[str], arguments: list[str], home: Path, under_way: str, keys: str = "", typed: str = ""
):
    """Runs the command once for each way, ends their terminals, and returns the ways that left a process."""
    endings = []
    try:
        for way in ways:
            (home / way).mkdir()
            monkeypatch.setenv("XDG_CONFIG_HOME", str(home / way))
            AppState().note(taught=True)
            endings.append(Ending(way, arguments, home / way))
        _wait_until_all_have(endings, under_way)
        if keys:
            for ending in endings:
                os.write(ending.master, keys.encode())
            _wait_until_all_have(endings, typed)
        for ending in endings:
            ending.end()
        deadline = time.monotonic() + AT_MOST
        while any(ending.processes() for ending in endings) and time.monotonic() < deadline:
            for ending in endings:
                if ending.master >= 0 and ending.processes():
                    try:
                        ending.text()
                    except OSError:  # nobody has the other side any more
                        continue
            time.sleep(0.1)
        return [ending.way for ending in endings if ending.processes()]
    finally:
        for ending in endings:
            ending.close()


def _wait_until_all_have(endings: list[Ending], words: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while waiting := [ending for ending in endings if words not in ending.text()]:
        assert time.monotonic() < deadline, f"no {words!r} on:\n{waiting[0].text()}"
        time.sleep(0.05)


@pytest.mark.thorough
def test_the_start_screen_ends_with_its_terminal(tmp_path, monkeypatch):
    assert left_after(monkeypatch, list(WAYS), [], tmp_path, "watch") == []


@pytest.mark.thorough
def test_a_game_that_is_played_ends_with_its_terminal_and_is_kept(tmp_path, monkeypatch):
    arguments = ["--play", "--turns", "--agent", "switching", "--planner", "scripted", "--record", "game.bba"]
    assert left_after(monkeypatch, list(WAYS), arguments, tmp_path, "your turn", KEYS, "5/2400") == []
    assert {way: load(tmp_path / way / "game.bba").steps for way in WAYS} == dict.fromkeys(WAYS, len(KEYS))


@pytest.mark.thorough
def test_a_sweep_ends_with_its_terminal_unless_it_was_asked_to_outlive_it(tmp_path, monkeypatch):
    outlives = {"without a terminal of its own", "nohup"}  # said by setsid and nohup
    arguments = ["bench", "quick", "--seeds", "200", "--planner", "scripted", "--yes", "--out", "results"]
    assert left_after(monkeypatch, [way for way in WAYS if way not in outlives], arguments, tmp_path, "episodes") == []
