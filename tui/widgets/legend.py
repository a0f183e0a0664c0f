"""What the tiles of a kitchen look like: a picture of each with its name and its use."""

from typing import NamedTuple

import numpy as np
from rich.style import Style

from bba.kitchen import ObjectView, Scene
from bba.kitchen.render.painter import Painter
from bba.kitchen.scene import PlayerView
from tui.style.base_app import palette_of
from tui.widgets.half_blocks import RGBImage
from tui.widgets.pixels import PixelCanvas

SIZE, COLUMNS = 8, 3  # pixels of a tile's edge, and tiles beside each other
WIDTH, ROWS = 24, 5  # cells of a tile with its words, across and down
INDENT = SIZE + 1  # cells before the words
HERE = (0, 0)


class LegendEntry(NamedTuple):
    """One tile: its character in a layout, what lies on it, its name, and its use in two or three words."""

    char: str
    item: ObjectView | None
    name: str
    use: str


def _cooking(stage: str, progress: int) -> ObjectView:
    return ObjectView("chopped_steak", HERE, "grill", stage, progress, 80)


LEGEND = (
    LegendEntry("M", None, "meat (M)", "take, chop, fry"),
    LegendEntry("Z", None, "mushroom (Z)", "take, chop, fry"),
    LegendEntry("R", None, "rice (R)", "take, boil"),
    LegendEntry("T", None, "tortilla (T)", "take, or wrap"),
    LegendEntry("B", None, "board (B)", "chops: 2 times"),
    LegendEntry("G", None, "grill (G)", "fries by itself"),
    LegendEntry("P", None, "pot (P)", "boils by itself"),
    LegendEntry("D", None, "dirty plates", "(D) take one"),
    LegendEntry("W", None, "sink (W)", "rinses: 3 times"),
    LegendEntry("S", None, "window (S)", "serves burritos"),
    LegendEntry("U", None, "trash (U)", "throws away"),
    LegendEntry("X", ObjectView("steak_burrito", HERE, "counter"), "counter (X)", "holds one thing"),
    LegendEntry("G", _cooking("cooking", 30), "cooking", "blue: wait"),
    LegendEntry("G", _cooking("ready", 100), "ready", "✓ green: take it"),
    LegendEntry("G", _cooking("warning", 200), "about to burn", "! smoke: hurry"),
    LegendEntry("G", _cooking("burning", 240), "on fire", "✶ put it out"),
    LegendEntry("X", ObjectView("fire_ext", HERE, "counter"), "extinguisher", "(E) for fire"),
    LegendEntry("G", ObjectView("charcoal", HERE, "grill"), "charcoal (x)", "take, trash"),
)


class Legend(PixelCanvas):
    """The entries in rows, in the colours of the theme."""

    def on_mount(self) -> None:
        self.styles.height = ROWS * -(-len(LEGEND) // COLUMNS)
        self.styles.width = WIDTH * COLUMNS
        self._draw()

    def notify_style_update(self) -> None:
        """Redraws in the colours of another theme."""
        super().notify_style_update()
        self._draw()

    def _draw(self) -> None:
        theme = palette_of(self.app)
        height = 2 * ROWS * -(-len(LEGEND) // COLUMNS)
        picture: RGBImage = np.empty((height, WIDTH * COLUMNS, 3), np.uint8)
        picture[:] = np.frombuffer(bytes.fromhex(theme.panel.removeprefix("#")), np.uint8)
        labels: dict[tuple[int, int], tuple[str, Style]] = {}
        for number, entry in enumerate(LEGEND):
            top, left = ROWS * (number // COLUMNS), WIDTH * (number % COLUMNS)
            picture[2 * top : 2 * top + SIZE, left : left + SIZE] = tile_picture(entry)
            for row, (text, colour) in enumerate(((entry.name, theme.text), (entry.use, theme.dim)), start=1):
                for column, char in enumerate(text):
                    labels[left + INDENT + column, top + row] = char, Style.parse(colour)
        self.show(picture, labels)


def tile_picture(entry: LegendEntry) -> RGBImage:
    """Returns one tile as the board shows it: uint8 array (8, 8, 3)."""
    nobody = PlayerView((-1, -1), "south", None)  # outside of the picture
    items = () if entry.item is None else (entry.item,)
    scene = Scene("legend", 0, 0, 0, 0, 2, (nobody, nobody), items, ())
    return Painter((entry.char,), SIZE).paint(scene)
