"""What the watch screen costs beside a trivial Textual app: time to the first frame, CPU and bytes
to the terminal while it plays, a key's delay.

`python -m benchmarks.screen` runs both in a pseudo-terminal of 120x40, in turn. `--beside FOLDER` measures the checkout
in that folder too, in the same run.
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from bba.tables.terminal import in_a_box
from benchmarks.environment import used_before
from benchmarks.rows import OURS, TRIVIAL, Row, waiting_table

COLUMNS, ROWS = 120, 40
WARM, PLAYING = 2.0, 6.0  # seconds before the CPU is measured, and while it is
KEYS, PAUSE = 15, 0.25  # keys whose delay is measured, and seconds between two of them
PATIENCE = 60.0  # seconds after which a frame does not come any more
HERE = Path(__file__).resolve().parents[1]

TRIVIAL_APP = """
from textual.app import App
from textual.widgets import Static
class Trivial(App):
    BINDINGS = [("space", "pause", "pause"), ("right", "count", "count")]
    number, running = 0, True
    def compose(self):
        yield Static("READY")
    def on_mount(self):
        self.set_interval(0.1, self.beat)
    def beat(self):
        if self.running:
            self.action_count()
    def action_pause(self):
        self.running = not self.running
    def action_count(self):
        self.number += 1
        self.query_one(Static).update(f"READY {self.number}")
Trivial().run()
"""
WATCH = """
from bba.play import Game
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
BBAApp(PlaybackSource(lambda: Game("open", "bayes", "switching", 0, horizon=2400))).run()
"""
TITLE = f"Watching open at {COLUMNS}x{ROWS}, 10 steps a second"
FIRST = {"trivial": b"READY", "watch": b"orders"}  # what the first frame holds


@dataclass
class Screen:
    """An app in a terminal, and what was measured of it.

    Args:
        name: what it is, in the table's words.
        code: the program.
        first: bytes that the first whole frame holds.
        folder: the checkout that it is run from.
    """

    name: str
    code: str
    first: bytes
    folder: Path = HERE
    frames: list[float] = field(default_factory=list)
    loads: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)

    def start(self) -> None:
        """Runs the app up to its first frame, uncounted: its modules are compiled then."""
        process, terminal = _start(self.code, self.folder)
        try:
            _read_until(terminal, self.first)
        finally:
            _end(process, terminal)

    def measure(self) -> None:
        """Runs the app once: seconds to the first frame, CPU seconds a second, and the median delay of a key."""
        began = time.perf_counter()
        process, terminal = _start(self.code, self.folder)
        try:
            _read_until(terminal, self.first)
            self.frames.append(time.perf_counter() - began)
            _read_for(terminal, WARM)
            before = _cpu(process.pid)
            sent = _read_for(terminal, PLAYING)
            self.loads.append((_cpu(process.pid) - before) / PLAYING)
            self.rates.append(sent / PLAYING)
            os.write(terminal, b" ")  # pauses
            _read_for(terminal, 1.0)
            self.delays.append(statistics.median(_delay(terminal) for _ in range(KEYS)))
        finally:
            _end(process, terminal)


def _start(code: str, folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Starts a program in a terminal of its own, with an empty home folder; returns it and the terminal."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    home = tempfile.mkdtemp(prefix="bba-tui-bench-")
    folders = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), home)
    colours = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    path = os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))
    environment = {**used_before(), **folders, **colours, "PYTHONPATH": path}
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, stdin=inside, stdout=inside, stderr=inside, env=environment,
        start_new_session=True,
    )  # fmt: skip
    os.close(inside)
    return process, terminal


def _end(process: subprocess.Popen[bytes], terminal: int) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()
    os.close(terminal)


def _read(terminal: int, seconds: float) -> bytes:
    ready, _, _ = select.select([terminal], [], [], max(0.0, seconds))
    return os.read(terminal, 1 << 16) if ready else b""


def _read_for(terminal: int, seconds: float) -> int:
    """Reads what the program writes in this time; returns how many bytes."""
    end, sent = time.perf_counter() + seconds, 0
    while (left := end - time.perf_counter()) > 0:
        sent += len(_read(terminal, left))
    return sent


def _read_until(terminal: int, words: bytes) -> None:
    end, seen = time.perf_counter() + PATIENCE, b""
    while words not in seen:
        if time.perf_counter() > end:
            raise SystemExit(f"no frame with {words.decode()!r} within {PATIENCE:g} s")
        seen += _read(terminal, 1.0)


def _delay(terminal: int) -> float:
    """Returns the seconds from a key to the first byte that it changes on the screen."""
    began = time.perf_counter()
    os.write(terminal, b"\x1b[C")  # to the right: a step forward, or counts
    select.select([terminal], [], [], PATIENCE)
    delay = time.perf_counter() - began
    _read_for(terminal, PAUSE)
    return delay


def _cpu(pid: int) -> float:
    """Returns the CPU seconds that a process has used."""
    values = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")


def rows_of(screens: Iterable[Screen]) -> list[Row]:
    """Returns a row for each figure, with the median of each app by its name."""
    rows = [
        Row("first frame", "{:.2f} s", "2 ×"),
        Row("CPU", "{:.1%}", "2 ×"),
        Row("sent to the terminal", "{:.0f} kB/s", "40 kB/s"),
        Row("a key", "{:.0f} ms", "as before"),
    ]
    for screen in screens:
        kilobytes, milliseconds = [rate / 1e3 for rate in screen.rates], [1e3 * delay for delay in screen.delays]
        measured = screen.frames, screen.loads, kilobytes, milliseconds
        rows = [row.with_value(screen.name, statistics.median(one)) for row, one in zip(rows, measured, strict=True)]
    return rows


def rows(repeats: int, beside: Path | None = None) -> list[Row]:
    """Measures the trivial app and the watch screen `repeats` times, in turn; another checkout's, too, if given."""
    screens = [Screen(TRIVIAL, TRIVIAL_APP, FIRST["trivial"]), Screen(OURS, WATCH, FIRST["watch"])]
    if beside is not None:
        screens.append(Screen(beside.name, WATCH, FIRST["watch"], beside.resolve()))
    for screen in screens:
        screen.start()
    for _ in range(repeats):
        for screen in screens:
            screen.measure()
    return rows_of(screens)


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screen", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="measurements of each app; the median is printed")
    parser.add_argument("--beside", type=Path, help="a folder with another checkout, to be measured too")
    arguments = parser.parse_args()
    console = Console()
    console.width = max(console.width, 100)
    beside: Path | None = arguments.beside
    names = () if beside is None else (beside.name,)
    console.print(in_a_box(waiting_table(rows(max(1, arguments.repeats), beside), TITLE, names)))


if __name__ == "__main__":
    main()
