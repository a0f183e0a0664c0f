"""Describes a tile and what is on it in words."""

from bba.analysis import names
from bba.kitchen import Layout, ObjectView, Scene
from bba.kitchen.layout import Position

COOKS = ("cook 1 (ego)", "cook 2 (partner)")
_TILES = {
    " ": "floor",
    "1": "floor",
    "2": "floor",
    "X": "counter",
    "M": "meat",
    "Z": "mushrooms",
    "R": "rice",
    "T": "tortillas",
    "U": "trash",
    "B": "board",
    "G": "grill",
    "P": "pot",
    "W": "sink",
    "D": "plate stack",
    "S": "serving window",
}
_USED = "BGPW"  # stations that are described as empty


def tile_words(layout: Layout, scene: Scene, at: Position, room: int | None = None) -> str:
    """Returns a tile in words, such as "(3,2) grill: meat cooking, 12 of 80, ready in 68".

    Where that is longer than `room` characters, first the position is left out, then the count, then the end is cut.
    """
    what, *more = _pieces(layout, scene, at)
    named = ", ".join((what, *more))
    choices = (f"({at[0]},{at[1]}) {named}", named, ", ".join((what, *more[-1:])))
    if room is None:
        return choices[0]
    return next((text for text in choices if len(text) <= room), choices[-1][: room - 1] + "…")


def _pieces(layout: Layout, scene: Scene, at: Position) -> tuple[str, ...]:
    """Returns what is on a tile, then its count, then what comes next."""
    for cook, player in zip(COOKS, scene.players, strict=True):
        if player.position == at:
            return cook, f"holds {names.item(player.held)}" if player.held else "empty hand"
    char = layout.rows[at[1]][at[0]]
    tile = "pass counter" if at in layout.pass_counters else _TILES[char]
    if char == "D":
        return (f"{tile}: {_plates(scene.dirty_plates)}",)
    for item in scene.objects:
        if item.position == at:
            what, *more = _item_pieces(layout, item)
            return f"{tile}: {what}", *more
    return (f"{tile}: empty" if char in _USED else tile,)


def _plates(number: int) -> str:
    return f"{number or 'no'} dirty plate{'s' * (number != 1)}"


def _item_pieces(layout: Layout, item: ObjectView) -> tuple[str, ...]:
    name, count = names.item(item.name), f"{item.progress} of {item.total}"
    timing = layout.timing
    burns = f"burns in {timing.cooking + timing.ready + timing.warning - item.progress}"
    match item.state:
        case "unready":
            return names.item(item.name.removeprefix("chopped_")), f"{count} chops"
        case "unrinsed":
            return name, f"{count} rinses"
        case "cooking":
            raw = "meat" if item.name == "chopped_steak" else name
            return f"{raw} cooking", count, f"ready in {item.total - item.progress}"
        case "ready" if item.tile != "board":
            return f"{name} ready", burns
        case "warning":
            return f"{name} about to burn", burns
        case "burning":
            return (f"{name} on fire",)
    return (name,)
