"""A still picture of a kitchen: before the first step, or as a game left it."""

import numpy as np
from textual import events
from textual.geometry import Size

from bba.kitchen import Kitchen, Layout
from bba.kitchen.render.painter import Painter
from bba.kitchen.scene import Scene
from tui.widgets.pixels import PixelCanvas
from tui.widgets.tile_text import labels_of

LARGEST = 24  # pixels a tile edge


class LayoutPicture(PixelCanvas):
    """Draws a kitchen as large as it fits; a still picture, which may use tile sizes that the moving one does not."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[Layout, Scene] | None = None

    def show_layout(self, layout: Layout) -> None:
        """Shows a layout before the first step."""
        subtitle = f"{layout.width}x{layout.height} tiles"
        self.show_scene(layout, Kitchen(layout, fast=False).scene(), f"kitchen: {layout.name}", subtitle)

    def show_scene(self, layout: Layout, scene: Scene, title: str, subtitle: str) -> None:
        """Shows a kitchen as it is in a scene."""
        self._shown = layout, scene
        self.border_title, self.border_subtitle = title, subtitle
        self._paint()

    def show_nothing(self) -> None:
        """Shows an empty box."""
        self._shown = None
        self.border_title = self.border_subtitle = ""
        self.show(np.zeros((0, 0, 3), np.uint8))

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002 - Textual's signature
        self._paint()

    def _paint(self) -> None:
        room = self.content_size
        if self._shown is None or not room.area:
            return
        layout, scene = self._shown
        size = largest_tile(layout, room)
        painter = Painter(layout.rows, size, layout.pass_counters)
        self.show(painter.paint(scene), labels_of(layout, scene, size))


def largest_tile(layout: Layout, room: Size) -> int:
    """Returns the largest tile edge in pixels (1 to 24) at which the layout fits into `room` cells; 1 if none does."""
    return max(1, min(LARGEST, room.width // layout.width, 2 * room.height // layout.height))
