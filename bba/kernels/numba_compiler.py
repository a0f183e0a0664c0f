"""How Numba compiles kernels: with less than half the work, and into a folder of their own.

A callee is a kernel that another one calls. Numba makes machine code of each, optimised with all that it calls, though
nobody runs it: it is linked into its callers and optimised there again. And it compiles a function once more for every
other kind of integer, for every constant and for every kind of caller. Together that was more than half of the time. So
a callee ends as intermediate code, once for all integers and callers. What calls it is optimised once, and lightly if
it plays one game.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing.templates import infer_global

from bba.kernels.kernel_files import file_name, is_whole, sealed

types: Any = numba.types
OPTIONS = {"_nrt": False, "no_cfunc_wrapper": True}  # kernels create no array, so that no references are counted
_CALLEES: dict[Callable[..., Any], Any] = {}


def new_dispatcher(function: Callable[..., Any], folder: Path, *, optimised: bool = False) -> Any:
    """Returns a kernel that is compiled, or loaded from the folder, when it is called."""
    pipeline = _OptimisedCompiler if optimised else _KernelCompiler
    dispatcher = numba.njit(function, nogil=True, pipeline_class=pipeline, **OPTIONS)
    if hasattr(dispatcher, "_cache"):  # Numba is not switched off
        dispatcher._cache = _KernelCache(function, folder)
    return dispatcher


def types_of(arguments: tuple[object, ...]) -> tuple[Any, ...]:
    """Returns the types of arguments, as Numba has them."""
    return tuple(map(numba.typeof, arguments))


def make_callable(function: Callable[..., Any], inlined: bool, disjoint: bool) -> None:
    """Lets kernels call a function.

    Without inlining, every call passes each array as many words: feasibility checks took four times as long.
    """
    pipeline = _DisjointCompiler if disjoint else _CalleeCompiler
    if function in _CALLEES or numba.config.DISABLE_JIT:
        return
    compiles = numba.njit(pipeline_class=pipeline, forceinline=inlined, no_cpython_wrapper=True, **OPTIONS)
    _CALLEES[function] = compiles(function)
    infer_global(function, _Callee(_CALLEES[function]))


class _Callee(types.Dispatcher):  # type: ignore[misc]
    """The type of a callee, which has one signature for all integers with a sign."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        positional = tuple([_widened(argument) for argument in args])
        by_name = {name: _widened(argument) for name, argument in kws.items()}
        return super().get_call_type(context, positional, by_name)


def _widened(argument: Any) -> Any:
    argument = types.unliteral(argument)
    if isinstance(argument, types.Integer) and argument.signed:
        return types.int64
    return argument


class _CalleeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Intermediate code, of which no machine code is made, so that none is told of its Python objects."""

    codegen = SimpleNamespace(set_env=lambda *_: None)

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - there is none
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code of a kernel, with all that it calls inlined.

    Numba optimises twice, the first time for the sake of references, which no kernel counts. More than the least level
    takes a tenth longer and gains some 2 %; without vectors a future of the rollout planner takes twice as long.
    """

    level, straight = 1, False

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(
            opt=self.level, loop_vectorize=True, slp_vectorize=self.straight
        )
        passes.run(self._final_module, builder)


class _OptimisedLibrary(_KernelLibrary):
    """The same at Numba's own level, with vectors in code that does not loop: short loops are unrolled first."""

    level, straight = 3, True


class _KernelCompiler(Compiler):  # type: ignore[misc]
    library: type[JITCodeLibrary] = _KernelLibrary

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library or self.library(target.codegen(), "kernel"), *rest)
        self.state.library.enable_object_caching()


class _OptimisedCompiler(_KernelCompiler):
    library = _OptimisedLibrary


class _CalleeCompiler(_KernelCompiler):
    library = _CalleeLibrary


class _DisjointCompiler(_CalleeCompiler):
    """Compiles a callee whose arrays share no memory."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.flags.noalias = True


class _KernelFolder(UserProvidedCacheLocator):  # type: ignore[misc]
    """Where kernels are kept: also a folder that cannot be written to, as in an image, if they are there already."""

    folder: Path

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        return str(self.folder)


class _KernelFolderFiles(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_KernelFolder,)


class _KernelFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one kernel. In the place of Numba's index, which cannot be told from a damaged one, is a seal."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        super().__init__(str(folder), function.__qualname__, None)
        self._function = function

    def load(self, key: object) -> Any:
        name = file_name(self._function, key)
        if not is_whole(Path(self._data_path(name))):
            return None
        return self._load_data(name)

    def save(self, key: object, data: object) -> None:
        path = Path(self._data_path(file_name(self._function, key)))
        if path.is_dir():
            shutil.rmtree(path)
        with self._open_for_write(path) as file:
            file.write(sealed(self._dump(data)))


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """What is compiled of a kernel. What is not whole is compiled anew, and what cannot be written is for now only."""

    _impl_class = _KernelFolderFiles
    problem: OSError | None = None

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        _KernelFolder.folder = folder
        super().__init__(function)
        self._cache_file = _KernelFiles(function, folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except OSError:  # it was whole a moment ago
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.problem = error


def _load_array_functions() -> None:
    """Lets Numba load its array functions, which every compiled kernel needs, without importing SciPy.

    It looks for SciPy's BLAS then, which takes a tenth of the time to a first game; no kernel multiplies matrices.
    Those of others still can: Numba looks for it again where a product is compiled.
    """
    import numba.np.linalg

    def no_blas() -> None:
        raise ImportError("not before a matrix product is compiled")

    ensure_blas = numba.np.linalg.ensure_blas
    numba.np.linalg.ensure_blas = no_blas
    try:
        import numba.np.arraymath
    finally:
        numba.np.linalg.ensure_blas = ensure_blas


_load_array_functions()
