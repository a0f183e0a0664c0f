"""What a sweep is given in Python instead of names: classes, functions and objects, which other processes play, too.

Each has a name in this process, as in `bba.plugins.loading`. A process that plays games is sent what was handed over as
bytes, and makes it again under the same name; nothing of that is ever read from a file.
"""

import copy
import inspect
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from bba.errors import shortened
from bba.files import hex_digest
from bba.plugins.loading import allow, file_of, name_of, objects_of_this_process, register
from bba.plugins.used import Kind, Plugin, UsedPlugin


def hand_over(kind: Kind, named: Any) -> str:
    """Returns the name of a plug-in whose games are stored: `named` itself, or one for what was given in Python.

    Each game gets a copy of an object. Its digest is that of its sources and of what the object holds, so that games of
    the same class with other numbers are other games, and an object made anew with the same is the same. With what
    cannot be pickled no stored game is taken for the same.

    Raises:
        BBAError: it is nothing of which a plug-in could be made.
    """
    name = name_of(kind, named)
    if isinstance(named, str | Path):
        return name
    given, plugin = objects_of_this_process()[kind, name]
    target = plugin.target
    if not _is_maker(given) and not (kind == "trigger" and callable(given)):
        target = _copier_of(given)
    parts = (plugin.used.digest.encode(), _identity(given), _source(given), _content(given))
    digest = hex_digest(*(len(part).to_bytes(8, "big") + part for part in parts))
    for (of_kind, other), (_, same) in objects_of_this_process().items():
        if (of_kind, same.used.digest) == (kind, digest):
            return other
    register(kind, name, given, Plugin(target, UsedPlugin(kind, name, digest)))
    return name


def short_name(kind: Kind, name: str) -> str:
    """Returns what to call a plug-in in tables: the name of a class or function that was given, else the whole name."""
    given, _ = objects_of_this_process().get((kind, name), (None, None))
    if given is None:
        return name
    return str((given if _is_maker(given) else type(given)).__name__)


def _is_maker(given: object) -> bool:
    return isinstance(given, type) or inspect.isroutine(given)


def _identity(given: Any) -> bytes:
    """Returns the name of a class or function, or that of an object's class, each in its own way."""
    if _is_maker(given):
        return f"{given.__module__}:{given.__qualname__}".encode()
    return f"{type(given).__module__}:{type(given).__qualname__}()".encode()


def _copier_of(given: Any) -> Callable[[], Any]:
    """Returns a function that returns a copy of an object; the object itself where it cannot be copied."""

    def make() -> Any:
        try:
            return copy.deepcopy(given)
        except Exception:  # noqa: BLE001 - what a user's object raises where it is copied is of no class
            return given

    return make


def _source(given: Any) -> bytes:
    """Returns the source of a class or function that stands in no file, as in a notebook; nothing for others."""
    maker = given if _is_maker(given) else type(given)
    module = inspect.getmodule(maker)
    if file_of(module):
        return b""
    try:
        return inspect.getsource(maker).encode()
    except (OSError, TypeError):
        return secrets.token_bytes()


def _content(given: Any) -> bytes:
    """Returns what an object holds, and what a function holds of the place where it was made, as bytes."""
    import cloudpickle

    if isinstance(given, type):
        return b""
    values: object = [cell.cell_contents for cell in getattr(given, "__closure__", None) or ()]
    if not _is_maker(given):
        values = getattr(given, "__dict__", given)
    try:
        return bytes(cloudpickle.dumps(values))
    except Exception:  # noqa: BLE001 - as above
        return secrets.token_bytes()


class Luggage(NamedTuple):
    """What games need of this process.

    Attributes:
        content: that as bytes; b"" for nothing.
        unpacked: why it cannot be sent, by the names of what cannot be.
    """

    content: bytes
    unpacked: Mapping[tuple[Kind, str], str]


def packed(plugins: Iterable[UsedPlugin]) -> Luggage:
    """Returns what was handed over of these plug-ins, for another process."""
    import cloudpickle

    objects = objects_of_this_process()
    sendable: dict[tuple[Kind, str], Any] = {}
    unpacked: dict[tuple[Kind, str], str] = {}
    for key in dict.fromkeys((used.kind, used.name) for used in plugins):
        if key not in objects:
            continue
        try:
            cloudpickle.dumps(objects[key])
            sendable[key] = objects[key]
        except Exception as error:  # noqa: BLE001 - as above
            unpacked[key] = f"{type(error).__name__}: {shortened(error)}"
    content = bytes(cloudpickle.dumps(sendable)) if sendable else b""
    return Luggage(content, unpacked)


def with_luggage(content: bytes, task: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a task in another process once it knows what was handed over in the first one."""
    _unpack(content)
    return task(*args, **kwargs)


@lru_cache(maxsize=1)
def _unpack(content: bytes) -> None:
    """Makes what another process of the same user has sent, once."""
    import cloudpickle

    for (kind, name), (given, plugin) in cloudpickle.loads(content).items():
        register(kind, name, given, plugin)
        allow(name.rpartition(":")[0])
