"""Writes a small package with an agent, its test and a sweep, from the templates in ``configs/new_agent``."""

import re
from pathlib import Path

from bba.errors import BBAError
from bba.files import read_text, write_whole
from bba.resources import data_dir

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
# template: the file that it becomes
FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "init.txt": "{name}/__init__.py",
    "agent.txt": "{name}/agent.py",
    "test_agent.txt": "tests/test_agent.py",
    "sweep.toml.txt": "sweep.toml",
}


def write_new_agent(name: str, parent: Path | None = None) -> Path:
    """Writes the package into a new folder of that name, and returns the folder.

    Args:
        name: the package's name: small letters, digits and underscores.
        parent: where the folder is made; None for the working folder.

    Raises:
        BBAError: the name cannot be that of a package, or there is such a folder.
    """
    if not NAME.fullmatch(name):
        raise BBAError(f"--new-agent: got {name!r}; a name has small letters, digits and underscores, as my_agent")
    folder = (parent or Path()) / name
    if folder.exists():
        raise BBAError(f"--new-agent: {folder} is there already; take another name")
    words = {"{name}": name, "{Class}": "".join(part.capitalize() for part in name.split("_"))}
    for template, file in FILES.items():
        path = folder / _filled(file, words)
        _make(path.parent)
        write_whole(path, _filled(read_text(data_dir("configs/new_agent") / template), words))
    return folder


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BBAError(f"{folder}: cannot be made: {error.strerror or error}") from None


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text
