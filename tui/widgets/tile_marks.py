"""Marks on tiles that say without colour what a progress bar, smoke and fire say: ready, about to burn, on fire."""

from typing import NamedTuple

from rich.style import Style

from bba.kitchen import Scene
from bba.palette import DARK
from tui.widgets.pixels import Labels

LEAST = 2  # from this tile edge in pixels on, a mark has a cell of its own


class TileMark(NamedTuple):
    """A sign of one cell, and its style."""

    sign: str
    style: Style


def _mark(sign: str, colour: str) -> TileMark:
    return TileMark(sign, Style.parse(f"bold {DARK.background} on {colour}"))


# By the state of an item. Fire has the sign that it has on the timeline.
MARKS = {
    "ready": _mark("✓", DARK.good),
    "warning": _mark("!", DARK.warn),
    "burning": _mark("✶", DARK.bad),
}
_COOKS = tuple(Style.parse(f"bold {DARK.background} on {colour}") for colour in DARK.cooks)


def mark_labels(scene: Scene, size: int) -> Labels:
    """Returns a mark in the upper right corner of each tile whose item is ready, about to burn or on fire."""
    if size < LEAST:
        return {}
    return {
        (x * size + size - 1, y * size // 2): MARKS[item.state]
        for item in scene.objects
        if item.state in MARKS
        for x, y in (item.position,)
    }


def cook_labels(scene: Scene, size: int) -> Labels:
    """Returns the number of each cook in the upper left corner of its tile."""
    return {
        (player.position[0] * size, player.position[1] * size // 2): (str(seat + 1), _COOKS[seat])
        for seat, player in enumerate(scene.players)
    }
