"""The process in the background that compiles kernels (`bba.kernels.background` starts it)."""

import errno
import json
import os
import sys
import time
from contextlib import suppress
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import descr_to_dtype

from bba import kernels
from bba.kernels.background import LOOK, WISH, locked
from bba.kernels.numba_compiler import types_of

LINGER = 5.0  # seconds for which a compiler waits for another wish
PATIENCE = 2.0  # seconds for which a new compiler tries to get the lock, which others try, too, for a moment
ABANDONED = 600.0  # seconds after which a partly written file is nobody's any more
PARTIAL = "*.tmp.*"


def main() -> None:
    """Compiles what is wanted in a folder, the argument, unless another process does; says what it cannot compile."""
    folder = Path(sys.argv[1])
    try:
        with locked(folder, seconds=PATIENCE) as first:
            # Forked, it is nobody's child, and goes on where a game ends that ends its children.
            if first and not (hasattr(os, "fork") and os.fork()):
                compile_wishes(folder)
    except OSError as error:
        sys.stderr.write(f"{folder}: {error.strerror or error}\n")


def compile_wishes(folder: Path) -> None:
    """Compiles what is wanted, the oldest wish first, until nothing more is.

    Raises:
        OSError: compiled kernels cannot be stored.
    """
    last = time.monotonic()
    sweep(folder)
    while time.monotonic() - last < LINGER:
        files = filter(Path.is_file, folder.glob(f"*{WISH}"))
        wishes = sorted(files, key=lambda path: path.stat().st_mtime_ns)
        if not wishes:
            time.sleep(LOOK / 5)
            continue
        try:
            _compile(wishes[0], folder)
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - of one kernel, which must not keep the others from being compiled
            message = " ".join(str(error).split())
            sys.stderr.write(f"{wishes[0].stem}: {message[:200]}\n")
        wishes[0].unlink(missing_ok=True)
        last = time.monotonic()


def sweep(folder: Path) -> None:
    """Removes what writers that were killed have left: what is far from now by its time, also after it was set back."""
    for partial in folder.glob(PARTIAL):
        with suppress(OSError):  # its writer may just have finished
            if abs(time.time() - partial.stat().st_mtime) > ABANDONED:
                partial.unlink()


def _compile(path: Path, folder: Path) -> None:
    """Compiles what a wish names.

    Raises:
        OSError: the compiled kernel cannot be stored.
    """
    module, name, *arguments = json.loads(path.read_bytes())
    function: Any = reduce(getattr, name.split("."), import_module(module))
    if kernels.kernel_folder() != folder:
        raise OSError(errno.ESTALE, "the code has changed since the game began")
    dispatcher = kernels.dispatcher(function)
    examples = tuple([example(description) for description in arguments])
    dispatcher.compile(types_of(examples))
    problem = kernels.storage_problem()
    if problem is not None:
        raise problem


def example(description: Any) -> object:
    """Returns an argument of the type that is described (`bba.kernels.background.described`)."""
    match description:
        case {"array": descr, "is": [dimensions, order, writeable]}:
            array = np.zeros((4,) * dimensions, descr_to_dtype(descr), "F" if order == "F" else "C")
            if order == "A":
                every_second = (slice(None, None, 2),) * dimensions
                array = array[every_second]
            array.flags.writeable = writeable
            return array
        case {"tuple": parts, "of": [module, name]}:
            kind: Any = reduce(getattr, name.split("."), import_module(module))
            examples = tuple([example(part) for part in parts])
            if kind is tuple:
                return examples
            return kind(*examples)
        case {"scalar": dtype}:
            return np.dtype(dtype).type(0)
    return {"bool": False, "int": 0, "float": 0.0, "NoneType": None}[description]
