"""Signals that end an app in order: what is under way is saved, and the terminal is as it was before."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress

# Asked to end, and the terminal was closed; Windows has no second one.
END_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def end_on_signals(end: Callable[[], object]) -> None:
    """Calls `end` in the running event loop when the process is told to end, instead of dying on the spot."""
    loop = asyncio.get_running_loop()
    for number in END_SIGNALS:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # not in this system, or not in this thread
            loop.add_signal_handler(number, end)
