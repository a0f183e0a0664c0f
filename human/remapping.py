"""Key maps: users change keys in a table ``[keys]`` of action names, each with a key or a list of keys."""

import string
from collections.abc import Iterable, Mapping

from bba.errors import BBAError, instead
from bba.kitchen import constants
from human.keymap import DEFAULT, LEFT_HAND, RIGHT_HAND, SITUATIONS, Key, Keymap

# The primitive actions of LEFT_HAND and RIGHT_HAND, in their order.
HAND_ACTIONS = (constants.NORTH, constants.SOUTH, constants.EAST, constants.WEST, constants.INTERACT)

MOVES = ("left", "right", "up", "down", "home", "end", "pageup", "pagedown", "insert", "delete")
NAMED_KEYS = ("space", "enter", "tab", "escape", "backspace", *MOVES, *(f"f{number}" for number in range(1, 13)))
# Control with h, i, j or m reaches a program as backspace, tab, line feed or enter.
CHORDS = (*(f"ctrl+{letter}" for letter in string.ascii_lowercase if letter not in "hijm"), "shift+tab")
SHIFTED_KEYS = tuple(f"{held}+{move}" for held in ("shift", "ctrl", "ctrl+shift") for move in MOVES)
KEY_NAMES = frozenset((*NAMED_KEYS, *CHORDS, *SHIFTED_KEYS, "comma"))
SPELT_KEYS = {",": "comma", " ": "space"}  # characters that the table of keys has by name
ALLOWED = "one character, or such as space, left, shift+left, f2, ctrl+s"


def remapped(table: object, where: str) -> Keymap:
    """Returns the keys of all actions, with the changes of the table.

    Args:
        table: action names, each with a key (str) or a list of keys.
        where: the file, for messages.

    Raises:
        BBAError: the table has another shape, an action or a key is unknown, or a key would have two meanings.
    """
    if not isinstance(table, Mapping):
        raise BBAError(f'{where}: keys: got {table!r}; it should be a table, as [keys] with pause = "x" below')
    changed = {str(name): _keys(name, wanted, where) for name, wanted in table.items()}
    keymap = {**DEFAULT, **changed}
    for situation, entries in SITUATIONS.items():
        taken: dict[str, str] = {}
        for entry in entries:
            for key in keymap[entry.name]:
                other = taken.setdefault(key, entry.name)
                if other != entry.name:
                    both = f"{key} would be both {other} and {entry.name} {situation}"
                    raise BBAError(f"{where}: keys: {both}; a key does one thing")
    return keymap


def with_keys(entries: Iterable[Key], keymap: Keymap) -> tuple[Key, ...]:
    """Returns the entries with their keys in this key map."""
    return tuple(entry._replace(keys=keymap.get(entry.name, entry.keys)) for entry in entries)


def movement_keys(people: tuple[int, ...], keymap: Keymap) -> dict[str, tuple[int, int]]:
    """Returns the seat and the primitive action of each movement key; one person alone has both hands' keys."""
    hands = ((LEFT_HAND, people[0]), (RIGHT_HAND, people[-1]))
    return {
        key: (seat, action)
        for hand, seat in hands
        for entry, action in zip(hand, HAND_ACTIONS, strict=True)
        for key in keymap[entry.name]
    }


def _keys(name: object, wanted: object, where: str) -> tuple[str, ...]:
    if name not in DEFAULT:
        raise BBAError(f"{where}: keys: {name}: no such action; {instead(str(name), DEFAULT)}; --list names all")
    keys: list[str] = []
    for key in wanted if isinstance(wanted, list) and wanted else [wanted]:
        if not isinstance(key, str) or not ((len(key) == 1 and key.isprintable()) or key in KEY_NAMES):
            raise BBAError(f"{where}: keys: {name}: got {key!r}; a key is {ALLOWED}")
        keys.append(SPELT_KEYS.get(key, key))
    return tuple(dict.fromkeys(keys))
