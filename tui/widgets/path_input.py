"""A field for a path; tab completes what is typed, as in a shell."""

from itertools import takewhile
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input


class PathInput(Input):
    """Takes a path; tab completes it as far as the files there allow, and elsewhere goes to the next field.

    Args:
        placeholder: what the empty field shows.
        suffix: the end of the names of files that are completed; None for folders only.
        value: the path at first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", show=False)]

    def __init__(self, placeholder: str, suffix: str | None, value: str = "") -> None:
        super().__init__(value, placeholder)
        self._suffix = suffix

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "complete":
            return completed(self.value, self._suffix) != self.value
        return super().check_action(action, parameters)

    def action_complete(self) -> None:
        self.value = completed(self.value, self._suffix)
        self.cursor_position = len(self.value)


def completed(text: str, suffix: str | None) -> str:
    """Returns a path with what all folders, and files with this suffix, have in common that begin with it."""
    folder, _, begun = text.rpartition("/")
    try:
        there = Path(f"{folder}/" if "/" in text else ".").expanduser()
        found = [_name(path) for path in there.iterdir() if path.name.startswith(begun) and _fits(path, suffix)]
    except (OSError, RuntimeError, ValueError):  # no such folder, or the home of a user that does not exist
        return text
    found = [name for name in found if not name.startswith(".") or begun.startswith(".")]
    return text.removesuffix(begun) + _common(found) if found else text


def _common(names: list[str]) -> str:
    """Returns the beginning that all names have in common."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


def _fits(path: Path, suffix: str | None) -> bool:
    return path.is_dir() or (suffix is not None and path.suffix == suffix)


def _name(path: Path) -> str:
    return f"{path.name}/" if path.is_dir() else path.name
