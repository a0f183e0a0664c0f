"""The three standard streams: closed ones are opened, and an error says whether it came from writing to one.

A command does its work without standard error, too. What nobody takes there is lost.
"""

import io
import os
import select
import sys
from typing import IO, Any

OUTPUT = "standard output"  # the file's name in errors of writing to it


class _Output(io.FileIO):
    """Standard output, whose errors name it, as errors of other files name these."""

    def write(self, data: Any, /) -> int:
        """Writes as much as the system takes."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = OUTPUT
            raise


class _Aside(io.FileIO):
    """Standard error, which never fails: a command does its work without it."""

    def write(self, data: Any, /) -> int:
        """Writes as much as the system takes; what it refuses is lost."""
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def open_standard_streams() -> None:
    """Has the program's standard streams be there, and their errors be told apart from those of other files.

    A closed one is opened on the null device: the next file that is opened would else take its number, and get what
    libraries write there. Standard output that is closed stays None, which is a mistake that the user is told of.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)  # the system gives the lowest number that is free
            os.set_inheritable(opened, True)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = _on(sys.stderr, _Aside)
    if sys.stdout is not None:
        sys.stdout = _on(sys.stdout, _Output)


def _on(stream: IO[str], kind: type[io.FileIO]) -> IO[str]:
    """Returns a stream that writes as this one does, to a file of another kind; a console of Windows stays as it is."""
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if type(raw) is not io.FileIO or not isinstance(stream, io.TextIOWrapper):
        return stream
    file = kind(raw.fileno(), "w", closefd=False)
    unbuffered = stream.write_through
    return io.TextIOWrapper(
        file if unbuffered else io.BufferedWriter(file),  # as Python itself does
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=unbuffered,
    )


def discard_output() -> None:
    """Leaves no output that the interpreter would try to write again at its exit."""
    _discard(sys.stdout)


def fall_silent() -> None:
    """Writes nothing more to the terminal: it is gone, or takes nothing, and whoever writes there waits for ever."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        if stream is not None and stream.isatty():
            _discard(stream)


def _discard(stream: IO[str]) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def terminal_is_gone() -> bool:
    """Returns whether nothing can come from the terminal any more, of which a process without one of its own is told
    by no signal."""
    if sys.__stdin__ is None or not hasattr(select, "poll"):  # Windows ends a process with its window
        return False
    poller = select.poll()
    poller.register(sys.__stdin__, 0)
    return bool(poller.poll(0))  # hung up, an error, or not open
