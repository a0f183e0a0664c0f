"""Two kernels that compile in a moment, and a program that calls one of them until it is compiled."""

import os
import sys
import time
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


def main() -> None:
    """Calls a kernel until it is compiled, or cannot be; prints the compilers' numbers, and how it went."""
    kernel, until = kernels.compiled(quartered), time.monotonic() + LONG
    with kernels.COMPILING.told(sys.stderr):
        while kernels.is_plain(kernel) and kernels.COMPILING.problem is None and time.monotonic() < until:
            assert kernel(8.0) == 2.0
            if (compiler := kernels.COMPILING._compiler) is not None:
                sys.stdout.write(f"{compiler.pid}\n")
            sys.stdout.flush()
            time.sleep(0.05)
    sys.stdout.write(f"{'plain' if kernels.is_plain(kernel) else 'compiled'} {kernel(8.0)}\n")


if __name__ == "__main__":
    main()
