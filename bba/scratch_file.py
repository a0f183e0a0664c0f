"""Bytes that are seldom read, put away in a temporary file, so that what goes on for hours grows no more in memory.

The file has no name, only its owner's descriptor: it goes with the object, and with its process however that ends. The
first bytes stay in memory, so that what is short needs no file, and so do all where none can be written, as on a full
disk.
"""

import os
import sys
import tempfile
import weakref
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import BinaryIO, cast

from bba.errors import BBAError

IN_MEMORY = 2**20  # bytes that are kept in memory before there is a file

Kept = Callable[[], bytes]  # returns what was put away


class _Place:
    """Where something is in the file; smaller than a bound method with its arguments."""

    __slots__ = ("_place", "_scratch", "_size")

    def __init__(self, scratch: "ScratchFile", place: int, size: int) -> None:
        self._scratch = scratch
        self._place = place
        self._size = size

    def __call__(self) -> bytes:
        return self._scratch._read(self._place, self._size)


class ScratchFile:
    """Puts bytes away for as long as somebody holds what `keep` returned.

    One thread puts away, any thread reads. Another process, forked from this one, reads, and keeps its own in memory.

    Args:
        in_memory: bytes that are kept in memory before there is a file, 0 or more.
    """

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self._left = in_memory
        self._end = 0
        self._file: BinaryIO | None = None
        self._process = os.getpid()
        self._moving = Lock()  # held while the file's position matters

    def keep(self, content: bytes) -> Kept:
        """Puts bytes away; returns what reads them.

        That raises BBAError where the system cannot read them back.
        """
        if len(content) <= self._left:
            self._left -= len(content)
            return partial(bytes, content)  # the very same object
        if self._process == os.getpid():
            try:
                return _Place(self, self._write(content), len(content))
            except OSError:  # a full disk, or no descriptor left
                pass
        self._left = sys.maxsize
        return self.keep(content)

    def _write(self, content: bytes) -> int:
        """Writes bytes at the end of the file; returns their place.

        Raises:
            OSError: the file cannot be made or written.
        """
        if self._file is None:
            self._file = cast(BinaryIO, tempfile.TemporaryFile(buffering=0))  # noqa: SIM115 - closed with this object
            weakref.finalize(self, self._file.close)
        place = self._end
        written = 0
        with self._moving:
            self._file.seek(place)
            while written < len(content):
                written += self._file.write(content[written:])
        self._end += written
        return place

    def _read(self, place: int, size: int) -> bytes:
        """Reads bytes from their place.

        Raises:
            BBAError: the system cannot.
        """
        assert self._file is not None
        try:
            if hasattr(os, "pread"):  # a process that was forked shares the file's position
                content = os.pread(self._file.fileno(), size, place)
            else:
                with self._moving:
                    self._file.seek(place)
                    content = self._file.read(size)
        except OSError as error:
            raise BBAError(f"{_PROBLEM}: {error.strerror or error}") from None
        if len(content) < size:
            raise BBAError(f"{_PROBLEM}: it breaks off")
        return content


_PROBLEM = "what was put away in a temporary file cannot be read back"
