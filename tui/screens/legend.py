"""The legend of the help: every tile of a kitchen as a picture, with its name and its use."""

import math
from typing import NamedTuple

import numpy as np
from rich.style import Style

from bba import palette
from bba.kitchen import ObjectView, PlayerView, Scene
from bba.kitchen.render.painter import Painter
from tui.style import palette_of
from tui.widgets import (
    PixelCanvas,
    RGBImage,
    written,
)

SIZE = 8  # pixels of a tile's edge
COLUMNS = 3  # tiles beside each other
WIDTH = 24  # cells of a tile with its text, across
ROWS = 5  # cells of a tile with its text, down
INDENT = SIZE + 1  # cells before the text
POSITION = (0, 0)  # of what lies on a tile, in its picture


class LegendEntry(NamedTuple):
    """One tile: its character in a layout, what lies on it, its name, and its use in two or three words."""

    char: str
    item: ObjectView | None
    name: str
    use: str


def _cooking(stage: str, progress: int) -> ObjectView:
    return ObjectView("chopped_steak", POSITION, "grill", stage, progress, 80)


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
    LegendEntry("X", ObjectView("steak_burrito", POSITION, "counter"), "counter (X)", "holds one thing"),
    LegendEntry("G", _cooking("cooking", 30), "cooking", "blue: wait"),
    LegendEntry("G", _cooking("ready", 100), "ready", "✓ green: take it"),
    LegendEntry("G", _cooking("warning", 200), "about to burn", "! smoke: hurry"),
    LegendEntry("G", _cooking("burning", 240), "on fire", "✶ put it out"),
    LegendEntry("X", ObjectView("fire_ext", POSITION, "counter"), "extinguisher", "(E) for fire"),
    LegendEntry("G", ObjectView("charcoal", POSITION, "grill"), "charcoal (x)", "take, trash"),
)


class Legend(PixelCanvas):
    """The entries in rows, in the colours of the theme."""

    def _paint(self) -> None:
        theme = palette_of(self.app)
        name_style = Style.parse(theme.text)
        use_style = Style.parse(theme.dim)
        rows = math.ceil(len(LEGEND) / COLUMNS)
        height = 2 * ROWS * rows  # in pixels, of which a cell has two
        picture = np.full((height, WIDTH * COLUMNS, 3), palette.rgb(theme.panel), np.uint8)
        labels: dict[tuple[int, int], tuple[str, Style]] = {}
        for number, entry in enumerate(LEGEND):
            row, column = divmod(number, COLUMNS)
            y = ROWS * row
            x = WIDTH * column
            picture[2 * y : 2 * y + SIZE, x : x + SIZE] = tile_picture(entry)
            labels |= written(entry.name, x + INDENT, y + 1, name_style)
            labels |= written(entry.use, x + INDENT, y + 2, use_style)
        self.show(picture, labels)


def tile_picture(entry: LegendEntry) -> RGBImage:
    """Returns one tile as the board shows it: uint8 array (8, 8, 3)."""
    nobody = PlayerView((-1, -1), "south", None)  # outside of the picture
    objects = () if entry.item is None else (entry.item,)
    scene = Scene("legend", 0, 0, 0, 0, 2, (nobody, nobody), objects, ())
    return Painter((entry.char,), SIZE).paint(scene)
