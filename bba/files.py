"""Reading and writing files so that mistakes are one line and nothing is ever half-written."""

import os
import tempfile
import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from bba.errors import BBAError

Model = TypeVar("Model", bound=BaseModel)


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        BBAError: the file is missing, unreadable or not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BBAError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise BBAError(f"{path}: not a text file (byte {error.start} is not UTF-8)") from None


def read_toml(path: Path, model: type[Model]) -> Model:
    """Read a TOML file into `model`.

    Raises:
        BBAError: one line that names the file, the key or place, and what is wrong.
    """
    try:
        data = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise BBAError(f"{path}: not valid TOML: {error}") from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise BBAError(f"{path}: {first_problem(error)}") from None


def first_problem(error: ValidationError) -> str:
    """The first problem of a validation as one short line: where and what."""
    problem = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    what = problem["msg"].removeprefix("Value error, ").replace("\n", " ")
    what = {"Extra inputs are not permitted": "unknown key", "Field required": "missing"}.get(what, what)
    return f"{where}: {what}" if where else what


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file completely or not at all: to a temporary neighbour first, then renamed over `path`.

    Raises:
        BBAError: the folder does not exist or cannot be written, or the disk is full.
    """
    data = content.encode() if isinstance(content, str) else content
    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise BBAError(f"{path}: cannot be written: {error.strerror or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
