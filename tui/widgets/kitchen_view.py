"""The panel "kitchen": the board, as large as there is room."""

from collections.abc import Iterator
from typing import ClassVar

from rich.style import Style
from textual.geometry import Size
from textual.timer import Timer

from bba.kitchen import Layout, Scene
from bba.kitchen.painter import STILL, Offsets, Painter
from tui import palette
from tui.widgets.pixels import Labels, Picture, PixelCanvas

SIZES = (24, 16, 12, 8, 7, 6, 4, 2, 1)  # tile edges in pixels, best first
LETTERED = (2, 4, 6)  # at these sizes the art is too coarse to tell food apart: letters lie over it
FLICKER = 0.3  # seconds a frame of fire and smoke

_ITEM = Style.parse("bold #ffffff on #1c2029")
_STATION = Style.parse("#f0dcb8 on #4a3826")
_COOKS = tuple(Style.parse(f"bold {palette.BACKGROUND} on {colour}") for colour in palette.COOK_COLOURS)
_COOKED = {"chopped_steak": "s", "fried_mushroom": "z", "boiled_rice": "r", "tortilla": "t"}
_WHOLE = {
    "meat": "M",
    "mushroom": "Z",
    "rice": "R",
    "tortilla": "T",
    "chopped_meat": "m",
    "chopped_mushroom": "z",
    "dirty_plate": "d",
    "clean_plate": "o",
    "charcoal": "x",
    "fire_ext": "E",
    "steak_burrito": "osrt",
    "mushroom_burrito": "ozrt",
} | _COOKED


class KitchenView(PixelCanvas):
    """Paints scenes of one layout; cooks slide half a tile on their way, fire flickers while the clock runs."""

    TITLE: ClassVar[str] = "kitchen"
    ABOUT: ClassVar[str] = (
        "The board. Small rooms put letters over it: stations as in the maps, M Z R T for raw food, small letters "
        "for prepared food, o and letters for a plate, d for a dirty one, x charcoal, E the extinguisher."
    )

    def __init__(self, layout: Layout, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE)
        self.border_title = f"{self.TITLE}: {layout.name}"
        self._layout = layout
        self._painter = self._painter_of(SIZES[-1])
        self._buffer: Picture | None = None
        self._scene: Scene | None = None
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
            if self._scene is not None:
                self._paint(self._scene, STILL)
        return Size(self._layout.width * size, (self._layout.height * size + 1) // 2)

    def show_scene(self, scene: Scene, slide: float = 0.0) -> None:
        """Show a scene. Cooks that moved one tile first appear half way and arrive after `slide` seconds."""
        if self._settling is not None:
            self._settling.stop()
            self._settling = None
        offsets = _half_way(self._scene, scene, self._painter.size) if slide else STILL
        self._paint(scene, offsets)
        if offsets != STILL:
            self._settling = self.set_timer(slide, lambda: self._paint(scene, STILL))

    def play(self, playing: bool) -> None:
        """Let fire flicker, or hold it."""
        (self._flicker.resume if playing else self._flicker.pause)()

    def _painter_of(self, size: int) -> Painter:
        return Painter(self._layout.rows, size, self._layout.pass_counters)

    def _next_frame(self) -> None:
        self._frame = 1 - self._frame
        if self._scene is not None and self._settling is None and _burns(self._scene):
            self._paint(self._scene, STILL)

    def _paint(self, scene: Scene, offsets: Offsets) -> None:
        previous, self._scene = self._scene, scene
        labels = labels_of(self._layout, scene, self._painter.size)
        if self._buffer is None or previous is None:
            self._buffer = self._painter.paint(scene, self._frame, offsets)
            self.show(self._buffer, labels)
            return
        changed = self._painter.update(self._buffer, previous, scene, self._frame, offsets)
        self.show(self._buffer, labels, dirty=[self._painter.rectangle(tile) for tile in changed])


def tile_size(layout: Layout, room: Size) -> int:
    """The largest tile edge in pixels at which the whole board fits into `room` cells; at least 1."""
    return next(
        (n for n in SIZES if layout.width * n <= room.width and (layout.height * n + 1) // 2 <= room.height), SIZES[-1]
    )


def _half_way(previous: Scene | None, scene: Scene, size: int) -> Offsets:
    """Where cooks that have just moved one tile are on their way; in place after a jump in time."""
    if previous is None or scene.step != previous.step + 1:
        return STILL
    pairs = zip(previous.players, scene.players, strict=True)
    moves = [(b.position[0] - n.position[0], b.position[1] - n.position[1]) for b, n in pairs]
    (x0, y0), (x1, y1) = [(x, y) if abs(x) + abs(y) == 1 else (0, 0) for x, y in moves]
    half = size // 2
    return (x0 * half, y0 * half), (x1 * half, y1 * half)


def _burns(scene: Scene) -> bool:
    return any(item.state in ("warning", "burning") for item in scene.objects)


def labels_of(layout: Layout, scene: Scene, size: int) -> Labels:
    """Letters over the board where the tiles are small; none where they are large or only a pixel or two."""
    if size not in LETTERED:
        return {}
    labels = {}
    for (x, y), text, style, row in _letters(layout, scene):
        top, left = y * size // 2 + (row if size > 2 else 0), x * size + max(0, (size - len(text)) // 2)
        for column, char in enumerate(text[:size]):
            labels[left + column, top] = char, style
    return labels


def _letters(layout: Layout, scene: Scene) -> Iterator[tuple[tuple[int, int], str, Style, int]]:
    """Each label's tile, text, style and row within the tile; later ones lie over earlier ones."""
    for position, char in layout.tiles():
        if char not in " X12":
            yield position, char, _STATION, 0
    for item in scene.objects:
        yield item.position, abbreviation(item.name), _ITEM, 0 if item.tile == "counter" else 1
    for seat, player in enumerate(scene.players):
        yield player.position, str(seat + 1), _COOKS[seat], 0
        if player.held:
            yield player.position, abbreviation(player.held), _ITEM, 1


def abbreviation(name: str) -> str:
    """An item in at most four letters: raw food large, prepared food small, a plate as o and what lies on it."""
    if name in _WHOLE:
        return _WHOLE[name]
    return "o" + "".join(_COOKED[part] for part in name.removesuffix("-plate").split("-"))
