"""The timeline's colours and styles, computed once for each theme, and the letters on its bands, which say the same."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.style import Style

from bba.analysis.event_sentences import CHANGED_SIGN, KEPT_SIGN
from bba.analysis.timeline import COMPLEMENTARY, DUPLICATE, OTHER, TimelineMark, TimelineSlice
from bba.belief import NO_ROLE
from bba.palette import BAD, DIM, GOOD, TEXT, WARN, Palette, rgb, variables

GLYPHS = {
    TimelineMark.FIRE: ("✶", BAD),
    TimelineMark.DELIVERY: ("●", GOOD),
    TimelineMark.REPLAN: (CHANGED_SIGN, WARN),
    TimelineMark.KEPT_PLAN: (KEPT_SIGN, WARN),
    TimelineMark.SWITCH: ("◆", TEXT),
    TimelineMark.TUNED: ("±", TEXT),
    TimelineMark.GAP: ("≠", DIM),
    TimelineMark.COMMITMENT_GATE: ("▽", DIM),
    TimelineMark.GATE: ("□", DIM),
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
    fits = {OTHER: palette.ground, DUPLICATE: palette.bad, COMPLEMENTARY: palette.good}
    colours = variables(palette)
    return TimelineStyle(
        background=np.array(rgb(palette.panel), np.uint8),
        roles=_colour_rows([*palette.roles, palette.ground]),
        coordination=_colour_rows([fits[fit] for fit in sorted(fits)]),
        name=Style.parse(palette.dim),
        now=Style.parse(f"bold {palette.text}"),
        past=Style.parse(f"bold {palette.background} on {palette.warn}"),
        place=Style.parse(f"bold {palette.bright} on {palette.background}"),
        on_colour=Style.parse(f"bold {palette.background}"),
        on_pale=Style.parse(f"bold {palette.bright}"),
        marks={mark: _mark(colours[colour[1:]], palette) for mark, (_, colour) in GLYPHS.items()},
        switches=tuple(_mark(colour, palette) for colour in palette.roles),
    )


def _colour_rows(colours: Sequence[str]) -> NDArray[np.uint8]:
    """Returns colours as rows of RGB: (n, 3)."""
    return np.array([rgb(colour) for colour in colours], np.uint8)


def _mark(colour: str, palette: Palette) -> Style:
    return Style.parse(f"bold {colour} on {palette.panel}")


ROLE_LETTERS = "MRWASH"  # meat, rice, wash, assemble, serve, hand over
FIT_SIGNS = " ✗✓"  # for OTHER, DUPLICATE and COMPLEMENTARY
LONG_NAMES = 4  # columns of a run from which it has a letter, where colours tell runs apart
MOSTLY = 0.5  # share of matched steps from which the most likely role's colour is full

Cells = dict[tuple[int, int], tuple[str, Style]]  # by (column, row) of the bands


class Run(NamedTuple):
    """Neighbouring columns of the same value: from `first` on, `length` of them."""

    first: int
    length: int
    value: int

    @property
    def middle(self) -> int:
        return self.first + (self.length - 1) // 2


def runs(values: NDArray[np.intp]) -> Iterator[Run]:
    """Yields the runs of equal values, in order."""
    changes = np.flatnonzero(np.diff(values)) + 1
    edges = [0, *changes.tolist(), len(values)]
    for first, end in pairwise(edges):
        yield Run(first, end - first, int(values[first]))


def letters_at_changes(part: TimelineSlice, style: TimelineStyle, *, truth: bool) -> Cells:
    """Returns letters for bands of a row each, without colours: one where each run begins."""
    cells: Cells = {}
    for row, (values, letters) in enumerate(_bands(part, truth=truth)):
        for run in runs(values):
            if 0 <= run.value < len(letters):
                cells[run.first, row] = letters[run.value], style.place
    return cells


def letters_in_runs(part: TimelineSlice, style: TimelineStyle, *, truth: bool) -> Cells:
    """Returns letters for bands of a row each: one in the middle of each long run."""
    cells: Cells = {}
    for row, (values, letters) in enumerate(_bands(part, truth=truth)):
        for run in runs(values):
            if run.length >= LONG_NAMES and 0 <= run.value < len(letters):
                ink = _ink(part, row, run.middle, style, truth=truth)
                cells[run.middle, row] = letters[run.value], ink
    return cells


def letters_in_pairs(part: TimelineSlice, style: TimelineStyle, *, truth: bool, colourless: bool) -> Cells:
    """Returns letters for bands of half a row each.

    The upper row has an initial where true and most likely role agree for long; the lower row has the ego's initial,
    and before it how its role fits. Without colours short runs have letters, too.
    """
    shortest = 1 if colourless else LONG_NAMES
    agreed = part.believed
    cells: Cells = {}
    if truth:
        agreed = np.where(part.true == part.believed, part.believed, NO_ROLE)
        for run in runs(part.coordination):
            sign = FIT_SIGNS[run.value]
            if run.length >= shortest and sign != " ":
                cells[run.first + (run.length > 1), 1] = sign, _on(style.coordination[run.value], style)
    for row, values in enumerate((agreed, part.ego)):
        for run in runs(values):
            if run.length < shortest or run.value == NO_ROLE:
                continue
            column = run.middle
            if (column, row) in cells and (column + 1, row) not in cells:
                column += 1
            letter = ROLE_LETTERS[run.value]
            cells[column, row] = letter, _on(style.roles[run.value], style)
    return cells


def _bands(part: TimelineSlice, *, truth: bool) -> tuple[tuple[NDArray[np.intp], str], ...]:
    """Returns the values of each band, and the letters of these values; none for bands that only the truth fills."""
    true_letters = ROLE_LETTERS if truth else ""
    fit_signs = FIT_SIGNS if truth else ""
    return (
        (part.true, true_letters),
        (part.believed, ROLE_LETTERS),
        (part.coordination, fit_signs),
        (part.ego, ROLE_LETTERS),
    )


def _ink(part: TimelineSlice, row: int, column: int, style: TimelineStyle, *, truth: bool) -> Style:
    """Returns dark ink on full colours, light ink on the pale ones of a most likely role that is not the true one."""
    if row == 1 and truth:
        wrong = part.true[column] != NO_ROLE and part.matched[column] < MOSTLY
        if wrong:
            return style.on_pale
    return style.on_colour


def _on(colour: NDArray[np.uint8], style: TimelineStyle) -> Style:
    return _ink_on(colour.tobytes(), style.on_colour)


@lru_cache(maxsize=64)
def _ink_on(colour: bytes, ink: Style) -> Style:
    return ink + Style(bgcolor=f"#{colour.hex()}")
