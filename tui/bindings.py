"""Textual's bindings, made from the one table of keys."""

from collections.abc import Iterable

from textual.binding import Binding, BindingType

from human.keymap import Key

ARROWS = {"right": "→", "left": "←", "up": "↑", "down": "↓"}
SHIFTED = {f"shift+{key}": f"⇧{arrow}" for key, arrow in ARROWS.items()}
SHOWN = {"space": "space", "escape": "esc", "comma": ",", **ARROWS, **SHIFTED}


def bindings(table: Iterable[Key], *, priority: bool = True) -> list[BindingType]:
    """A binding for every key; with priority, so that no focused log takes it. The footer shows each first key.

    Without priority, whatever has the focus comes first: a form's fields take the letters that are typed.
    """
    return [
        Binding(
            key,
            entry.action,
            entry.label or entry.description,
            show=bool(entry.label) and key == entry.keys[0],
            key_display=shown(key),
            priority=priority,
        )
        for entry in table
        for key in entry.keys
    ]


def shown(key: str) -> str:
    """How a key is written for people."""
    return SHOWN.get(key, key.replace("ctrl+", "^").upper() if len(key) > 1 else key)
