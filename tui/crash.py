"""How the program ends after an error that nobody has caught: one line, a report in a file, and a status of its own.

The report is the traceback, without the values of variables and without the secrets of this process: people show it
to others. All that would else print a traceback comes here: commands, the app, threads, and tasks of the event loop.
"""

import errno
import logging
import os
import platform
import sys
import threading
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_log_path

from bba import __version__
from bba.errors import BBAError, say_aside, shortened
from bba.fault_address import fault_address
from bba.files import write_whole
from bba.planner.account import Redactor
from bba.terminal_text import visible_line

FAILED = 1  # the exit status
NO_MEMORY_LINE = "bba-tui: there is not enough memory"
FOLDER_VARIABLE = "BBA_TUI_REPORTS"  # the variable by which a visitor's process is told another folder
MOST_REPORTS = 20  # that are kept
NO_MEMORY = ("cannot allocate memory", "failed to map segment")  # the system's words where a library is loaded


def report(error: BaseException) -> str:
    """Writes the report of an error that nobody has caught, and returns the line that says so; raises nothing."""
    inner = getattr(error, "error", None)
    if isinstance(inner, BaseException):  # that of a worker of Textual, which has failed by it
        error = inner
    try:
        redactor = Redactor.of_process()
        message = "".join(traceback.format_exception_only(error)).strip()
        problem_text = shortened(redactor.complaint(message))
        line = f"bba-tui: an error in the program: {visible_line(problem_text)}"
        if _is_lack_of_memory(error):
            line = NO_MEMORY_LINE
        try:
            path = _write(redactor.program_text(_text_of(error)))
        except (BBAError, OSError) as problem:
            return f"{line}; no report: {visible_line(shortened(problem))}"
        return f"{line}; report: {visible_line(str(path))}{_address(line)}"
    except MemoryError:
        return NO_MEMORY_LINE


def _address(line: str) -> str:
    """Returns the end of a line, which says to whom the report goes; "" where the machine lacks memory."""
    if line == NO_MEMORY_LINE:
        return ""
    return f"; send it to {visible_line(fault_address())}"


def _is_lack_of_memory(error: BaseException) -> bool:
    """Whether there was too little memory, of which a library may make an error of its own."""
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        if _says_lack_of_memory(link):
            return True
        chain.append(link)
        link = link.__cause__ or link.__context__
    return False


def _says_lack_of_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    if not isinstance(error, ImportError | OSError):
        return False
    message = str(error).lower()
    return any(phrase in message for phrase in NO_MEMORY)


def _text_of(error: BaseException) -> str:
    trace = traceback.TracebackException.from_exception(error, capture_locals=False)
    versions = f"bba-tui {__version__}, Python {platform.python_version()}, {platform.platform()}"
    lines = "".join(trace.format())
    return f"{versions}\n{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC\n\n{lines}"


def reports_folder() -> Path:
    """Returns the folder of the reports: the platform's for logs."""
    return Path(os.environ.get(FOLDER_VARIABLE) or user_log_path("bba-tui"))


def _write(text: str) -> Path:
    """Writes a report for its owner alone, and deletes the oldest ones; returns its path.

    Raises:
        BBAError, OSError: it cannot be written.
    """
    folder = reports_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{os.getpid()}.txt"
    write_whole(path, text.encode("utf-8", "backslashreplace"), 0o600)
    for old in sorted(folder.glob("crash-*.txt"))[:-MOST_REPORTS]:
        with suppress(OSError):
            old.unlink()
    return path


def catch_everywhere() -> None:
    """Has the errors that end a thread or a task, or that come while objects are deleted, reported in a line, too."""
    threading.excepthook = _in_thread
    sys.unraisablehook = _while_deleting
    logging.getLogger("asyncio").addHandler(_TaskErrors(logging.ERROR))


def _in_thread(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value is not None and not isinstance(ended.exc_value, SystemExit):
        say_aside(f"{report(ended.exc_value)}\n")


def _while_deleting(_: "sys.UnraisableHookArgs") -> None:
    """Says nothing: the program goes on, and objects are deleted in any order at its end."""


class _TaskErrors(logging.Handler):
    """Reports what ended a task of an event loop that nobody waits for."""

    def emit(self, record: logging.LogRecord) -> None:
        """Prints a line about the error of a log record, or its message where it has none."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line = report(error)
        else:
            message = shortened(record.getMessage())
            line = f"bba-tui: {visible_line(message)}"
        say_aside(f"{line}\n")
