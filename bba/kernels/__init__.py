"""Kernels: the same functions in plain Python or compiled by Numba.

The kitchen's rules and the belief's likelihood are kernels: plain functions over small NumPy arrays. Called directly
they run in plain Python, without importing the compiler, so that a screen starts at once. `compiled` returns the same
function compiled, for headless games, training and benchmarks; only then Numba is imported.

Nothing waits for the compiler: a kernel that is not compiled on this machine computes plain until a process in the
background has compiled it (`bba.kernels.background`), and compiled from its next call on, with the same results.
"""

import functools
import hashlib
import math
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from bba.kernels.background import LOOK, WISH, Compiling, is_locked, locked
from bba.kernels.kernel_files import whole_files

Function = TypeVar("Function", bound=Callable[..., Any])
SOURCES = ("kernels", "kitchen", "belief", "planner/rollout", "planner/scripted", "agents", "agents/learned", "play")
HERE = "COMPILE_KERNELS_HERE"  # in the environment: whether kernels are compiled where they are called, as tests do
_KERNELS: dict[Callable[..., Any], bool] = {}  # whether it is inlined
_DISJOINT: set[Callable[..., Any]] = set()
_OPTIMISED: set[Callable[..., Any]] = set()
_COMPILED: dict[Callable[..., Any], Any] = {}
_DISPATCHING = threading.Lock()
_UNCOMPILED: dict[tuple[Callable[..., Any], bool], "Uncompiled"] = {}
_SPECIALISED: dict[tuple[object, ...], Callable[..., Any]] = {}  # by kernel and types of arguments


def kernel(function: Function) -> Function:
    """Registers a plain function that compiled kernels may call, and that creates no array; returns it unchanged."""
    _KERNELS[function] = True
    return function


def outlined_kernel(function: Function) -> Function:
    """Registers one that is called, not inlined: for large ones, which else are compiled at every place of a call."""
    _KERNELS[function] = False
    return function


def disjoint(function: Function) -> Function:
    """Promises of a kernel that no two of its arrays share memory: after a write to one, others need not be read again.

    Compiled, it would compute nonsense with arrays that do.
    """
    _DISJOINT.add(function)
    return function


def optimised(function: Function) -> Function:
    """Has a kernel optimised at the level at which Numba does: for one that plays many games in a call.

    Others are optimised at the least level, so that the first game begins soon.
    """
    _OPTIMISED.add(function)
    return function


def maybe_compiled(function: Function, *, fast: bool, patient: bool = False) -> Function:
    """Returns the function compiled if `fast`, otherwise as it is."""
    return compiled(function, patient=patient) if fast else function


def compiled(function: Function, *, patient: bool = False) -> Function:
    """Returns the kernel compiled (nopython, without the GIL), or one that computes plain until it is compiled.

    Args:
        function: the kernel. Neither it nor any kernel that it calls creates an array.
        patient: whether it is waited for, because plain it would take minutes.
    """
    if function in _COMPILED:  # first: to read the environment takes as long as a step of a game
        return cast(Function, _COMPILED[function])
    if not _is_at_hand(function):
        return cast(Function, _UNCOMPILED.setdefault((function, patient), Uncompiled(function, patient=patient)))
    return cast(Function, dispatcher(function))


