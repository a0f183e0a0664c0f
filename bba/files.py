"""Reading and writing files: errors are one line, and a file is never half-written.

The project's own data files are in the top-level folders ``configs/`` and ``assets/`` of a checkout; an installed wheel
has the same folders inside the package.
"""

import errno
import hashlib
import json
import os
import stat
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from bba.errors import BBAError
from bba.text import encodable, encodable_values, without_mark
from bba.toml_limits import check_toml
from bba.validation import Data, checked

MAX_BYTES = 64 * 2**20  # larger files are not read


@contextmanager
def os_errors(problem: str, hint: str = "") -> Iterator[None]:
    """Raises BBAError with this problem, the system's reason and a hint in the place of an OSError."""
    try:
        yield
    except OSError as error:
        raise BBAError(f"{problem}: {error.strerror or error}{hint}") from None


def read_bytes(path: Path) -> bytes:
    """Returns the content of a regular file.

    Raises:
        BBAError: the file is missing, unreadable, not a regular file or larger than 64 MiB.
    """
    try:
        if path.exists() and not path.is_file():
            raise BBAError(f"{path}: cannot be read: not a file")
        if path.stat().st_size > MAX_BYTES:
            raise BBAError(f"{path}: cannot be read: larger than {MAX_BYTES // 2**20} MiB")
        return path.read_bytes()
    except OSError as error:
        raise BBAError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise BBAError(f"{str(path)!r}: cannot be read: {error}") from None


def read_text(path: Path) -> str:
    """Returns the text of a UTF-8 file, without the byte order mark that some editors write.

    Raises:
        BBAError: the file is missing, unreadable or not UTF-8.
    """
    try:
        return without_mark(read_bytes(path)).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BBAError(f"{path}: not a text file (byte {error.start} is not UTF-8)") from None


def parse_toml(path: Path) -> dict[str, Any]:
    """Returns the content of a TOML file.

    Raises:
        BBAError: the file cannot be read, is too large (`bba.toml_limits`) or is not valid TOML.
    """
    text = read_text(path)
    check_toml(text, path)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error) or "nested too deeply"
        raise BBAError(f"{path}: not valid TOML: {reason}") from None


def read_toml(path: Path, model: type[Data], **values: object) -> Data:
    """Reads a TOML file into a `model`; `values` are those that are not in the file, such as its name.

    Raises:
        BBAError: one line that names the file, the key or the place, and the problem.
    """
    return checked(model, parse_toml(path) | values, path)


