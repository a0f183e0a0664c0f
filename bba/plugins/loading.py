"""Imports plug-ins, once a process.

The digest of a plug-in's own source files: games with it are filed under that, so that an edit makes them new games.

Of a file these are the file itself; of a module of a package all Python files of the package. Other files count too if
the module of the plug-in lists them in `PLUGIN_FILES`, relative to itself: weights, for one.

Which plug-ins may be imported because a file names them.

A recording or a folder of results names the agents that played. It may come from somebody else, and to import a
plug-in runs its code. So what only such a file names is imported only if the user has named its module too, on the
command line, in a sweep or in Python, or has installed it as a plug-in.

Folders of kitchens that are plug-ins: `mine:KITCHENS/attic` is the file attic.toml in the folder mine:KITCHENS.
"""

import importlib
import importlib.machinery
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from bba.errors import BBAError, instead, shortened
from bba.files import hex_digest, read_bytes
from bba.plugins.used import Kind, Plugin, PluginPlace, UsedPlugin, called, installed, is_plugin_name, place_of, sources

_ALLOWED_SOURCES: set[str] = set()


def allow(source: str) -> None:
    """Allows the plug-ins of a module or file to be imported, whoever names them."""
    _ALLOWED_SOURCES.add(source)


def allow_used(used: UsedPlugin) -> None:
    """Allows a plug-in of the user's own game, whichever process plays it."""
    place = place_of(used.kind, used.name)
    if place is not None:
        allow(place.source)


def check_allowed(kind: Kind, name: str) -> None:
    """Checks that a plug-in which a recording or a stored result names may be imported.

    Raises:
        BBAError: the user has not named its module.
    """
    place = place_of(kind, name)
    if place is not None and place.source not in _ALLOWED_SOURCES and place.source not in sources():
        raise BBAError(f"{name}: a plug-in, whose code would be run; to allow that add --plugins {place.source}")


def source_digest(module: str) -> str:
    """Returns 16 hex digits: the digest of the source files of an imported module, by their names and contents.

    Raises:
        BBAError: it lists a file that cannot be read.
    """
    top = sys.modules[module.partition(".")[0]]
    parts = []
    for folder, file in _source_files(top, sys.modules[module]):
        name = file.relative_to(folder).as_posix()
        parts.append(name.encode() + b"\0" + read_bytes(file) + b"\0")
    return hex_digest(*parts)


def _source_files(top: ModuleType, module: ModuleType) -> Iterator[tuple[Path, Path]]:
    """Yields each Python file of a package, and the other files that a module says it needs, with their folders."""
    folders = [Path(folder) for folder in getattr(top, "__path__", ())]
    file = file_of(top)
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            if path.is_file():
                yield folder, path
    if not folders and file:
        yield Path(file).parent, Path(file)
    plugin_files = getattr(module, "PLUGIN_FILES", ())
    module_file = file_of(module)
    if plugin_files and module_file is None:
        raise BBAError(f"{module.__name__}: PLUGIN_FILES stands in a file of its own")
    module_folder = Path(module_file or "").parent
    for name in sorted(map(str, plugin_files)):
        yield module_folder, module_folder / name


def file_of(module: ModuleType | None) -> str | None:
    """Returns the file of a module; None for what is typed into a notebook or a console, and has none."""
    file = getattr(module, "__file__", None)
    return None if file is None or file.startswith("<") else str(file)


_NAMED: dict[tuple[Kind, str], None] = {}  # in the order in which they were imported


# What was handed over in Python, and the plug-in that it is, by the name that it was given here.
_OBJECTS: dict[tuple[Kind, str], tuple[Any, Plugin[Any]]] = {}


def name_of(kind: Kind, named: Any) -> str:
    """Returns the name of a plug-in: `named` itself, or one for a class, a function or an object of this process.

    An object is the plug-in itself; a class is made with its options for each game.

    Raises:
        BBAError: it is nothing of which a plug-in could be made.
    """
    if isinstance(named, str | Path):
        return str(named)
    is_maker = isinstance(named, type) or inspect.isroutine(named)
    maker = named if is_maker else type(named)
    module = maker.__module__
    if module == "builtins" or module not in sys.modules:
        raise BBAError(f"{kind}: {shortened(named)} is not allowed; a name, a class, a function or an object of yours")
    if is_maker:
        target = named
    elif kind == "trigger" and callable(named):
        target = named.__call__  # with a context
    else:
        target = _maker_of(named)
    attribute = re.sub(r"\W", "_", maker.__qualname__.replace("<locals>.", ""))
    name = _free_name(kind, f"{module}:{attribute}", named)
    register(kind, name, named, Plugin(target, UsedPlugin(kind, name, source_digest(module))))
    allow(module)
    return name


def register(kind: Kind, name: str, given: Any, plugin: Plugin[Any]) -> None:
    """Gives what was handed over in Python a name in this process."""
    _OBJECTS[kind, name] = (given, plugin)


def objects_of_this_process() -> Mapping[tuple[Kind, str], tuple[Any, Plugin[Any]]]:
    """Returns what was handed over in Python, and the plug-in that it is, by kind and name."""
    return _OBJECTS


