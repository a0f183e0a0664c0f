"""One source, two speeds.

The kitchen's rules and the belief's likelihood are *kernels*: plain functions over small NumPy arrays. Called as they
are they run in plain Python: no compiler is imported and a screen starts at once. `compiled` gives the same function
compiled by Numba, for headless games, training and benchmarks. Numba is imported only then.
"""

import functools
import hashlib
import inspect
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])
_KERNELS: list[Callable[..., Any]] = []


def kernel(function: Function) -> Function:
    """Mark a plain function that compiled kernels may call; the function itself stays as it is."""
    _KERNELS.append(function)
    return function


def at_speed(function: Function, *, fast: bool) -> Function:
    """`function` compiled if `fast`, else as it is."""
    return compiled(function) if fast else function


@functools.cache
def compiled(function: Function, *, allocates: bool = True) -> Function:
    """The same kernel compiled (nopython, without the GIL). Seconds the first time, then read from a disk cache.

    `allocates=False` promises that neither it nor any kernel that it calls makes an array. References are then not
    counted, which costs more than the rules themselves: the rules run five times as fast.
    """
    numba = _numba()
    for callee in _KERNELS:
        _make_callable(callee)
    return cast(Function, numba.njit(function, cache=True, nogil=True, _nrt=allocates))


@functools.cache
def _make_callable(function: Callable[..., Any]) -> None:
    # Not inlined, a kernel is handed every word of every array at each call: surveys took four times as long.
    _numba().extending.register_jitable(forceinline=True)(function)


@functools.cache
def _numba() -> Any:
    """Numba, its cache folder set to one named by the sources: Numba's own check misses edits in called modules."""
    import numba
    import numba.extending

    setattr(numba.config, "CACHE_DIR", str(_cache_dir()))  # noqa: B010 (the stubs do not know it)
    return numba


def compiled_before() -> bool:
    """Whether this exact code has been compiled on this machine, so that it starts in a fraction of a second."""
    return any(_cache_dir().rglob("*.nbi"))


@functools.cache
def _cache_dir() -> Path:
    """A writable folder for this exact code and mode; bounds-checked builds must not be mixed with the others."""
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
