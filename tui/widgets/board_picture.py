"""What the board's picture is made from: tile sizes, what lies over tiles, cooks between two; and a still picture."""

import numpy as np
from textual import events
from textual.geometry import Size

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.kitchen import Kitchen, Layout, Scene
from bba.kitchen.layout import Position
from bba.kitchen.render.painter import STILL, Offsets, Overlay, Overlays, Painter, TileOutline, path_overlays
from tui.widgets.pixels import PixelCanvas
from tui.widgets.tile_text import labels_of

SIZES = (24, 16, 12, 8, 6, 4, 2, 1)  # tile edges in pixels, best first: even, so that no cell has two tiles
CURSOR = (255, 255, 255)  # colour of its frame, RGB
TARGET = (255, 214, 64)  # colour of the frame of the tile to go to, RGB


def tile_size(layout: Layout, room: Size) -> int:
    """Returns the largest tile edge in pixels at which the whole board fits into `room` cells; at least 1."""
    sizes = ((size, picture_size(layout, size)) for size in SIZES)
    return next((n for n, board in sizes if board.width <= room.width and board.height <= room.height), SIZES[-1])


def picture_size(layout: Layout, tile: int) -> Size:
    """Returns the size in cells of the board with tiles of so many pixels."""
    return Size(layout.width * tile, (layout.height * tile + 1) // 2)


def overlays_of(snapshot: Snapshot, plan: bool, pointed: Position | None, target: Position | None = None) -> Overlays:
    """Returns the planned paths if `plan`, then the frames of the tile to go to and of the one that is pointed at."""
    overlays: dict[Position, tuple[Overlay, ...]] = {}
    for seat, route in enumerate(snapshot.routes if plan else ()):
        if route is not None:
            colour = palette.rgb(palette.DARK.cooks[seat])
            for tile, overlay in path_overlays(seat, route, colour).items():
                overlays[tile] = (*overlays.get(tile, ()), overlay)
    for framed, frame in ((target, TARGET), (pointed, CURSOR)):
        if framed is not None:
            overlays[framed] = (*overlays.get(framed, ()), TileOutline(frame))
    return overlays


def half_way(previous: Scene, scene: Scene, size: int) -> Offsets:
    """Returns the offsets of cooks that have just moved by one tile; none after a jump in time."""
    if scene.step != previous.step + 1:
        return STILL
    pairs = zip(previous.players, scene.players, strict=True)
    moves = [(b.position[0] - n.position[0], b.position[1] - n.position[1]) for b, n in pairs]
    (x0, y0), (x1, y1) = [(x, y) if abs(x) + abs(y) == 1 else (0, 0) for x, y in moves]
    half = size // 2
    return (x0 * half, y0 * half), (x1 * half, y1 * half)


def burns(scene: Scene) -> bool:
    """Whether something smokes or is on fire, which is animated."""
    return any(item.state in ("warning", "burning") for item in scene.objects)


LARGEST_TILE = 24  # pixels a tile edge


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
        size = max(1, min(LARGEST_TILE, room.width // layout.width, 2 * room.height // layout.height))
        self.show(Painter(layout.rows, size, layout.pass_counters).paint(scene), labels_of(layout, scene, size))
