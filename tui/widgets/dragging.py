"""Widgets that follow the mouse while its left button is down."""

from abc import abstractmethod

from textual import events
from textual.widget import Widget


class Draggable(Widget):
    """Calls `follow` when the left button goes down on the widget's content, and for every move until it goes up."""

    _dragging = False

    @abstractmethod
    def follow(self, event: events.MouseEvent) -> None:
        """Takes the position of the mouse, which may be outside the widget."""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1 and event.get_content_offset(self) is not None:
            self.capture_mouse()
            self._dragging = True
            self.follow(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self.follow(event)

    def on_mouse_up(self) -> None:
        if self._dragging:
            self._dragging = False
            self.release_mouse()
