"""Letters over a board whose tiles are too small for the art to tell things apart."""

from collections.abc import Iterator

from rich.color import Color
from rich.style import Style

from bba.kitchen import Layout, Scene
from bba.kitchen.layout import Position
from bba.kitchen.render.overlays import Overlay, Overlays, TileOutline
from bba.palette import DARK
from tui.widgets.pixels import Labels

LETTERED = (2, 4, 6)  # the tile edges in pixels at which letters lie over the art
DRAWN = 4  # from this edge on, lines and frames can be drawn in pixels

_CAPTION = Style.parse(f"{DARK.text} on {DARK.panel}")
_ITEM = Style.parse("bold #ffffff on #1c2029")
_STATION = Style.parse("#f0dcb8 on #4a3826")
_COOKS = tuple(Style.parse(f"bold {DARK.background} on {colour}") for colour in DARK.cooks)
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


def mark_labels(labels: Labels, marks: Overlays, size: int) -> Labels:
    """The labels with marks among them, where a tile is too small for lines and frames: dots, and tiles turned over."""
    if size >= DRAWN or not marks:
        return labels
    marked = dict(labels)
    for (x, y), mark in sorted(_flat(marks), key=lambda pair: isinstance(pair[1], TileOutline)):
        colour = Color.from_rgb(*mark.colour)
        for cell in ((x * size + column, y * size // 2) for column in range(size)):
            if isinstance(mark, TileOutline):
                marked[cell] = marked.get(cell, (" ",))[0], Style(color=DARK.background, bgcolor=colour, bold=True)
            else:
                marked.setdefault(cell, ("·", Style(color=colour)))
    return marked


def _flat(marks: Overlays) -> Iterator[tuple[Position, Overlay]]:
    return ((tile, mark) for tile, several in marks.items() for mark in several)


def caption_labels(text: str, width: int, row: int) -> Labels:
    """A line of text over a row of a picture so many cells wide."""
    return {(column, row): (char, _CAPTION) for column, char in enumerate(text[:width].center(width))}


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
