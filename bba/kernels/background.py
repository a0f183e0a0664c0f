"""Asks the process in the background that compiles kernels, one a folder, and says how far it is.

Who calls a kernel that is not compiled writes what is wanted, with the types of its arguments, into the folder of the
kernels. The compiler holds a lock on the folder, compiles the oldest wish first, and ends a while after the last one;
when it dies the system drops the lock, and who still waits starts another. So no kernel is compiled twice, however many
processes want it. Files are written whole or not at all, and have a seal (`bba.kernels.kernel_files`), so that neither
a killed compiler nor a full disk leaves anything that harms.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib.format import dtype_to_descr

from bba.processes import remove_partial

LOOK = 0.25  # seconds between two looks for what is compiled by now
SPARSELY = 10.0  # seconds between two lines where standard error is no terminal
ATTEMPTS = 3  # compilers that a process starts in vain
ERASE = "\r\x1b[2K"  # a terminal's line
LOCK = "compiler.lock"
WISH = ".wanted"

Kernel = Callable[..., Any]


class Compiling:
    """What this process waits for.

    Args:
        is_compiled: says whether a kernel is compiled.
        folder: returns where kernels are kept.

    Attributes:
        problem: why nothing is compiled, if that is so.
        waits: whether the game waits, and does not play uncompiled meanwhile.
    """

    def __init__(self, is_compiled: Callable[[Kernel], bool], folder: Callable[[], Path]) -> None:
        self._is_compiled = is_compiled
        self._folder = folder
        self._wishes: dict[Kernel, tuple[Path, bytes]] = {}
        self._ready: set[Kernel] = set()
        self._looked = 0.0
        self._attempts = 0
        self._compiler: subprocess.Popen[str] | None = None
        self._line: ProgressLine | None = None
        self.problem: str | None = None
        self.waits = False

    @contextmanager
    def told(self, stream: IO[str], *, moving: bool = True) -> Iterator[None]:
        """Says on a stream how far it is while its block runs, if anything has to be compiled.

        Args:
            stream: such as standard error.
            moving: whether a terminal's line moves; otherwise there are a few lines, as beside a bar.
        """
        self._line = ProgressLine(stream, moving=moving)
        try:
            yield
        finally:
            self._line.clear()
            self._line = None

    def is_ready(self, kernel: Kernel, arguments: tuple[object, ...]) -> bool:
        """Returns whether a kernel is compiled; asks for it if it is new."""
        if kernel not in self._wishes and self.problem is None:
            self._ask(kernel, arguments)
        if time.monotonic() - self._looked >= LOOK:
            self._look()
        return kernel in self._ready

    def _ask(self, kernel: Kernel, arguments: tuple[object, ...]) -> None:
        descriptions = [described(argument) for argument in arguments]
        wish = json.dumps([kernel.__module__, kernel.__qualname__, *descriptions]).encode()
        digest = hashlib.blake2b(wish, digest_size=8).hexdigest()
        path = self._folder() / f"{kernel.__qualname__}-{digest}{WISH}"
        self._wishes[kernel] = (path, wish)
        self._write(path, wish)
        self._looked = 0.0

    def _look(self) -> None:
        """Looks what is compiled by now, and whether somebody compiles the rest."""
        new = set(filter(self._is_compiled, self._wishes.keys() - self._ready))
        self._ready |= new
        if new:
            self._attempts = 0
        runs = self._compiler is not None and self._compiler.poll() is None
        unfinished = self._ready != self._wishes.keys() and self.problem is None
        if unfinished and not runs and not is_locked(self._folder()):
            self._start()
        if self._line is not None:
            self._line.show(len(self._ready), len(self._wishes), self.problem, waits=self.waits)
        self._looked = time.monotonic()

    def _start(self) -> None:
        """Starts a compiler, unless those before have shown that it is of no use."""
        errors = ""
        if self._compiler is not None:
            _, errors = self._compiler.communicate()
        if errors or self._attempts == ATTEMPTS:
            last_line = errors.strip().rpartition("\n")[2]
            self.problem = last_line or "the compiler was ended"
            return
        for kernel, wish in self._wishes.items():
            if kernel not in self._ready:
                self._write(*wish)
        if self.problem is None:
            self._attempts += 1
            command = [
                sys.executable,
                "-c",
                "from bba.kernels.compile_process import main; main()",
                str(self._folder()),
            ]
            import_path = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
            environment = os.environ | {"PYTHONPATH": import_path}
            try:
                self._compiler = subprocess.Popen(
                    command, env=environment, start_new_session=True, text=True,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                )  # fmt: skip
            except OSError as error:
                self.problem = f"{sys.executable}: {error.strerror or error}"

    def _write(self, path: Path, wish: bytes) -> None:
        partial = path.with_name(f"{path.name}.tmp.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            remove_partial(path.parent, f"{path.name}.tmp.*")
            partial.write_bytes(wish)
            partial.replace(path)
        except OSError as error:
            self.problem = f"{path.parent}: {error.strerror or error}"
            with suppress(OSError):
                partial.unlink()


def described(argument: object) -> object:
    """Returns what the type of a kernel's argument depends on, as JSON (`bba.kernels.compile_process.example`)."""
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        order = "A"
        if flags.c_contiguous:
            order = "C"
        elif flags.f_contiguous:
            order = "F"
        return {"array": dtype_to_descr(argument.dtype), "is": [argument.ndim, order, flags.writeable]}
    kind = type(argument)
    if isinstance(argument, tuple):
        parts = [described(part) for part in argument]
        return {"tuple": parts, "of": [kind.__module__, kind.__qualname__]}
    if isinstance(argument, np.generic):
        return {"scalar": argument.dtype.str}
    return kind.__name__


