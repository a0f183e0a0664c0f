"""Captures the watch screen without a terminal: as a terminal recording of many steps, or as an SVG of one step.

A finished game is shown to the screen step by step, as if it were being played. The SVG is drawn cell by cell and looks
the same whatever fonts the reader has: blocks and frames are shapes, since the glyphs of most fonts leave gaps between
the lines, and all other text is stretched to the width of its cells.
"""

import asyncio
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.color import Color, blend_rgb
from rich.color_triplet import ColorTriplet
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.pilot import Pilot

from bba.film.formats import FILM_SPEED
from bba.play import GameConfig, Trace
from human.keymap import APP_KEYS
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.duel import DuelScreen
from tui.screens.watch import WatchScreen
from tui.style import BaseApp, TerminalCells, bindings

WIDTH = 10.0  # of a cell: half a block is a square
HEIGHT = 20.0
LETTER_SIZE = 16.0
BASELINE = 15.3  # of the letters, below the top of their cell
MARGIN = 12.0  # around the screen
HEAD = 34.0  # the height of the title line
FONTS = "'Fira Code', 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
LIGHT = 1.4  # the width of lines
HEAVY = 3.0

Box = tuple[float, float, float, float]  # x, y, width and height as shares of a cell

HALVES: dict[str, Box] = {"▀": (0, 0, 1, 0.5), "▔": (0, 0, 1, 0.125), "▐": (0.5, 0, 0.5, 1), "▕": (0.875, 0, 0.125, 1)}
LOWER = {char: (0.0, 1 - n / 8, 1.0, n / 8) for n, char in enumerate("▁▂▃▄▅▆▇█", start=1)}
LEFT = {char: (0.0, 0.0, n / 8, 1.0) for n, char in enumerate("▏▎▍▌▋▊▉", start=1)}
BLOCK_BOXES: dict[str, Box] = HALVES | LOWER | LEFT

# Lines from the middle of a cell: to the left, right, top and bottom, each 0, LIGHT or HEAVY wide.
LINE_ARMS: dict[str, tuple[float, float, float, float]] = {
    "─": (LIGHT, LIGHT, 0, 0),
    "━": (HEAVY, HEAVY, 0, 0),
    "╸": (HEAVY, 0, 0, 0),
    "╺": (0, HEAVY, 0, 0),
    "│": (0, 0, LIGHT, LIGHT),
    "┃": (0, 0, HEAVY, HEAVY),
    "┊": (0, 0, LIGHT, LIGHT),
    "╵": (0, 0, LIGHT, 0),
    "╷": (0, 0, 0, LIGHT),
    "├": (0, LIGHT, LIGHT, LIGHT),
    "┤": (LIGHT, 0, LIGHT, LIGHT),
    "┬": (LIGHT, LIGHT, 0, LIGHT),
    "┴": (LIGHT, LIGHT, LIGHT, 0),
    "┼": (LIGHT, LIGHT, LIGHT, LIGHT),
}
# Rounded corners: from the middle of one side of the cell to the middle of another, around the cell's middle.
CORNER_ARCS = {
    "╭": ((0.5, 1), (1, 0.5)),
    "╮": ((0, 0.5), (0.5, 1)),
    "╰": ((0.5, 0), (1, 0.5)),
    "╯": ((0, 0.5), (0.5, 0)),
}
DOTTED = "┊"
DRAWN_CHARACTERS = {*BLOCK_BOXES, *LINE_ARMS, *CORNER_ARCS}


class Area(NamedTuple):
    """A rectangle in one colour, in cells."""

    colour: str
    column: float
    row: float
    columns: float
    rows: float


class StyledText(NamedTuple):
    """Text in one style: its line, its column, how many cells it takes, and its colours as "#rrggbb"."""

    text: str
    row: int
    column: int
    cells: int
    style: Style
    ink: str
    ground: str


def screen_svg(lines: Sequence[Iterable[Segment]], title: str, *, ink: str, ground: str) -> str:
    """Returns a screen as SVG.

    Args:
        lines: of the screen, as Textual and Rich compose them.
        title: stands above the screen.
        ink, ground: the colours where a segment has none, "#rrggbb".
    """
    runs = [run for row, line in enumerate(lines) for run in _runs(row, line, ink, ground)]
    columns = max((run.column + run.cells for run in runs), default=0)
    width = columns * WIDTH + 2 * MARGIN
    height = len(lines) * HEIGHT + HEAD + MARGIN
    grounds = [Area(run.ground, run.column, run.row, run.cells, 1) for run in runs if run.ground != ground]
    blocks = [area for run in runs for area in _blocks(run)]
    drawings = [drawing for run in runs for drawing in _drawn(run)]
    centre = f'x="{_number(width / 2)}" y="{_number(HEAD * 0.65)}" text-anchor="middle"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} {_number(height)}">',
        f"<title>{escape(title)}</title>",
        f"<style>text{{font-family:{FONTS};font-size:{_number(LETTER_SIZE)}px;white-space:pre}}</style>",
        f'<rect width="{_number(width)}" height="{_number(height)}" rx="8" fill="{ground}"/>',
        f'<text {centre} fill="{ink}">{escape(title)}</text>',
        f'<g transform="translate({_number(MARGIN)} {_number(HEAD)})">',
        *_painted(grounds),
        *_painted(blocks),
        *drawings,
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