def write_whole(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Writes a file atomically: to a temporary file in the same folder, which then replaces `path`.

    Args:
        path: the file.
        content: what is in it.
        mode: who may read and write it, as far as the user's mask and the folder let them.

    Raises:
        BBAError: the folder does not exist or cannot be written, or the disk is full.
    """
    write_together({path: content}, mode)


def write_together(files: Mapping[Path, str | bytes], mode: int = 0o666) -> None:
    """Writes several files, or none if one fails: all to temporary files first, which then replace the targets.

    The `mode` is that of each.

    Raises:
        BBAError: a folder does not exist or cannot be written, or the disk is full.
    """
    staged: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in files.items():
            target = path.resolve()  # a symbolic link stays one
            staged[target] = _write_temporary(target, _as_bytes(content), mode)
        for path, temporary in staged.items():
            temporary.replace(path)
    except OSError as error:
        raise BBAError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


def write_new(
    path: Path,
    content: str | bytes,
    mode: int = 0o666,
    companion: tuple[Callable[[Path], Path], str | bytes] | None = None,
) -> Path:
    """Writes a file and never replaces another one: where its name is taken meanwhile, it goes to a free name beside.

    Args:
        path: the file.
        content: what is in it.
        mode: who may read and write it, as far as the user's mask lets them.
        companion: a second file that belongs to it: a function from the path of the first to its path, and its content.

    Returns:
        The path that was written: `path`, or the first of name-2, name-3, … that was free (`free_path`).

    Raises:
        BBAError: the folder does not exist or cannot be written, or the disk is full.
    """
    target = path.resolve()  # a symbolic link stays one
    staged: list[Path] = []
    try:
        staged.append(_write_temporary(target, _as_bytes(content), mode))
        if companion is not None:
            companion_path, companion_content = companion
            staged.append(_write_temporary(companion_path(target), _as_bytes(companion_content), mode))
        written = _move_to_free_name(staged[0], target)
        if companion is not None:
            staged[1].replace(companion_path(written))
    except OSError as error:
        raise BBAError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        for temporary in staged:
            temporary.unlink(missing_ok=True)
    if written == target:
        return path
    if path.is_symlink():
        return written
    return path.with_name(written.name)


def write_output(path: Path, content: str | bytes, *, replace: bool, mode: int = 0o666) -> Path:
    """Writes the output of a command.

    Args:
        path: the file.
        content: what is in it.
        replace: whether another file of this name is replaced.
        mode: who may read and write it.

    Returns:
        The path that was written: `path`, or a free name beside it.

    Raises:
        BBAError: as `write_new`.
    """
    if not replace:
        return write_new(path, content, mode)
    write_whole(path, content, mode)
    return path


def _move_to_free_name(temporary: Path, target: Path) -> Path:
    """Gives a temporary file the name of its target, or the first free name beside it; returns this path."""
    for path in _numbered(target):
        if _moved_to_free(temporary, path):
            break
    return path


def _moved_to_free(temporary: Path, target: Path) -> bool:
    """Gives a temporary file its name; returns False if another file has this name."""
    try:
        os.link(temporary, target)  # fails where there is a file, which a check before could not know
    except FileExistsError:
        return False
    except OSError:  # no hard links on this file system: an empty file takes the name, and is then replaced
        try:
            target.touch(exist_ok=False)
        except FileExistsError:
            return False
        try:
            temporary.replace(target)
        except OSError:
            target.unlink()
            raise
    return True


def _numbered(path: Path) -> Iterator[Path]:
    """Yields the path, then name-2, name-3, …."""
    yield path
    for number in count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")


def _as_bytes(content: str | bytes) -> bytes:
    return encodable(content).encode() if isinstance(content, str) else content


def _write_temporary(path: Path, data: bytes, mode: int) -> Path:
    """Writes a temporary file in the same folder as `path` and returns its path."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(mode_within(path.parent, mode & ~mask))
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def mode_within(folder: Path, mode: int) -> int:
    """Returns the mode of a new file or folder in a folder, without the rights of those who may not use the folder."""
    outside = stat.S_IMODE(folder.stat().st_mode)
    for everything in (stat.S_IRWXG, stat.S_IRWXO):
        if not outside & everything:
            mode &= ~everything
    return mode


def make_folder(folder: Path, problem: str = "") -> None:
    """Makes a folder and those above it, unless there is one.

    Args:
        folder: the folder.
        problem: the message of the error before the reason; "" for that the folder cannot be made.

    Raises:
        BBAError: it cannot be made.
    """
    try:
        mode = mode_within(folder.parent, 0o777) if folder.parent.exists() else 0o777
        folder.mkdir(mode, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        problem = problem or f"{folder}: cannot be made"
        raise BBAError(f"{problem}: {_reason(error)}") from None


def check_writable(path: Path) -> None:
    """Checks that `write_whole` could write this file, without changing it.

    Raises:
        BBAError: it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            raise BBAError(f"{path} is not a file")
        if not path.resolve().parent.is_dir():
            raise BBAError(f"{path.parent} is not a folder that can be written to")
        with tempfile.NamedTemporaryFile(dir=path.resolve().parent, prefix=f".{path.name}."):
            pass
    except (OSError, ValueError, RuntimeError) as error:
        raise BBAError(f"{str(path)!r} cannot be written: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """Returns the system's reason for an error; the error's own text if it has none."""
    return getattr(error, "strerror", None) or str(error)


def free_path(path: Path) -> Path:
    """Returns the path, or the first of name-2, name-3, … where a file exists already."""
    return next(candidate for candidate in _numbered(path) if not candidate.exists())


def data_dir(name: str) -> Path:
    """Returns a data folder by name, such as ``"configs/layouts"`` or ``"assets/sprites"``."""
    package = Path(__file__).parent
    installed = package / "data" / name
    return installed if installed.exists() else package.parent / name


def hex_digest(*parts: bytes, size: int = 8) -> str:
    """Returns the digest of bytes, put together, in hexadecimal digits: two for each byte of its size (BLAKE2b)."""
    return hashlib.blake2b(b"".join(parts), digest_size=size).hexdigest()


def recalled(path: Path | None) -> dict[str, Any]:
    """Returns the content of a JSON file that a program keeps for itself; {} if it cannot be used."""
    if path is None:
        return {}
    # ValueError: not JSON; RecursionError: too deep.
    with suppress(BBAError, ValueError, RecursionError):
        data = encodable_values(json.loads(read_text(path)))
        if isinstance(data, dict):
            return data
    return {}


def remember(path: Path, data: Mapping[str, Any]) -> None:
    """Writes the JSON file that `recalled` reads; does nothing if it cannot be written."""
    with suppress(OSError, BBAError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(data, indent=2) + "\n")