class ProgressLine:
    """The line that says how far compiling is: on a terminal one that moves, elsewhere a few of them."""

    def __init__(self, stream: IO[str], *, moving: bool) -> None:
        self._stream = stream
        self._moves = moving and stream.isatty()
        self._text = ""
        self._written = 0.0
        self._began = time.monotonic()

    def show(self, ready: int, total: int, problem: str | None, *, waits: bool) -> None:
        """Shows the state, if it is time for that."""
        moment = time.monotonic()
        done = ready == total
        first = not self._text
        activity = "waiting for the compiler" if waits else "playing uncompiled"
        text = f"{activity}; {ready} of {total} kernels ready"
        if problem is not None:
            text = f"playing uncompiled: {problem}"
        elif done:
            text = "playing compiled"
        due = first or done or problem is not None or moment - self._written >= SPARSELY
        if self._moves and problem is None:
            seconds = moment - self._began
            self._write("" if done else f"{text} ({seconds:.0f} s)")
        elif text != self._text and due:
            self._write(f"{text}\n")
        else:
            return
        self._text = text
        self._written = moment

    def clear(self) -> None:
        """Leaves the line of a terminal for what comes."""
        if self._text:
            self._write("")

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            self._stream.write(f"{ERASE}{text}" if self._moves else text)
            self._stream.flush()


@contextmanager
def locked(folder: Path, *, seconds: float = 0.0) -> Iterator[bool]:
    """Holds the lock of a folder's compiler, which ends with the process; yields whether it got it in so many seconds.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + seconds
    with (folder / LOCK).open("ab") as file:
        while not (got := _lock(file)) and time.monotonic() < until:
            time.sleep(LOOK / 5)
        yield got  # the system takes it back when the file is closed


def is_locked(folder: Path) -> bool:
    """Whether a compiler is at work in a folder."""
    try:
        with locked(folder) as free:
            return not free
    except OSError:
        return False


def _lock(file: IO[bytes]) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            lock: Any = msvcrt
            lock.locking(file.fileno(), lock.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