# --- what the lines hold ---------------------------------------------------------------------------------------
def _runs(row: int, line: Iterable[Segment], ink: str, ground: str) -> Iterator[StyledText]:
    column = 0
    for text, style, control in line:
        if control:
            continue
        cells = cell_len(text)
        look = style or Style.null()
        front = _colour(look.color, ink)
        back = _colour(look.bgcolor, ground)
        if look.reverse:
            front, back = back, front
        if look.dim:  # half-way between both, as terminals show dim text
            front = blend_rgb(front, back)
        yield StyledText(text, row, column, cells, look, front.hex, back.hex)
        column += cells


def _colour(colour: Color | None, otherwise: str) -> ColorTriplet:
    if colour is None or colour.is_default:
        colour = Color.parse(otherwise)
    return colour.get_truecolor()


# --- how they are drawn ----------------------------------------------------------------------------------------
def _pieces(run: StyledText) -> Iterator[tuple[str | None, str, int, int]]:
    """Yields equal blocks or frames beside each other, and the letters between them.

    For each its character, or None for letters; the text; its column; and how many cells it takes.
    """
    column = run.column
    for char, same in groupby(run.text, lambda char: char if char in DRAWN_CHARACTERS else None):
        text = "".join(same)
        cells = cell_len(text)
        yield char, text, column, cells
        column += cells


def _blocks(run: StyledText) -> Iterator[Area]:
    for char, _, column, cells in _pieces(run):
        if char in BLOCK_BOXES:
            x, y, width, height = BLOCK_BOXES[char]
            if width == 1:
                yield Area(run.ink, column, run.row + y, cells, height)
            else:
                yield from (Area(run.ink, column + n + x, run.row + y, width, height) for n in range(cells))


def _painted(areas: Iterable[Area]) -> Iterator[str]:
    for colour, same in groupby(sorted(areas), lambda area: area.colour):
        path = "".join(_outline(area) for area in same)
        yield f'<path d="{path}" fill="{colour}" shape-rendering="crispEdges"/>'


def _outline(area: Area) -> str:
    _, column, row, columns, rows = area
    start = f"M{_number(column * WIDTH)} {_number(row * HEIGHT)}"
    return f"{start}h{_number(columns * WIDTH)}v{_number(rows * HEIGHT)}h{_number(-columns * WIDTH)}z"


def _drawn(run: StyledText) -> Iterator[str]:
    for char, text, column, cells in _pieces(run):
        if char is None and (text.strip() or run.style.underline):
            yield _text(text, column, run)
        elif char is not None and char not in BLOCK_BOXES:
            yield from (_frame(char, column + n, run) for n in range(cells))


def _frame(char: str, column: int, run: StyledText) -> str:
    x = (column + 0.5) * WIDTH
    y = (run.row + 0.5) * HEIGHT
    if char in CORNER_ARCS:
        (x1, y1), (x2, y2) = CORNER_ARCS[char]
        start = f"{_number((column + x1) * WIDTH)} {_number((run.row + y1) * HEIGHT)}"
        end = f"{_number((column + x2) * WIDTH)} {_number((run.row + y2) * HEIGHT)}"
        path = f"M{start}Q{_number(x)} {_number(y)} {end}"
        thick = LIGHT
    else:
        path = _arms(char, x, y)
        thick = max(LINE_ARMS[char])
    dots = ' stroke-dasharray="3 2"' if char in DOTTED else ""
    return f'<path d="{path}" fill="none" stroke="{run.ink}" stroke-width="{_number(thick)}"{dots}/>'


def _arms(char: str, x: float, y: float) -> str:
    """Returns the path of a character's lines from the middle of its cell, which is at (x, y)."""
    to_left, to_right, to_top, to_bottom = LINE_ARMS[char]
    left = x - WIDTH / 2 if to_left else x
    right = x + WIDTH / 2 if to_right else x
    top = y - HEIGHT / 2 if to_top else y
    bottom = y + HEIGHT / 2 if to_bottom else y
    path = ""
    if left != right:
        path += f"M{_number(left)} {_number(y)}H{_number(right)}"
    if top != bottom:
        path += f"M{_number(x)} {_number(top)}V{_number(bottom)}"
    return path


