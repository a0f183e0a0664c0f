"""The help: every key, and what each panel shows."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from bba import palette
from human.keymap import (
    APP_KEYS,
    BACK_KEYS,
    CHOICE_KEYS,
    COMPARISON_KEYS,
    CURSOR_KEYS,
    FILTER_KEYS,
    MODEL_CALL_KEYS,
    RESULTS_KEYS,
    START_KEYS,
    TABLE_KEYS,
    TUNING_KEYS,
    WATCH_KEYS,
    Key,
    Keymap,
)
from human.remapping import with_keys
from tui.screens.side_panels import PANELS
from tui.screens.watch import WatchScreen
from tui.style.base_app import bindings, shown
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import line, titled
from tui.widgets.timeline import Timeline, TwinTimeline
from tui.widgets.tuning import TuningPanel

KEYS, NAMES = 14, 12  # cells of the first column


class HelpScreen(ModalScreen[None]):
    """Lists keys and panels over the current screen.

    Args:
        keymap: the keys of every action.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        *bindings(entry for entry in WATCH_KEYS if entry.name == "tour"),
    ]

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap

    def compose(self) -> ComposeResult:
        with titled(VerticalScroll(id="help"), "help", "esc closes"):
            yield Static(self._keys(*WATCH_KEYS, *CURSOR_KEYS, *APP_KEYS, *BACK_KEYS), classes="keys")
            yield Static(self._keys(*TUNING_KEYS), classes="keys")
            yield Static(line(("over the planner's questions", f"bold {palette.GOOD}")), classes="name")
            yield Static(self._keys(*MODEL_CALL_KEYS), classes="keys")
            yield Static(line(("beside a fork: what if", f"bold {palette.GOOD}")), classes="name")
            yield Static(Content(TwinTimeline.ABOUT), classes="about")
            yield Static(self._keys(*COMPARISON_KEYS), classes="keys")
            for panel in (KitchenView, Timeline, *PANELS, TuningPanel):
                yield Static(line((panel.TITLE.ljust(NAMES), f"bold {palette.GOOD}")), classes="name")
                yield Static(Content(panel.ABOUT), classes="about")
            yield Static(line(("on the start screen", f"bold {palette.GOOD}")), classes="name")
            yield Static(self._keys(*START_KEYS, *CHOICE_KEYS), classes="keys")
            yield Static(line(("among results", f"bold {palette.GOOD}")), classes="name")
            yield Static(self._keys(*TABLE_KEYS, *RESULTS_KEYS, *FILTER_KEYS), classes="keys")

    def action_tour(self) -> None:
        """Closes the help and starts the tour of the watch screen below, if there is one."""
        below = self.app.screen_stack[-2]
        if isinstance(below, WatchScreen):
            self.dismiss()
            self.app.call_later(below.action_tour)

    def _keys(self, *entries: Key) -> Content:
        """Returns a table of keys, one line each."""
        return Content("\n").join(
            line(
                (" ".join(shown(key) for key in entry.keys).ljust(KEYS), f"bold {palette.WARN}"),
                (entry.description, palette.TEXT),
            )
            for entry in with_keys(entries, self._keymap)
        )
