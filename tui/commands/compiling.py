"""What commands without a screen say of compiling: that a game waits, or what is wrong; more with --verbose."""

import sys
from contextlib import AbstractContextManager
from typing import IO, cast

from bba.kernels import COMPILING

MEANWHILE = ("playing uncompiled; ", "playing compiled")  # said of a game that goes on in the meantime


class SparingStream:
    """A stream that leaves out what is said of a game that goes on while kernels are compiled.

    Args:
        stream: where the rest goes.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._stream.isatty()

    def write(self, text: str) -> int:
        """Writes a text, if somebody has to know it."""
        if any(words in text for words in MEANWHILE):
            return len(text)
        return self._stream.write(text)

    def flush(self) -> None:
        """Sends what was written."""
        self._stream.flush()


def compiling_told(*, verbose: bool, moving: bool = True) -> AbstractContextManager[None]:
    """Says on standard error how far compiling is while the block runs.

    Args:
        verbose: whether also a game is spoken of that goes on meanwhile.
        moving: whether a terminal's line moves.
    """
    stream = sys.stderr if verbose else cast("IO[str]", SparingStream(sys.stderr))
    return COMPILING.told(stream, moving=moving)