def _text(text: str, column: int, run: StyledText) -> str:
    """Returns letters; blanks around them are left out, so that they need no width."""
    if not run.style.underline:
        column += len(text) - len(text.lstrip())
        text = text.strip()
    place = f'x="{_number(column * WIDTH)}" y="{_number(run.row * HEIGHT + BASELINE)}"'
    length = f'textLength="{_number(cell_len(text) * WIDTH)}"'
    attributes = [place, length, f'fill="{run.ink}"']
    if run.style.bold:
        attributes.append('font-weight="bold"')
    if run.style.italic:
        attributes.append('font-style="italic"')
    if run.style.underline:
        attributes.append('text-decoration="underline"')
    if run.style.strike:
        attributes.append('text-decoration="line-through"')
    return f"<text {' '.join(attributes)}>{escape(text)}</text>"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


CAPTURED = ("cooks", "events", "gate")  # the panels that a picture of the watch screen shows beside belief and orders
SCREEN_SIZE = (120, 40)  # columns and rows
# no cursor, cleared; at the end below, with cursor
START = "\x1b[?25l\x1b[2J"
END = f"\x1b[{SCREEN_SIZE[1]};1H\x1b[?25h"
LAST_FRAME_SECONDS = 2.0  # seconds for which the last picture stays


class CaptureApp(BaseApp, inherit_bindings=False):
    """Shows a screen with the keys of the main app in the footer."""

    BINDINGS = bindings(APP_KEYS)

    def __init__(self) -> None:
        super().__init__()
        self.panels = CAPTURED  # nobody can switch panels of a picture


def to_cast(trace: Trace, steps: range, speed: float) -> bytes:
    """Returns an asciicast (version 2) of these steps at so many steps a second; each frame holds only what changed."""
    width, height = SCREEN_SIZE
    lines = [json.dumps({"version": 2, "width": width, "height": height, "title": title(trace.config)})]
    cells = TerminalCells()

    def keep(app: CaptureApp) -> None:
        # The lines as Textual composes them; its public ways out of a screen are a terminal and a picture.
        strips = enumerate(app.screen._compositor.render_strips(), 1)
        frame = "".join(f"\x1b[{row};1H{strip.render(app.console)}" for row, strip in strips)
        text = cells.changed(frame)
        if len(lines) == 1:
            text = START + text
        seconds = (len(lines) - 1) * steps.step / speed
        lines.append(_event(seconds, text))

    asyncio.run(capture(trace, steps, speed, keep))
    seconds = (len(lines) - 1) * steps.step / speed + LAST_FRAME_SECONDS
    lines.append(_event(seconds, END))
    return ("\n".join(lines) + "\n").encode()


def to_svg(trace: Trace, rival: Trace | None = None, *, steps: range) -> bytes:
    """Returns a picture of the screen after the last of these steps; of a duel's, with the other game."""
    pictures: list[str] = []
    name = title(trace.config)
    asyncio.run(capture(trace, steps[-1:], FILM_SPEED, lambda app: pictures.append(picture(app, name)), rival))
    return pictures[0].encode()


def picture(app: App[Any], title: str) -> str:
    """Returns the screen of an app as SVG, the same in every viewer."""
    theme = app.current_theme
    lines = app.screen._compositor.render_strips()
    return screen_svg(lines, title, ink=theme.foreground or "#ffffff", ground=theme.background or "#000000")


def title(config: GameConfig) -> str:
    """Returns the title of a game."""
    return f"{config.layout.name}: {' and '.join(config.labels)}, {config.seed_label}"


async def capture(
    trace: Trace, steps: range, speed: float, keep: Callable[[CaptureApp], None], rival: Trace | None = None
) -> None:
    """Shows a game, or a duel, on its screen and calls `keep` after each of these steps, when the screen is drawn.

    The title says that the game runs at `speed` steps a second. The screen is that of an app of its own, which needs an
    event loop of its own: where an app runs already, in a thread.
    """
    sources = [PlaybackSource(lambda: TracePlayback(trace, 0))]
    screen: WatchScreen | DuelScreen
    if rival is None:
        screen = WatchScreen(sources[0], speed=speed, autostart=False)
    else:
        sources.append(PlaybackSource(lambda: TracePlayback(rival, 0)))
        sources[0].rival = sources[1]
        screen = DuelScreen(sources[0], speed=speed, autostart=False)
    app = CaptureApp()
    app.console = Console(color_system="truecolor", file=io.StringIO())  # whatever this terminal can show
    async with app.run_test(size=SCREEN_SIZE) as pilot:
        await app.push_screen(screen)
        await _settle(pilot)
        screen.clock.paused = False
        for step in steps:
            for source in sources:
                source.play(step - len(source.trace.ticks))
            screen.action_newest()
            await _settle(pilot)
            keep(app)


async def _settle(pilot: Pilot[None]) -> None:
    """Waits until everything is drawn; what scrolls is drawn a round later."""
    await pilot.pause(0)
    await pilot.pause(0)


def _event(seconds: float, text: str) -> str:
    return json.dumps([round(seconds, 3), "o", text], ensure_ascii=False)
