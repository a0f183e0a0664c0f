"""SIGTERM for commands without a screen: it ends them as Ctrl+C does, with another exit code."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

TERMINATED = 128 + signal.SIGTERM


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
