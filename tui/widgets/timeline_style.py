"""The colours and styles of the timeline, computed once for each theme."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.style import Style

from bba.analysis.timeline import COMPLEMENTARY, DUPLICATE, OTHER, TimelineMark
from bba.palette import BAD, DIM, GOOD, TEXT, WARN, Palette, rgb, variables

GLYPHS = {
    TimelineMark.FIRE: ("✶", BAD),
    TimelineMark.DELIVERY: ("●", GOOD),
    TimelineMark.REPLAN: ("▲", WARN),
    TimelineMark.SWITCH: ("◆", TEXT),
    TimelineMark.TUNED: ("±", TEXT),
    TimelineMark.GAP: ("≠", DIM),
    TimelineMark.COMMITMENT: ("▽", DIM),
    TimelineMark.GATE: ("△", DIM),
    TimelineMark.CONTRADICTION: ("!", BAD),
}


class TimelineStyle(NamedTuple):
    """Colours of pixels (RGB, 0 to 255) and styles of text.

    Attributes:
        background: (3,).
        roles: (7, 3), a row for each role; the last row, which NO_ROLE (-1) indexes too, is for no role.
        coordination: (3, 3), a row each for OTHER, DUPLICATE and COMPLEMENTARY.
        name: the bands' names and the step numbers.
        now, past: the number of the step that is shown, at the newest step and before it.
        place: the line at a past step.
        on_colour, on_pale: letters on the colours of bands, and on pale ones.
        marks, switches: the marks; those of role switches by role.
    """

    background: NDArray[np.uint8]
    roles: NDArray[np.uint8]
    coordination: NDArray[np.uint8]
    name: Style
    now: Style
    past: Style
    place: Style
    on_colour: Style
    on_pale: Style
    marks: dict[TimelineMark, Style]
    switches: tuple[Style, ...]


@lru_cache(maxsize=4)
def timeline_style(palette: Palette) -> TimelineStyle:
    """Returns the timeline's style in a theme."""
    coordination = {OTHER: palette.ground, DUPLICATE: palette.bad, COMPLEMENTARY: palette.good}
    colours = variables(palette)
    return TimelineStyle(
        background=np.array(rgb(palette.panel), np.uint8),
        roles=np.array([rgb(colour) for colour in (*palette.roles, palette.ground)], np.uint8),
        coordination=np.array([rgb(coordination[kind]) for kind in sorted(coordination)], np.uint8),
        name=Style.parse(palette.dim),
        now=Style.parse(f"bold {palette.text}"),
        past=Style.parse(f"bold {palette.background} on {palette.warn}"),
        place=Style.parse(f"bold {palette.bright} on {palette.background}"),
        on_colour=Style.parse(f"bold {palette.background}"),
        on_pale=Style.parse(f"bold {palette.bright}"),
        marks={mark: _mark(colours[colour[1:]], palette) for mark, (_, colour) in GLYPHS.items()},
        switches=tuple(_mark(colour, palette) for colour in palette.roles),
    )


def _mark(colour: str, palette: Palette) -> Style:
    return Style.parse(f"bold {colour} on {palette.panel}")
