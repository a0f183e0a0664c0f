"""The real command in a real pseudo-terminal, and the screen as it would be seen."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

import pyte


def typed_lines(*lines: str) -> TextIO:
    """Returns what stands for standard input: these lines, and its end after them."""
    end, start = os.pipe()
    with os.fdopen(start, "w", encoding="utf-8") as pipe:
        pipe.write("".join(f"{line}\n" for line in lines))
    return os.fdopen(end, encoding="utf-8")


PATIENCE = 180.0  # seconds; reached only when something is broken
COMMAND = (sys.executable, "-m", "tui.cli")


def is_readable(descriptor: int, seconds: float) -> bool:
    """Whether something can be read within so many seconds; `select` refuses a process with more than 1,024 files."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


class Terminal:
    """A child process on a pseudo-terminal, and the screen as it would be seen.

    Args:
        arguments: those of the command.
        columns, lines: the size of the screen.
        term: what the terminal says that it is.
        command: the command; by default the project's own.
    """

    def __init__(
        self,
        arguments: list[str],
        columns: int,
        lines: int,
        term: str = "xterm-256color",
        command: tuple[str, ...] = COMMAND,
    ) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream, self.sent = pyte.ByteStream(self.screen), b""
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("BBA_", "NO_COLOR"))}
        for name in ("COLUMNS", "LINES"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment | {"TERM": term},
            start_new_session=True,
        )
        os.close(slave)

    def resize(self, columns: int, lines: int) -> None:
        """Gives the terminal another size, as somebody who drags its window."""
        self.screen.resize(lines, columns)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    def text(self) -> str:
        return "\n".join(self.screen.display)

    def send(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_for(self, *words: str) -> str:
        """Read until all words are on the screen."""
        return self.wait_until(lambda text: all(word in text for word in words), f"{words}")

    def wait_until(self, holds: Callable[[str], bool], what: str) -> str:
        """Read until something holds of the screen's text, which `what` tells in words."""
        deadline = time.monotonic() + PATIENCE
        while not holds(self.text()):
            if not self._read(deadline):
                raise AssertionError(f"{what} never appeared on:\n{self.text()}")
        return self.text()

    def catch_up(self) -> str:
        """Read what has been drawn by now."""
        while self._read(time.monotonic()):
            pass
        return self.text()

    def end(self) -> int:
        """Read to the end; returns the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        return self.process.wait(PATIENCE)

    def _read(self, deadline: float) -> bool:
        if not is_readable(self._master, max(0.0, deadline - time.monotonic())):
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux says so when the child has closed its side
            return False
        self.sent += data
        try:
            self._stream.feed(data)
        except (
            TypeError
        ):  # a program that was stopped in the midst of a sequence, which pyte takes for one with the next
            self._stream = pyte.ByteStream(self.screen)
        return bool(data)

    def stall(self) -> None:
        """Reads nothing until the program can write nothing any more."""
        waiting, looks = 0, 0
        while looks < 10:
            time.sleep(0.1)
            buffer = fcntl.ioctl(self._master, termios.FIONREAD, b"\0" * 4)
            before, waiting = waiting, int.from_bytes(buffer, sys.byteorder)
            looks = looks + 1 if waiting == before > 0 else 0

    def hang_up(self) -> None:
        """Closes the terminal, as whoever closes its window."""
        os.close(self._master)
        self._master = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self._master >= 0:
            os.close(self._master)


@contextmanager
def terminal(
    *arguments: str,
    columns: int = 120,
    lines: int = 40,
    term: str = "xterm-256color",
    command: tuple[str, ...] = COMMAND,
) -> Iterator[Terminal]:
    opened = Terminal(list(arguments), columns, lines, term, command)
    try:
        yield opened
    finally:
        opened.close()
