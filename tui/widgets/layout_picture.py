"""The panel "layout": a kitchen before the first step."""

from textual import events
from textual.geometry import Size

from bba.kitchen import Kitchen, Layout
from bba.kitchen.render.painter import Painter
from tui.widgets.pixels import PixelCanvas
from tui.widgets.tile_text import labels_of

LARGEST = 24  # pixels a tile edge


class LayoutPicture(PixelCanvas):
    """Draws a layout as large as it fits; a still picture, which may use tile sizes that the moving one does not."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._layout: Layout | None = None

    def show_layout(self, layout: Layout) -> None:
        """Shows a layout."""
        self._layout = layout
        self.border_title = f"kitchen: {layout.name}"
        self.border_subtitle = f"{layout.width}x{layout.height} tiles"
        self._paint()

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002 - Textual's signature
        self._paint()

    def _paint(self) -> None:
        layout, room = self._layout, self.content_size
        if layout is None or not room.area:
            return
        size = largest_tile(layout, room)
        scene = Kitchen(layout, fast=False).scene()
        painter = Painter(layout.rows, size, layout.pass_counters)
        self.show(painter.paint(scene), labels_of(layout, scene, size))


def largest_tile(layout: Layout, room: Size) -> int:
    """Returns the largest tile edge in pixels (1 to 24) at which the layout fits into `room` cells; 1 if none does."""
    return max(1, min(LARGEST, room.width // layout.width, 2 * room.height // layout.height))
