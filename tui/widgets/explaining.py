"""Tooltips: under the mouse, the terms of a line are explained."""

from collections.abc import Iterable

from textual import events
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.glossary import explained


class Explaining(Widget):
    """A widget whose tooltip explains the terms of the line under the mouse."""

    _explanation = ""

    def words_at(self, row: int) -> str:  # noqa: ARG002 - for widgets whose content has rows
        """Returns the text of a row of the content; of its title above that."""
        return ""

    def words_under(self, event: events.MouseMove) -> str:
        """Returns the text under the mouse."""
        return self.words_at(event.y - self.gutter.top)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Sets the tooltip to what the terms under the mouse mean; to none where there are none."""
        meaning = explained(self.words_under(event))
        if meaning != self._explanation:
            self._explanation = meaning
            self.tooltip = Content(meaning) if meaning else None


class ExplainedLines(Static, Explaining):
    """Lines of text, none of which is wrapped, with tooltips.

    Args:
        lines: the lines.
    """

    def __init__(self, lines: Iterable[Content]) -> None:
        self._lines = tuple(lines)
        super().__init__(Content("\n").join(self._lines))

    def words_at(self, row: int) -> str:
        """Returns a line; nothing outside of them."""
        return self._lines[row].plain if 0 <= row < len(self._lines) else ""
