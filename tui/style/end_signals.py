"""Signals that end an app in order: what is under way is saved, and the terminal is as it was before."""

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

# Asked to end, and the terminal was closed; Windows has no second one.
END_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def end_on_signals(end: Callable[[], object]) -> None:
    """Calls `end` in the running event loop when the process is told to end, instead of dying on the spot."""
    loop = asyncio.get_running_loop()
    for number in END_SIGNALS:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # not in this system, or not in this thread
            loop.add_signal_handler(number, end)
    if sys.platform != "win32":
        with suppress(ValueError):  # not in this thread
            _resume_in_a_terminal_only()


def _resume_in_a_terminal_only() -> None:
    """Keeps Textual from starting anew on a terminal that is gone.

    With the shell that ran the app the terminal goes, and the kernel sends SIGHUP, then SIGCONT. Textual takes the
    second one for the end of a suspension and writes to the terminal until its queue is full: it would wait for ever.
    """
    resume = signal.getsignal(signal.SIGCONT)
    if not callable(resume):
        return

    def resume_if_there(number: int, frame: FrameType | None) -> None:
        if sys.__stdin__ is not None and sys.__stdin__.isatty():
            resume(number, frame)

    signal.signal(signal.SIGCONT, resume_if_there)
