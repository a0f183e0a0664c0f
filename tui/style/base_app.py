"""What every app of this project wears: the themes, and the keys as people have them."""

from textual.app import App

from bba.palette import DARK, variables
from human.keymap import DEFAULT, ENTRIES, TYPING_KEYS, Keymap
from human.remapping import with_keys
from tui.style.themes import PALETTES, theme_of


class BaseApp(App[None]):
    """An app that is yet to begin.

    Args:
        theme: "dark", "light" or "contrast" to begin with.
        keymap: the keys of every action.
    """

    def __init__(self, *, theme: str, keymap: Keymap) -> None:
        super().__init__()
        self._first_theme, self.keymap = theme, keymap

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What the style sheet finds until a theme is on."""
        return variables(DARK)

    def dress(self) -> None:
        """Take theme and keys; for when the app is mounted."""
        for name, palette in PALETTES.items():
            self.register_theme(theme_of(name, palette))
        self.theme = self._first_theme
        if self.keymap != DEFAULT:  # where it is, Textual need not replace it by itself at every key
            entries = with_keys((*ENTRIES.values(), *TYPING_KEYS), self.keymap)  # all: Textual moves whole keys
            self.set_keymap({entry.name: ",".join(entry.keys) for entry in entries})
