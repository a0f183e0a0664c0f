"""Folders of kitchens that are plug-ins: `mine:KITCHENS/attic` is the file attic.toml in the folder mine:KITCHENS."""

from pathlib import Path

from bba.errors import BBAError, instead
from bba.plugins.calls import called
from bba.plugins.loading import load_plugin
from bba.plugins.names import is_plugin_name


def plugin_layout(name: str) -> Path | None:
    """Returns the file of a kitchen in a plug-in's folder; None if the name is of another form.

    Raises:
        BBAError: there is no such plug-in, it names no folder, or the folder has no such kitchen.
    """
    own, slash, kitchen = name.rpartition("/")
    if not slash or name.endswith(".toml") or not is_plugin_name("layouts", own):
        return None
    target = load_plugin("layouts", own).target
    found = called(own, target) if callable(target) else target
    if not isinstance(found, str | Path) or not Path(found).is_dir():
        raise BBAError(f"{own}: layouts are a folder that there is, as text or Path, or a function that returns it")
    known = sorted(file.stem for file in Path(found).glob("*.toml"))
    if kitchen not in known:
        raise BBAError(f"{own}: no kitchen named {kitchen!r}; {instead(kitchen, known) if known else 'it is empty'}")
    return Path(found) / f"{kitchen}.toml"