class Uncompiled:
    """A kernel that computes plain until it is compiled.

    Args:
        function: the kernel.
        patient: whether it is waited for.
        specialised: whether it is called with arguments of the same types only (`specialised`).
    """

    def __init__(self, function: Callable[..., Any], *, patient: bool, specialised: bool = False) -> None:
        self.function = function
        self.patient = patient
        self._specialised = specialised
        self._found: Callable[..., Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: not the compiled kernel, which another process finds itself."""
        return {**vars(self), "_found": None}

    def __call__(self, *arguments: Any) -> Any:
        """Calls the kernel, compiled if it is by now."""
        if self._found is None and self._may_be_loaded(arguments):
            kernel_dispatcher = dispatcher(self.function)
            self._found = specialised(kernel_dispatcher, *arguments) if self._specialised else kernel_dispatcher
        callee = self._found or self.function
        return callee(*arguments)

    def _may_be_loaded(self, arguments: tuple[object, ...]) -> bool:
        """Returns whether it is compiled by now; waits for that if it is patient."""
        if self.patient:
            return self._wait(arguments)
        return is_ready(self.function, arguments)

    def _wait(self, arguments: tuple[object, ...]) -> bool:
        """Waits until it is compiled, or cannot be but here and for this process alone."""
        COMPILING.waits = True
        while not is_ready(self.function, arguments) and COMPILING.problem is None:
            time.sleep(LOOK)
        COMPILING.waits = False
        return True


def specialised(compiled_kernel: Function, *arguments: object) -> Function:
    """Returns a compiled kernel for arguments of just these types, at which it never looks again.

    At every call Numba looks at the type of every array, which takes longer than most kernels do. So this is for the
    arrays that one owner makes and passes on: others, of another type or order in memory, would be misread.
    """
    if isinstance(compiled_kernel, Uncompiled):
        waiting = Uncompiled(compiled_kernel.function, patient=compiled_kernel.patient, specialised=True)
        return cast(Function, waiting)
    if not hasattr(compiled_kernel, "compile"):  # Numba is switched off, as a debugger may have it
        return compiled_kernel
    key = (compiled_kernel, *(_kind(argument) for argument in arguments))
    if key not in _SPECIALISED:
        from bba.kernels.numba_compiler import types_of

        _SPECIALISED[key] = cast(Any, compiled_kernel).compile(types_of(arguments))
    return cast(Function, _SPECIALISED[key])


def _kind(argument: object) -> object:
    """Returns what tells types of arguments apart, which takes Numba a millisecond to find out."""
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        return argument.dtype.char, argument.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable
    if isinstance(argument, tuple):
        return (type(argument), *map(_kind, argument))
    return type(argument)


def dispatcher(function: Callable[..., Any]) -> Any:
    """Returns what Numba calls a dispatcher: it loads the compiled kernel, or compiles it at its first call."""
    with _DISPATCHING:  # or another thread would compile before all callees are known
        if function not in _COMPILED:
            from bba.kernels import numba_compiler

            for callee, inlined in _KERNELS.items():
                numba_compiler.make_callable(callee, inlined, callee in _DISJOINT)
            _COMPILED[function] = numba_compiler.new_dispatcher(
                function, kernel_folder(), optimised=function in _OPTIMISED
            )
    return _COMPILED[function]


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether a kernel is compiled on this machine, and its file whole: it is loaded in a fraction of a second."""
    return any(whole_files(kernel_folder(), function))


def compiled_kernels() -> int:
    """Returns how many kernels are compiled on this machine."""
    return len(list(whole_files(kernel_folder())))


def kernels_to_come() -> int:
    """Returns how many kernels a process in the background still has to compile."""
    folder = kernel_folder()
    if not is_locked(folder):
        return 0
    return len(set(folder.glob(f"*{WISH}")))


@contextmanager
def compiling_here() -> Iterator[None]:
    """Lets its block compile what it calls, when no other process compiles any more.

    Raises:
        OSError: the folder of the kernels cannot be written to.
    """
    with locked(kernel_folder(), seconds=math.inf):
        previous = os.environ.get(HERE, "0")
        os.environ[HERE] = "1"
        try:
            yield
        finally:
            os.environ[HERE] = previous


def storage_problem() -> OSError | None:
    """Returns why a kernel that this process has compiled could not be stored, if that is so."""
    for kernel_dispatcher in _COMPILED.values():
        cache = getattr(kernel_dispatcher, "_cache", kernel_dispatcher)  # without one where Numba is switched off
        problem: OSError | None = vars(cache).get("problem")
        if problem is not None:
            return problem
    return None


def in_use() -> bool:
    """Whether this process computes with compiled kernels already, so that one more costs little."""
    return bool(_COMPILED)


def is_loaded(function: Callable[..., Any]) -> bool:
    """Whether this process has compiled the kernel or loaded it, so that it computes at once. Imports no compiler."""
    return bool(getattr(_COMPILED.get(function), "signatures", ()))


def is_plain(compiled_kernel: Callable[..., Any]) -> bool:
    """Whether it still computes plain, so that it is better called for little at a time."""
    return isinstance(compiled_kernel, Uncompiled) and compiled_kernel._found is None


def _is_at_hand(function: Callable[..., Any]) -> bool:
    compiles_here = os.environ.get(HERE, "0") != "0"
    switched_off = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
    return compiles_here or switched_off or is_compiled(function)


@functools.cache
def kernel_folder() -> Path:
    """Returns the folder for the current sources on this kind of machine; bounds-checked builds have one of their own.

    Numba misses edits in called modules, and to look into its files for what they are for would take longer.
    """
    build = [os.environ.get(name, "") for name in ("NUMBA_BOUNDSCHECK", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")]
    processor = processor_line("flags", "features") or platform.processor() or platform.machine()  # without Numba
    description = repr((*build, sys.version, version("numba"), processor))
    digest = hashlib.blake2b(description.encode(), digest_size=8)
    package = Path(__file__).parents[1]
    for folder in SOURCES:
        for source in sorted((package / folder).glob("*.py")):
            digest.update(source.read_bytes())
    import platformdirs

    caches = os.environ.get("NUMBA_CACHE_DIR", platformdirs.user_cache_path("bba-tui"))
    return Path(caches) / digest.hexdigest()


def processor_line(*names: str) -> str:
    """Returns the first line that the system tells of this processor under one of these names; "" if it tells none."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    for line in text.splitlines():
        if line.lower().startswith(names):
            return line
    return ""


COMPILING = Compiling(is_compiled, kernel_folder)
is_ready = COMPILING.is_ready
