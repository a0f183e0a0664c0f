"""What the start screen offers first: watch, play, learn, recordings, results, design, each with what it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from bba import palette
from tui.style.base_app import shown
from tui.widgets.panel import line

NAME = 12  # cells of a choice's name
About = tuple[str, str]

# action: name, and two lines of what it is
CHOICES: Mapping[str, tuple[str, About]] = MappingProxyType(
    {
        "watch": ("Watch", ("two agents cook; see what", "one believes of the other")),
        "play": ("Play", ("cook with an agent, which", "infers what you are up to")),
        "learn": ("Learn", ("make one burrito, and see", "yourself believed (3 min)")),
        "replay": ("Recordings", ("the games that you played", "or recorded, to watch")),
        "results": ("Results", ("benchmarks: their tables", "and games, to browse")),
        "design": ("Design", ("draw a kitchen, and see", "what it asks of two cooks")),
    }
)
WITH_FILES = ("replay", "results", "design")  # not for a visitor in the browser, who may not use files here


class FirstChoice(Static, can_focus=True):
    """One choice: its key, its name, and two lines of what it is. Enter, space or a click take it.

    Args:
        action: an entry of `CHOICES`; also the widget's id.
        key: the key that takes it from anywhere on the screen, by its name in the keymap.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "take", "go")]

    @dataclass
    class Taken(Message):
        """Somebody took a choice."""

        action: str

    def __init__(self, action: str, key: str) -> None:
        name, about = CHOICES[action]
        self._action, self._key, self._heading = action, shown(key), name
        super().__init__(self._written(about), id=action)

    def describe(self, first: str, second: str) -> None:
        """Replaces the two lines of what it is."""
        self.update(self._written((first, second)))

    def on_click(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        self.post_message(self.Taken(self._action))

    def _written(self, about: About) -> Content:
        key, indent = f" {self._key} ", " " * (len(self._key) + 2 + NAME)
        return line(
            (key, f"bold {palette.WARN}"),
            (f"{self._heading:{NAME}}", f"bold {palette.TEXT}"),
            f"{about[0]}\n{indent}{about[1]}",
        )
