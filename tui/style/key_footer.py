"""The footer: the keys of the screen in a line, whole ones only."""

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

# Actions that make way where not all keys fit, the first one first. Then others do, from the last on; but never these:
FIRST_OUT = ("faster", "plan", "truth", "command_palette", "jump('replan', True)")
KEPT = ("help", "quit", "to_start", "go_back", "surrender", "back", "leave_design")
SPACES = 3  # cells around a key and its label


class KeyFooter(Footer):
    """A footer that leaves out the keys for which there is no room; help names them all."""

    _composed: list[tuple[Binding, bool, str]] | None = None  # what the keys in it are made of

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)

    def bindings_changed(self, screen: Screen[Any]) -> None:
        """Makes the keys anew if they are others; Textual asks for that whenever the focus moves, twice."""
        if self._composed != _footer_bindings(screen):
            super().bindings_changed(screen)

    def compose(self) -> ComposeResult:
        """Yields all keys, some of them hidden."""
        if self._bindings_ready:
            self._composed = _footer_bindings(self.screen)
        keys = [key for key in super().compose() if isinstance(key, FooterKey)]
        _show_fitting(keys, self.app.size.width)
        for key in keys:  # told so only later, keys compute their styles twice more: a quarter of all styles
            key.set_reactive(FooterKey.compact, self.compact)
        yield from keys

    def on_resize(self, event: events.Resize) -> None:
        """Hides more keys, or fewer."""
        _show_fitting(list(self.query(FooterKey)), event.size.width)


def _footer_bindings(screen: Screen[Any]) -> list[tuple[Binding, bool, str]]:
    """Returns all that a footer shows of a screen's keys."""
    active = screen.active_bindings.values()
    return [(one.binding, one.enabled, one.tooltip) for one in active if one.binding.show]


def _show_fitting(keys: Sequence[FooterKey], width: int) -> None:
    hidden = left_out(
        [(key.action, cell_len(key.key_display) + cell_len(key.description) + SPACES) for key in keys], width
    )
    for key in keys:
        key.display = key.action not in hidden


def left_out(keys: Sequence[tuple[str, int]], width: int) -> set[str]:
    """Returns the actions, given with the cells that they take, that have to be left out of so many cells."""
    cells = dict(keys)
    first = [action for action in FIRST_OUT if action in cells]
    others = [action for action, _ in reversed(keys) if action not in (*FIRST_OUT, *KEPT)]
    hidden: set[str] = set()
    for action in (*first, *others):
        if sum(cells.values()) - sum(cells[one] for one in hidden) <= width:
            break
        hidden.add(action)
    return hidden
