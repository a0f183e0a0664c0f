"""The questions for the file of a kitchen: where to save it, and which one to open."""

from pathlib import Path

from tui.design.kitchen_file import SUFFIX, KitchenFile, read_kitchen, writable_path
from tui.screens.dialogs import PathDialog, newest_first


def save_dialog(path: Path | None) -> PathDialog[Path]:
    """Returns a dialog that asks where to save; it begins with `path`."""
    return PathDialog(
        writable_path,
        [],
        title="save the kitchen",
        example=f"mine{SUFFIX}",
        unnamed="no file is named yet",
        action="Save",
        suffix=SUFFIX,
        value=str(path or ""),
    )


def open_dialog() -> PathDialog[tuple[Path, KitchenFile]]:
    """Returns a dialog that asks which kitchen to open; it offers the files in the working folder."""
    return PathDialog(
        lambda path: (path, read_kitchen(path)),
        [file.name for file in newest_first(Path(), f"*{SUFFIX}")],
        title="open a kitchen",
        example=f"mine{SUFFIX}",
        unnamed="no file is named yet",
        action="Open",
        suffix=SUFFIX,
    )