def _maker_of(instance: Any) -> Callable[[], Any]:
    """Returns a function that returns an object of the user's own."""

    def make() -> Any:
        return instance

    return make


def _free_name(kind: Kind, name: str, target: Any) -> str:
    """Returns a name that no other object of this process has: the first of `name`, `name`2, `name`3, …"""
    candidate = name
    number = 1
    while (kind, candidate) in _OBJECTS and _OBJECTS[kind, candidate][0] is not target:
        number += 1
        candidate = f"{name}{number}"
    return candidate


def load_plugin(kind: Kind, name: str) -> Plugin[Any]:
    """Imports a plug-in that the user names, which allows files to name it too.

    Raises:
        BBAError: there is no such plug-in, or it cannot be imported.
    """
    if (kind, name) in _OBJECTS:
        return _OBJECTS[kind, name][1]
    place = place_of(kind, name)
    if place is None:
        raise BBAError(f"{name}: names no {kind}; a plug-in is named package.module:Name or file.py:Name")
    module, digest = _imported(name, place)
    allow(place.source)
    _NAMED[kind, name] = None
    if not hasattr(module, place.attribute):
        public = [attribute for attribute in vars(module) if not attribute.startswith("_")]
        raise BBAError(f"{name}: {place.source} has no {place.attribute}; {instead(place.attribute, public)}")
    return Plugin(getattr(module, place.attribute), UsedPlugin(kind, name, digest))


def offered(kind: Kind) -> list[str]:
    """Returns the plug-ins of a kind that a list can offer: those installed, then others that this process has used."""
    imported = [name for of_kind, name in _NAMED if of_kind == kind]
    return list(dict.fromkeys([*installed(kind), *imported]))


def first_line(kind: Kind, name: str) -> str:
    """Returns the first line of the docstring of a plug-in; "" if it has none, or may not be imported."""
    try:
        check_allowed(kind, name)
        text = load_plugin(kind, name).target.__doc__
    except BBAError:
        return ""
    return str(text or "").strip().partition("\n")[0]


def load_used(used: UsedPlugin) -> Plugin[Any]:
    """Imports a plug-in that a game, a recording or a stored result names.

    Raises:
        BBAError: it may not be imported, cannot be, or is not the one that was used then.
    """
    check_allowed(used.kind, used.name)
    plugin = load_plugin(used.kind, used.name)
    if plugin.used.digest != used.digest:
        raise BBAError(f"{used.name}: its code is not that which played; it has changed since, or is another one here")
    return plugin


def _imported(name: str, place: PluginPlace) -> tuple[ModuleType, str]:
    """Returns the module of a plug-in, and the digest of its source files."""
    problem = f"{name}: cannot be imported"
    if not place.is_file:
        return called(problem, _module, name, place.source)
    path = Path(place.source).expanduser().resolve()
    if not path.is_file():
        raise BBAError(f"{name}: there is no file {place.source}")
    return called(problem, _file_module, path)


@cache
def _module(name: str, source: str) -> tuple[ModuleType, str]:
    """Imports a module from where Python looks, or from the working folder."""
    working_folder = str(Path.cwd())
    if "" not in sys.path and working_folder not in sys.path:
        sys.path.append(working_folder)
    dont_write_bytecode = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # compiled files would hide a quick edit
    try:
        return importlib.import_module(source), source_digest(source)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{source}.".startswith(f"{error.name}."):
            raise
        raise BBAError(f"{name}: no module named {error.name}, neither installed nor in {working_folder}") from None
    finally:
        sys.dont_write_bytecode = dont_write_bytecode


@cache
def _file_module(path: Path) -> tuple[ModuleType, str]:
    """Imports a file as it is now, as a module of its own.

    Compiled files are dated to the second only, and would lie about a quick edit.
    """
    module_name = f"bba_plugin_{path.stem}_{abs(hash(path)):x}"
    loader = importlib.machinery.SourceFileLoader(module_name, str(path))
    spec = importlib.util.spec_from_file_location(module_name, path, loader=loader)
    assert spec is not None  # a loader is given
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        code = loader.source_to_code(loader.get_data(str(path)), str(path))
        exec(code, vars(module))
    except BaseException:
        del sys.modules[module_name]
        raise
    return module, source_digest(module_name)


def plugin_layout(name: str) -> Path | None:
    """Returns the file of a kitchen in a plug-in's folder; None if the name is of another form.

    Raises:
        BBAError: there is no such plug-in, it names no folder, or the folder has no such kitchen.
    """
    plugin_name, slash, kitchen = name.rpartition("/")
    if not slash or name.endswith(".toml") or not is_plugin_name("layouts", plugin_name):
        return None
    target = load_plugin("layouts", plugin_name).target
    folder = called(plugin_name, target) if callable(target) else target
    if not isinstance(folder, str | Path) or not Path(folder).is_dir():
        raise BBAError(
            f"{plugin_name}: layouts are a folder that there is, as text or Path, or a function that returns it"
        )
    kitchens = sorted(file.stem for file in Path(folder).glob("*.toml"))
    if kitchen not in kitchens:
        advice = instead(kitchen, kitchens) if kitchens else "it is empty"
        raise BBAError(f"{plugin_name}: no kitchen named {kitchen!r}; {advice}")
    return Path(folder) / f"{kitchen}.toml"
