"""The end of a process in which threads still work, as one that makes the client of a language model."""

import atexit
import os
import sys
import threading
from contextlib import suppress


class ProcessEnd:
    """Ends the process as the last of its exit handlers, without Python's own end, if daemon threads still run.

    Python's own end stops such a thread wherever it is, and the C library then takes down what the thread may be using
    outside Python's lock. OpenSSL, as it reads certificates for a client, ended in a segmentation fault in one of 20
    tries. To wait for the threads is no way out: one may compute, or wait for an answer, for minutes.
    """

    def __init__(self) -> None:
        self._status = 0

    def take_over(self) -> None:
        """Has this be the end of the process. Handlers that were registered before do not run if threads do."""
        atexit.register(self._end)

    def with_status(self, status: int) -> int:
        """Keeps the exit status of the process; returns it."""
        self._status = status
        return status

    def _end(self) -> None:
        """Called after all threads that are waited for have ended, and after the handlers that came later."""
        if not any(thread.daemon for thread in threading.enumerate()):
            return
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with suppress(OSError, ValueError):  # the reader has left, or the stream is closed
                    stream.flush()
        os._exit(self._status)


PROCESS_END = ProcessEnd()
