"""Keys that people have chosen themselves: a table ``[keys]`` of actions by name, each with a key or a list of them."""

import string
from collections.abc import Iterable, Mapping

from bba.errors import BBAError
from human.keymap import DEFAULT, SITUATIONS, Key, Keymap

MOVES = ("left", "right", "up", "down", "home", "end", "pageup", "pagedown", "insert", "delete")
NAMED = ("space", "enter", "tab", "escape", "backspace", *MOVES, *(f"f{number}" for number in range(1, 13)))
# Control with h, i, j or m reaches a program as backspace, tab, line feed or enter.
CHORDS = (*(f"ctrl+{letter}" for letter in string.ascii_lowercase if letter not in "hijm"), "shift+tab")
SHIFTED = tuple(f"{held}+{move}" for held in ("shift", "ctrl", "ctrl+shift") for move in MOVES)
NAMES = frozenset((*NAMED, *CHORDS, *SHIFTED))
SPELT = {",": "comma", " ": "space"}  # keys that the table has by name
ALLOWED = "one character, or such as space, left, shift+left, f2, ctrl+s"


def remapped(table: object, where: str) -> Keymap:
    """The keys of all actions, with those that the table changes.

    Args:
        table: names of actions, each with a key (str) or a list of keys.
        where: the file, for the message.

    Raises:
        BBAError: not such a table, an unknown action, no such key, or a key that would do two things at once.
    """
    if not isinstance(table, Mapping):
        raise BBAError(f'{where}: keys: got {table!r}; it should be a table, as [keys] with pause = "x" below')
    changed = {str(name): _keys(name, wanted, where) for name, wanted in table.items()}
    keymap = {**DEFAULT, **changed}
    for situation, entries in SITUATIONS.items():
        _check_unique(keymap, entries, f"{where}: keys", situation)
    return keymap


def with_keys(entries: Iterable[Key], keymap: Keymap) -> tuple[Key, ...]:
    """Entries of the table with the keys that they have now."""
    return tuple(entry._replace(keys=keymap.get(entry.name, entry.keys)) for entry in entries)


def _keys(name: object, wanted: object, where: str) -> tuple[str, ...]:
    if name not in DEFAULT:
        raise BBAError(f"{where}: keys: {name}: no such action; there are {', '.join(sorted(DEFAULT))}")
    keys: list[str] = []
    for key in wanted if isinstance(wanted, list) and wanted else [wanted]:
        if not isinstance(key, str) or not _exists(key):
            raise BBAError(f"{where}: keys: {name}: got {key!r}; a key is {ALLOWED}")
        keys.append(SPELT.get(key, key))
    return tuple(dict.fromkeys(keys))


def _exists(key: str) -> bool:
    return (len(key) == 1 and key.isprintable()) or key in NAMES or key == "comma"


def _check_unique(keymap: Keymap, entries: Iterable[Key], where: str, situation: str) -> None:
    taken: dict[str, str] = {}
    for entry in entries:
        for key in keymap[entry.name]:
            if key in taken:
                raise BBAError(
                    f"{where}: {key} would be both {taken[key]} and {entry.name} {situation}; a key does one thing"
                )
            taken[key] = entry.name
