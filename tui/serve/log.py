"""What the server says of problems: a line each, without a traceback, and the same not again and again."""

import asyncio
import logging
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOGGER = "bba-tui.serve"
QUIET_SECONDS = 10.0  # seconds in which the same problem is said once
MOST_KINDS = 100  # problems that are told apart
LONGEST_LINE = 300  # characters
GONE = (ConnectionError, asyncio.CancelledError)  # the visitor has left: nothing is wrong


class OneLineFormatter(logging.Formatter):
    """Formats a problem as one line: what it is, without where in the program it was noticed."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        text = record.getMessage()
        if record.exc_info:
            text = f"{text}: {cause_of(record.exc_info[1])}"
        left_out = getattr(record, "left_out", 0)
        more = f" (and {left_out} times more)" if left_out else ""
        printable = "".join(char if char.isprintable() else " " for char in text)
        plain = " ".join(printable.split())
        return f"bba-tui: {plain[:LONGEST_LINE]}{more}"


def cause_of(problem: BaseException | None) -> str:
    """Returns what went wrong in a request; where an exception has no words, its kind and place say it."""
    if problem is None:
        return "it took too long, and was given up; everybody else is served on"
    if str(problem):
        return str(problem)
    text = type(problem).__name__
    frames = traceback.extract_tb(problem.__traceback__)
    if frames:
        text += f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}"
    return f"{text}; everybody else is served on"


class RepetitionFilter(logging.Filter):
    """Leaves out problems that do not matter, and those of a kind that was said a moment ago.

    Args:
        now: returns the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._said: dict[tuple[str, str], float] = {}
        self._left_out: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns whether the problem is said; it then says how often it was not."""
        problem = record.exc_info[1] if record.exc_info else None
        if isinstance(problem, GONE):
            return False
        kind = (str(record.msg), type(problem).__name__)
        time_now = self._now()
        if kind in self._said and time_now - self._said[kind] < QUIET_SECONDS:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        if len(self._said) >= MOST_KINDS:
            self._said.clear()
            self._left_out.clear()
        self._said[kind] = time_now
        record.left_out = self._left_out.pop(kind, 0)
        return True


def one_line_logger(now: Callable[[], float] = time.monotonic) -> logging.Logger:
    """Returns a logger that writes lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLineFormatter())
    logger = logging.Logger(LOGGER, logging.WARNING)
    logger.addHandler(handler)
    logger.addFilter(RepetitionFilter(now))
    return logger


def say_in_one_line(logger: logging.Logger) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Returns a handler of what nobody catches in an event loop."""

    def handle(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        problem = context.get("exception")
        exc_info = None
        if problem is not None:
            exc_info = type(problem), problem, problem.__traceback__
        logger.error(context["message"], exc_info=exc_info)

    return handle
