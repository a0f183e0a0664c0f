"""The panel "kitchen": the board, as large as there is room."""

from typing import ClassVar

from textual import events
from textual.geometry import Size, clamp
from textual.timer import Timer

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.kitchen import Layout, Scene
from bba.kitchen.layout import Position
from bba.kitchen.render.overlays import Overlay, Overlays, TileOutline, path_overlays
from bba.kitchen.render.painter import STILL, Offsets, Painter
from tui.widgets.letters import caption_labels, labels_of, mark_labels
from tui.widgets.pixels import Labels, PixelCanvas, RGBImage
from tui.widgets.tile_text import tile_words

SIZES = (24, 16, 12, 8, 7, 6, 4, 2, 1)  # tile edges in pixels, best first
FLICKER = 0.3  # seconds a frame of fire and smoke
CURSOR = (255, 255, 255)  # its frame, as RGB
CORNERS = 2  # cells that the frame's lower edge keeps beside its text


class KitchenView(PixelCanvas):
    """Shows moments of one layout; cooks slide half a tile on their way, fire flickers while the clock runs.

    A tile can be pointed at, with the mouse or with a cursor that keys move: it gets a frame, and its words stand in
    the lower edge of the panel.
    """

    TITLE: ClassVar[str] = "kitchen"
    ABOUT: ClassVar[str] = (
        "The board. Small rooms put letters over it: stations as in the maps, M Z R T for raw food, small letters "
        "for prepared food, o and letters for a plate, d for a dirty one, x charcoal, E the extinguisher. The plan is "
        "a line from each cook to the tile that its skill is aimed at. The mouse or the cursor names a tile."
    )

    def __init__(self, layout: Layout, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE)
        self.border_title = f"{self.TITLE}: {layout.name}"
        self.cursor = False
        self._layout = layout
        self._painter = self._painter_of(SIZES[-1])
        self._moment: Snapshot | None = None
        self._plan = False
        self._pointed: Position | None = None
        self._buffer: RGBImage | None = None
        self._drawn: tuple[Scene, Overlays] | None = None
        self._offsets = STILL
        self._frame = 0
        self._settling: Timer | None = None

    def on_mount(self) -> None:
        """Start the flicker, held until `play`."""
        self._flicker = self.set_interval(FLICKER, self._next_frame, pause=True)

    def fit(self, room: Size) -> Size:
        """Take the largest tiles that fit into `room` cells; returns the picture's size in cells."""
        size = tile_size(self._layout, room)
        if size != self._painter.size:
            self._painter = self._painter_of(size)
            self._buffer = None
            self._arrive()
        return Size(self._layout.width * size, (self._layout.height * size + 1) // 2)

    def show_snapshot(self, snapshot: Snapshot, slide: float = 0.0) -> None:
        """Show a moment. Cooks that moved one tile first appear half way and arrive after `slide` seconds."""
        before, self._moment = self._moment, snapshot
        self._arrive(_half_way(before.scene, snapshot.scene, self._painter.size) if slide and before else STILL)
        if self._offsets != STILL:
            self._settling = self.set_timer(slide, self._arrive)

    def play(self, playing: bool) -> None:
        """Let fire flicker, or hold it."""
        (self._flicker.resume if playing else self._flicker.pause)()

    # --- pointing things out -----------------------------------------------------------------------------------
    def toggle_plan(self) -> None:
        """Show where the cooks mean to go, or no longer."""
        self._plan = not self._plan
        self._paint()

    def toggle_cursor(self) -> None:
        """Point at the tile under the mouse, or else at the first cook's, with a cursor for the keys; or no longer."""
        self.cursor = not self.cursor
        here = self._moment.scene.players[0].position if self._moment else (0, 0)
        self._point((self._pointed or here) if self.cursor else None)

    def move_cursor(self, right: int, down: int) -> None:
        """Move the cursor by so many tiles, within the board."""
        if self._pointed is not None:
            x, y = self._pointed
            self._point((clamp(x + right, 0, self._layout.width - 1), clamp(y + down, 0, self._layout.height - 1)))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Point at the tile under the mouse; the cursor comes along."""
        cell = event.get_content_offset(self)
        tile = None if cell is None else self._tile_at(*(cell - self.origin))
        if tile is not None or not self.cursor:
            self._point(tile)

    def on_leave(self, event: events.Leave) -> None:
        """Point at nothing when the mouse has gone; a cursor stays."""
        if event.node is self and not self.cursor:
            self._point(None)

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002 - the room for the caption is what counts
        """Put the caption where there is room for it now."""
        self._paint()

    def _tile_at(self, column: int, row: int) -> Position | None:
        x, y = column // self._painter.size, 2 * row // self._painter.size
        return (x, y) if 0 <= x < self._layout.width and 0 <= y < self._layout.height else None

    def _point(self, tile: Position | None) -> None:
        if tile != self._pointed:
            self._pointed = tile
            self._paint()

    # --- painting ----------------------------------------------------------------------------------------------
    def _painter_of(self, size: int) -> Painter:
        return Painter(self._layout.rows, size, self._layout.pass_counters)

    def _next_frame(self) -> None:
        self._frame = 1 - self._frame
        if self._moment is not None and self._settling is None and _burns(self._moment.scene):
            self._paint()

    def _arrive(self, offsets: Offsets = STILL) -> None:
        """Paint the cooks so far from their places; whoever was still on the way is so no longer."""
        if self._settling is not None:
            self._settling.stop()
            self._settling = None
        self._offsets = offsets
        self._paint()

    def _paint(self) -> None:
        if self._moment is None:
            return
        scene, marks = self._moment.scene, marks_of(self._moment, self._plan, self._pointed)
        labels = {**self._letters(scene, marks), **self._write_caption(scene)}
        if self._buffer is None or self._drawn is None:
            self._buffer = self._painter.paint(scene, self._frame, self._offsets, marks)
            self.show(self._buffer, labels)
        else:
            previous, marked = self._drawn
            changed = self._painter.update(self._buffer, previous, scene, self._frame, self._offsets, marks, marked)
            self.show(self._buffer, labels, dirty=[self._painter.rectangle(tile) for tile in changed])
        self._drawn = scene, marks

    def _letters(self, scene: Scene, marks: Overlays) -> Labels:
        size = self._painter.size
        return mark_labels(labels_of(self._layout, scene, size), marks, size)

    def _write_caption(self, scene: Scene) -> Labels:
        """Name the tile that is pointed at in the lower edge; where there is none, as labels over the board's last row.

        Over the first row where the tile itself lies in the last.
        """
        framed, width = self.gutter.bottom > 0, self._layout.width * self._painter.size
        tile = self._pointed
        text = tile_words(self._layout, scene, tile, width - CORNERS * framed) if tile else ""
        self.show_subtitle(text if framed else "")
        if framed or tile is None:
            return {}
        last = (self._layout.height * self._painter.size + 1) // 2 - 1
        return caption_labels(text, width, 0 if tile[1] + 1 == self._layout.height else last)


def tile_size(layout: Layout, room: Size) -> int:
    """The largest tile edge in pixels at which the whole board fits into `room` cells; at least 1."""
    return next(
        (n for n in SIZES if layout.width * n <= room.width and (layout.height * n + 1) // 2 <= room.height), SIZES[-1]
    )


def marks_of(snapshot: Snapshot, plan: bool, pointed: Position | None) -> Overlays:
    """The plan if it is wanted, then the frame of the tile that is pointed at."""
    marks: dict[Position, tuple[Overlay, ...]] = {}
    for seat, route in enumerate(snapshot.routes if plan else ()):
        if route is not None:
            colour = palette.rgb(palette.DARK.cooks[seat])
            for tile, mark in path_overlays(seat, route, colour).items():
                marks[tile] = (*marks.get(tile, ()), mark)
    if pointed is not None:
        marks[pointed] = (*marks.get(pointed, ()), TileOutline(CURSOR))
    return marks


def _half_way(previous: Scene, scene: Scene, size: int) -> Offsets:
    """Where cooks that have just moved one tile are on their way; in place after a jump in time."""
    if scene.step != previous.step + 1:
        return STILL
    pairs = zip(previous.players, scene.players, strict=True)
    moves = [(b.position[0] - n.position[0], b.position[1] - n.position[1]) for b, n in pairs]
    (x0, y0), (x1, y1) = [(x, y) if abs(x) + abs(y) == 1 else (0, 0) for x, y in moves]
    half = size // 2
    return (x0 * half, y0 * half), (x1 * half, y1 * half)


def _burns(scene: Scene) -> bool:
    return any(item.state in ("warning", "burning") for item in scene.objects)
