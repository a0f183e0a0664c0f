"""The base class of every app here: themes and key bindings."""

from pathlib import Path, PurePath
from typing import ClassVar

from textual.app import App
from textual.binding import Binding

from bba.palette import DARK, variables
from human.keymap import DEFAULT, ENTRIES, TYPING_KEYS, Keymap
from human.remapping import with_keys
from tui.style.key_bindings import shown
from tui.style.themes import PALETTES, theme_of

STYLE_SHEET = Path(__file__).with_name("bba.tcss")


class BaseApp(App[None]):
    """An app with this project's themes, style sheet and keys.

    Args:
        theme: "dark", "light" or "contrast" at first.
        keymap: the keys of every action.
    """

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = STYLE_SHEET
    TITLE = "bba-tui"

    def __init__(self, *, theme: str = "dark", keymap: Keymap = DEFAULT) -> None:
        super().__init__()
        self._first_theme, self.keymap = theme, keymap

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Returns the style sheet's variables until a theme is set."""
        return variables(DARK)

    def get_key_display(self, binding: Binding) -> str:
        """Returns how the footer writes a key; of several keys for one action, the first."""
        keys = self.keymap.get(binding.id or "", (binding.key,))
        return shown(keys[0])

    def apply_theme_and_keys(self) -> None:
        """Sets the first theme and the keys; called when the app is mounted."""
        for name, palette in PALETTES.items():
            self.register_theme(theme_of(name, palette))
        self.theme = self._first_theme
        if self.keymap != DEFAULT:  # the default keymap need not be set, which spares Textual a look-up at every key
            entries = with_keys((*ENTRIES.values(), *TYPING_KEYS), self.keymap)  # all: Textual moves whole keys
            self.set_keymap({entry.name: ",".join(entry.keys) for entry in entries})

    def choose_theme(self, name: str) -> None:
        """Changes the theme because somebody asked for it."""
        self.theme = name
