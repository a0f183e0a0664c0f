"""Kernels: the same functions in plain Python or compiled by Numba.

The kitchen's rules and the belief's likelihood are kernels: plain functions over small NumPy arrays. Called directly
they run in plain Python, without importing the compiler, so that a screen starts at once. `compiled` returns the same
function compiled, for headless games, training and benchmarks; only then Numba is imported.
"""

import functools
import hashlib
import inspect
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])
_KERNELS: dict[Callable[..., Any], bool] = {}  # whether it is inlined
_SPECIALISED: dict[tuple[object, ...], Callable[..., Any]] = {}  # by kernel and types of arguments


def kernel(function: Function) -> Function:
    """Registers a plain function that compiled kernels may call; returns it unchanged."""
    _KERNELS[function] = True
    return function


def outlined_kernel(function: Function) -> Function:
    """Registers one that is called, not inlined: for large ones, which else are compiled at every place of a call."""
    _KERNELS[function] = False
    return function


def maybe_compiled(function: Function, *, fast: bool, allocates: bool = True) -> Function:
    """Returns the function compiled if `fast`, otherwise as it is."""
    return compiled(function, allocates=allocates) if fast else function


@functools.cache
def compiled(function: Function, *, allocates: bool = True) -> Function:
    """Returns the kernel compiled (nopython, without the GIL). It takes seconds once, then comes from a disk cache.

    `allocates=False` promises that neither the kernel nor any kernel that it calls creates an array. Numba then omits
    reference counting, which makes the rules five times as fast.
    """
    numba = _numba()
    for callee, inlined in _KERNELS.items():
        _make_callable(callee, inlined)
    return cast(Function, numba.njit(function, cache=True, nogil=True, _nrt=allocates))


def specialised(compiled_kernel: Function, *arguments: object) -> Function:
    """Returns a compiled kernel for arguments of just these types, at which it never looks again.

    At every call Numba looks at the type of every array, which takes longer than most kernels do. So this is for the
    arrays that one owner makes and passes on: others, of another type or order in memory, would be misread.
    """
    if not hasattr(compiled_kernel, "compile"):  # Numba is switched off, as a debugger may have it
        return compiled_kernel
    key = (compiled_kernel, *(_kind(argument) for argument in arguments))
    if key not in _SPECIALISED:
        typeof = _numba().typeof
        types = tuple(typeof(argument) for argument in arguments)
        _SPECIALISED[key] = cast(Any, compiled_kernel).compile(types)
    return cast(Function, _SPECIALISED[key])


def _kind(argument: object) -> object:
    """Returns what tells types of arguments apart, which takes Numba a millisecond to find out."""
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        return argument.dtype.char, argument.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable
    if isinstance(argument, tuple):
        return type(argument), *map(_kind, argument)
    return type(argument)


@functools.cache
def _make_callable(function: Callable[..., Any], inlined: bool) -> None:
    # Without inlining, every call passes each array as many words: feasibility checks took four times as long.
    _numba().extending.register_jitable(forceinline=inlined)(function)


@functools.cache
def _numba() -> Any:
    """Imports Numba with a cache folder named by a hash of the sources, as Numba misses edits in called modules."""
    import numba
    import numba.extending

    setattr(numba.config, "CACHE_DIR", str(_cache_dir()))  # noqa: B010 (missing in the type stubs)
    _load_array_functions()
    return numba


def _load_array_functions() -> None:
    """Lets Numba load its array functions, which every compiled kernel needs, without importing SciPy.

    It looks for SciPy's BLAS then, which takes a tenth of the time to a first game; no kernel multiplies matrices.
    Those of others still can: Numba looks for it again where a product is compiled.
    """
    import numba.np.linalg

    def no_blas() -> None:
        raise ImportError("not before a matrix product is compiled")

    ensure_blas, numba.np.linalg.ensure_blas = numba.np.linalg.ensure_blas, no_blas
    try:
        import numba.np.arraymath
    finally:
        numba.np.linalg.ensure_blas = ensure_blas


def is_compiled(function: Callable[..., Any] | None = None) -> bool:
    """Whether the current sources are compiled on this machine, so that fast games start in a fraction of a second.

    With a function: whether this kernel is.
    """
    return any(_cache_dir().rglob("*.nbi" if function is None else f"*.{function.__qualname__}-*.nbi"))


def in_use() -> bool:
    """Whether this process computes with compiled kernels already, so that one more costs little."""
    return _numba.cache_info().currsize > 0


def is_loaded(function: Callable[..., Any], *, allocates: bool = True) -> bool:
    """Whether this process has compiled the kernel or loaded it, so that it computes at once. Imports no compiler."""
    return in_use() and bool(getattr(compiled(function, allocates=allocates), "signatures", ()))


@functools.cache
def _cache_dir() -> Path:
    """Returns a writable folder for the current sources; bounds-checked builds have a folder of their own."""
    digest = hashlib.blake2b(os.environ.get("NUMBA_BOUNDSCHECK", "").encode(), digest_size=8)
    folders = {Path(inspect.getsourcefile(function) or "").parent for function in _KERNELS}
    for source in [Path(__file__), *sorted(file for folder in folders for file in folder.glob("*.py"))]:
        digest.update(source.read_bytes())
    import platformdirs

    folder = Path(os.environ.get("NUMBA_CACHE_DIR", platformdirs.user_cache_path("bba-tui"))) / digest.hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="bba-tui-kernels-"))
