"""Tooltips: under the mouse, the terms of a line are explained."""

from textual import events
from textual.content import Content
from textual.widget import Widget

from tui.glossary import explained


class Explaining(Widget):
    """A widget whose tooltip explains the terms of the line under the mouse."""

    _explanation = ""

    def words_at(self, row: int) -> str:
        """Returns the text of a row of the content; of its title above that."""
        raise NotImplementedError

    def words_under(self, event: events.MouseMove) -> str:
        """Returns the text under the mouse."""
        return self.words_at(event.y - self.gutter.top)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Sets the tooltip to what the terms under the mouse mean; to none where there are none."""
        meaning = explained(self.words_under(event))
        if meaning != self._explanation:
            self._explanation = meaning
            self.tooltip = Content(meaning) if meaning else None
