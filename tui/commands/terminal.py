"""A command and its surroundings: the terminal that a screen needs, and SIGTERM for commands without a screen.

SIGTERM ends them as Ctrl+C does, with another exit code.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from bba.errors import BBAError, say_aside
from tui.streams import fall_silent

if TYPE_CHECKING:
    from tui.style import BaseApp

ENCODING = "this terminal's encoding is {}, which cannot draw the screen; a UTF-8 locale can, as LANG=C.UTF-8"
TERMINATED = 128 + signal.SIGTERM
HUNG_UP = 128 + 1  # by SIGHUP, which Windows has not: the terminal was closed


DRAWN = "▀│╭█◆"  # signs of every screen


def lacking_encoding() -> str | None:
    """Returns the encoding of the terminal, if that has no signs to draw with; a visitor's browser has them."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return None
    for stream in (sys.stdout, sys.stderr):
        encoding = getattr(stream, "encoding", None)
        if encoding is not None and stream.isatty():
            try:
                DRAWN.encode(encoding)
            except (UnicodeEncodeError, LookupError):
                return str(encoding)
    return None


def cannot_draw() -> bool:
    """Whether there is no terminal that can draw; a visitor's browser can."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return False
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    return os.environ.get("TERM") in (None, "", "dumb") or lacking_encoding() is not None


def is_plain(*, plain: bool) -> bool:
    """Whether lines of text take the place of the screen: as asked for, or where no screen can be drawn."""
    asked_for = plain and not os.environ.get("TEXTUAL_DRIVER")
    return asked_for or cannot_draw()


def note_lacking_encoding(*, plain: bool) -> None:
    """Says on the error output that the encoding is why these are lines of text, if it is; for where they begin."""
    encoding = lacking_encoding()
    if not plain and encoding is not None and sys.stdin and sys.stdin.isatty():
        say_aside(f"bba-tui: {ENCODING.format(encoding)}; so these are lines of text\n")


def check_terminal() -> None:
    """Checks that there is a terminal that can draw; in one that is too small the screens wait until it is larger.

    Raises:
        BBAError: there is none.
    """
    if os.environ.get("TEXTUAL_DRIVER"):
        return  # the screen is a visitor's browser
    encoding = lacking_encoding()
    if encoding is not None:
        raise BBAError(f"{ENCODING.format(encoding)}; or name a game for lines of text: watch, play, learn")
    if cannot_draw():
        raise BBAError("the screen needs a terminal; without one use --headless, or name a game: watch, play, learn")
    if not (sys.stderr and sys.stderr.isatty()):
        raise BBAError("the screen is drawn on the error output, which is no terminal here; do not redirect it")


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
        earlier_handler = signal.signal(signal.SIGTERM, _terminate)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, earlier_handler)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Terminated
