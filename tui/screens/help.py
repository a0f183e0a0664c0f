"""The help: every key, and what every panel shows."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from human.keymap import APP_KEYS, BACK_KEYS, CHOICE_KEYS, START_KEYS, WATCH_KEYS, Key
from tui import palette
from tui.bindings import shown
from tui.screens.watch import PANELS
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import line
from tui.widgets.timeline import Timeline

KEYS, NAMES = 14, 12  # cells of the first column


class HelpScreen(ModalScreen[None]):
    """Lies over the screen until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "close")]

    def compose(self) -> ComposeResult:
        """Keys, then panels."""
        with VerticalScroll(id="help") as box:
            box.border_title = "help"
            box.border_subtitle = "esc closes"
            yield Static(keys((*WATCH_KEYS, *APP_KEYS, *BACK_KEYS)), classes="keys")
            for panel in (KitchenView, Timeline, *PANELS):
                yield Static(line((panel.TITLE.ljust(NAMES), f"bold {palette.GOOD}")), classes="name")
                yield Static(Content(panel.ABOUT), classes="about")
            yield Static(line(("on the start screen", f"bold {palette.GOOD}")), classes="name")
            yield Static(keys((*START_KEYS, *CHOICE_KEYS)), classes="keys")


def keys(entries: Iterable[Key]) -> Content:
    """A table of keys, one line each."""
    return Content("\n").join(
        line(
            (" ".join(shown(key) for key in entry.keys).ljust(KEYS), f"bold {palette.WARN}"),
            (entry.description, palette.TEXT),
        )
        for entry in entries
    )
