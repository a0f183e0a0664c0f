"""Two kernels that compile in a moment, and a program that calls one of them until it is compiled."""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from bba import kernels

LONG = 60.0  # seconds


@kernels.kernel
def halved(number: float) -> float:
    """Half of a number."""
    return number / 2


@kernels.outlined_kernel
def quartered(number: float) -> float:
    """A quarter of a number."""
    return halved(halved(number))


def broken(number: float) -> float:
    """What no compiler takes."""
    return number + undefined  # noqa: F821 - on purpose


def environment(folder: Path) -> dict[str, str]:
    """An environment in which kernels are compiled in the background, into this folder."""
    return os.environ | {
        "NUMBA_CACHE_DIR": str(folder),
        kernels.HERE: "0",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }


def compilers(folder: Path) -> list[int]:
    """The numbers of the processes that compile into a folder, or into one in it."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = line.read_bytes()
            if b"bba.kernels.compile_process" in words and str(folder).encode() in words:
                found.append(int(line.parent.name))
    return found


def main() -> None:
    """Calls a kernel until it is compiled, or cannot be; says when a compiler runs, and how it went."""
    kernel, until = kernels.compiled(quartered), time.monotonic() + LONG
    with kernels.COMPILING.told(sys.stderr):
        while kernels.is_plain(kernel) and kernels.COMPILING.problem is None and time.monotonic() < until:
            assert kernel(8.0) == 2.0
            if compilers(kernels.kernel_folder()):
                sys.stdout.write("started\n")
                sys.stdout.flush()
            time.sleep(0.05)
    sys.stdout.write(f"{'plain' if kernels.is_plain(kernel) else 'compiled'} {kernel(8.0)}\n")
