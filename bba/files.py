"""Reading and writing files so that mistakes are one line and nothing is ever half-written."""

import errno
import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bba.errors import BBAError

Model = TypeVar("Model", bound=BaseModel)


LARGEST = 64 * 2**20  # bytes of a file that is read at the most


def read_bytes(path: Path) -> bytes:
    """The content of an ordinary file.

    Raises:
        BBAError: the file is missing, unreadable, no ordinary file or larger than any that this program writes.
    """
    try:
        if path.exists() and not path.is_file():
            raise BBAError(f"{path}: cannot be read: not a file")
        if path.stat().st_size > LARGEST:
            raise BBAError(f"{path}: cannot be read: larger than {LARGEST // 2**20} MiB")
        return path.read_bytes()
    except OSError as error:
        raise BBAError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise BBAError(f"{str(path)!r}: cannot be read: {error}") from None


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        BBAError: the file is missing, unreadable or not UTF-8.
    """
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BBAError(f"{path}: not a text file (byte {error.start} is not UTF-8)") from None


def parse_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        BBAError: the file cannot be read or is not TOML.
    """
    try:
        return tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise BBAError(f"{path}: not valid TOML: {str(error) or 'nested too deeply'}") from None


def read_toml(path: Path, model: type[Model]) -> Model:
    """Read a TOML file into `model`.

    Raises:
        BBAError: one line that names the file, the key or place, and what is wrong.
    """
    try:
        return model.model_validate(parse_toml(path))
    except ValidationError as error:
        raise BBAError(f"{path}: {first_problem(error)}") from None


def first_problem(error: ValidationError) -> str:
    """The first problem of a validation as one short line: where and what."""
    problem = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    what = problem["msg"].removeprefix("Value error, ").replace("\n", " ")
    what = {
        "Extra inputs are not permitted": "unknown key",
        "Unexpected keyword argument": "unknown key",
        "Field required": "missing",
    }.get(what, what)
    return f"{where}: {what}" if where else what


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file completely or not at all: to a temporary neighbour first, then renamed over `path`.

    Raises:
        BBAError: the folder does not exist or cannot be written, or the disk is full.
    """
    write_together({path: content})


def write_together(files: Mapping[Path, str | bytes]) -> None:
    """Write several files completely or none of them: all to temporary neighbours first, then each renamed.

    Raises:
        BBAError: a folder does not exist or cannot be written, or the disk is full.
    """
    staged: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in files.items():
            target = path.resolve()  # a link stays a link
            staged[target] = _staged(target, content.encode() if isinstance(content, str) else content)
        for path, temporary in staged.items():
            temporary.replace(path)
    except OSError as error:
        raise BBAError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


def _staged(path: Path, data: bytes) -> Path:
    """A temporary neighbour with this content, to be renamed over `path`."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def check_writable(path: Path) -> None:
    """Find out whether `write_whole` could write this file, without touching it.

    Raises:
        BBAError: it could not.
    """
    try:
        if path.exists() and not path.is_file():
            raise BBAError(f"{path} is not a file")
        if not path.resolve().parent.is_dir():
            raise BBAError(f"{path.parent} is not a folder that can be written to")
        with tempfile.NamedTemporaryFile(dir=path.resolve().parent, prefix=f".{path.name}."):
            pass
    except (OSError, ValueError, RuntimeError) as error:
        raise BBAError(f"{str(path)!r} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
