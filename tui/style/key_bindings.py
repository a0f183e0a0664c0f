"""Textual's bindings, made from the one table of keys."""

from collections.abc import Iterable

from textual.binding import Binding, BindingType
from textual.keys import REPLACED_KEYS, key_to_character

from human.keymap import Key

ARROWS = {"right": "→", "left": "←", "up": "↑", "down": "↓"}
SHIFTED = {f"shift+{key}": f"⇧{arrow}" for key, arrow in ARROWS.items()}
SHOWN = {"space": "space", "escape": "esc", "comma": ",", **ARROWS, **SHIFTED}


def bindings(table: Iterable[Key], *, priority: bool = True) -> list[BindingType]:
    """Returns a binding for every key of a table; the footer shows the first key of each entry.

    With priority a binding comes before those of the focused widget; without it the focused widget comes first, so that
    the fields of a form take the letters that are typed.
    """
    return [
        Binding(
            key,
            entry.action,
            entry.label or entry.description,
            show=bool(entry.label) and key == entry.keys[0],
            key_display=shown(key),
            priority=priority,
            id=entry.name,
        )
        for entry in table
        for key in entry.keys
    ]


def shown(key: str) -> str:
    """Returns how a key is written for people, given its name in the table or in Textual."""
    if key in SHOWN:
        return SHOWN[key]
    char = key_to_character(REPLACED_KEYS.get(key, key))
    return char if char and char.isprintable() else key.replace("ctrl+", "^").upper()
