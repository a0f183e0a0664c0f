"""A command and its surroundings: the terminal that a screen needs, and SIGTERM for commands without a screen.

SIGTERM ends them as Ctrl+C does, with another exit code.
"""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from bba.errors import BBAError, refuse
from bba.settings import Settings
from tui.streams import fall_silent

if TYPE_CHECKING:
    from tui.style import BaseApp

TERMINATED = 128 + signal.SIGTERM
HUNG_UP = 128 + 1  # by SIGHUP, which Windows has not: the terminal was closed


def cannot_draw() -> bool:
    """Whether there is no terminal that can draw; a visitor's browser can."""
    terminal = sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()
    return not os.environ.get("TEXTUAL_DRIVER") and not (terminal and os.environ.get("TERM") not in (None, "", "dumb"))


def is_plain(settings: Settings) -> bool:
    """Whether lines of text take the place of the screen: as asked for, or where no screen can be drawn."""
    return (settings.plain and not os.environ.get("TEXTUAL_DRIVER")) or cannot_draw()


def check_terminal() -> None:
    """Checks that there is a terminal of at least the smallest size.

    Raises:
        BBAError: there is no terminal, or it is too small.
    """
    if os.environ.get("TEXTUAL_DRIVER"):
        return  # the screen is a visitor's browser
    refuse(
        (cannot_draw(), "the screen needs a terminal; without one use --headless, or name a game: watch, play, learn"),
        (
            not (sys.stderr and sys.stderr.isatty()),  # where Textual draws
            "the screen is drawn on the error output, which is no terminal here; do not redirect it",
        ),
    )
    from tui.style.base_screen import SMALLEST  # only here: most commands do without Textual

    size = shutil.get_terminal_size()
    if size.columns < SMALLEST[0] or size.lines < SMALLEST[1]:
        raise BBAError(
            f"the terminal is too small: {size.columns}x{size.lines}; the screen needs {SMALLEST[0]}x{SMALLEST[1]}"
        )


def run_app(app: "BaseApp") -> int:
    """Runs an app; returns the exit status. Where its terminal is gone by then, nothing more is written there."""
    app.run()
    if app.deaf:
        fall_silent()
    return app.return_code or 0


class Terminated(KeyboardInterrupt):
    """The process was told to end."""


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Raises `Terminated` in the block at the first SIGTERM, and lets it end in peace at further ones."""
    try:
        before = signal.signal(signal.SIGTERM, _terminate)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Terminated
