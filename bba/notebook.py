"""What a notebook shows of kitchens, beliefs, games and results; whoever imports this module gives them these views.

Everything is in a page: the boards of all frames of a game are one image, of which the script of its slider shows a
part. So it needs no server, and works in a notebook that is opened again, or exported. Its size is bounded: a long game
is shown in steps that are `MOST_FRAMES` at most.
"""

import json
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import ceil
from typing import Any

import numpy as np

from bba.analysis import (
    REPLAN_SHOWN_STEPS,
    TimelineData,
    bands,
    belief_snapshot,
    hypothesis_in_words,
    last_replan,
    names,
    replan_event,
    role_posterior,
    with_inferred_skills,
)
from bba.belief import ROLE_OF_SKILL, SCORED_SKILLS, BeliefUpdate
from bba.bench.results_reader import Results, StoredSweep
from bba.bench.tables import table_blocks
from bba.kitchen import Kitchen, Scene
from bba.kitchen.render.painter import Painter
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK
from bba.play.trace import EGO, PARTNER, Trace
from bba.report.content import TableText, table_text, usual_n
from bba.report.formatting import agents_note, paper_note, planner_notes, spread_note, without_planner

MAGIC = b"\x89PNG\r\n\x1a\n"
RGB = b"\x08\x02\x00\x00\x00"  # 8 bits for each of three colours, in rows from top to bottom
FONT = "font-family='sans-serif' font-size='13'"


def png(image: RGBImage) -> bytes:
    """Returns an image, uint8 (height, width, 3), as a PNG file. It needs no library for pictures."""
    height, width = image.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in image)  # 0: the row is stored as it is
    parts = ((b"IHDR", struct.pack(">II", width, height) + RGB), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return MAGIC + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


def image_element(image: RGBImage, size: tuple[int, int], place: tuple[int, int] = (0, 0)) -> str:
    """Returns an image as an SVG element of this size at this place, its pixels as squares."""
    data = b64encode(png(image)).decode()
    return (
        f'<image x="{place[0]}" y="{place[1]}" width="{size[0]}" height="{size[1]}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
    )


def text_element(text: str, place: tuple[float, float], colour: str = DARK.text, more: str = "") -> str:
    """Returns a line of text as an SVG element; `more` holds further attributes."""
    return f'<text x="{place[0]}" y="{place[1]}" fill="{colour}" {FONT} {more}>{escape(text)}</text>'


def svg(parts: Iterable[str], width: int, height: int) -> str:
    """Returns a drawing of these elements on the dark panel."""
    ground = f'<rect width="{width}" height="{height}" fill="{DARK.panel}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"{ground}{''.join(parts)}</svg>"
    )


# heights of a line and of the bar in it, and the room around everything
LINE = 20
BAR = 12
MARGIN = 8
# widths of a name, of a full bar, and of its percentage
NAME = 180
ROOM = 220
PERCENT = 44
PICTURE_WIDTH = NAME + ROOM + PERCENT + 2 * MARGIN


def belief_svg(belief: BeliefUpdate) -> str:
    """Returns the posterior over Ψ as bars in the colours of the roles, with MAP, confidence and u above them."""
    shares = belief.posterior
    named = [hypothesis_in_words(belief, number) for number in range(len(shares))]
    over_roles = len(role_posterior(belief)) == len(shares)
    roles = list(range(len(shares))) if over_roles else [ROLE_OF_SKILL[skill] for skill in SCORED_SKILLS]
    head = f"MAP {named[belief.map_index]} with {belief.confidence:.0%}, u = {belief.commitment}"
    parts = [text_element(head, (MARGIN, MARGIN + 12)), *bars(shares, named, roles, MARGIN + LINE)]
    return svg(parts, PICTURE_WIDTH, LINE * (len(shares) + 1) + 2 * MARGIN)


def bars(shares: Sequence[float], named: Sequence[str], roles: Sequence[int], top: int) -> Iterator[str]:
    """Yields for each hypothesis its name, its bar, and its probability in percent."""
    left = MARGIN + NAME
    for number, (share, name, role) in enumerate(zip(shares, named, roles, strict=True)):
        y = top + number * LINE
        yield text_element(name, (MARGIN, y + BAR))
        yield f'<rect x="{left}" y="{y + 2}" width="{ROOM}" height="{BAR}" fill="{DARK.ground}"/>'
        yield (
            f'<rect class="bar" x="{left}" y="{y + 2}" width="{width(share)}" height="{BAR}" '
            f'fill="{DARK.roles[role]}"/>'
        )
        percent = 'text-anchor="end" class="share"'
        yield text_element(f"{share:.0%}", (left + ROOM + PERCENT, y + BAR), more=percent)


def width(share: float) -> int:
    """Returns the width of a bar in pixels."""
    return round(share * ROOM)


ART_SCALE = 8  # pixels a tile of the painted board
TILE_PIXELS = 40  # pixels a tile of the picture
# the height of a line of text, and the room around it
PICTURE_LINE = 18
PICTURE_MARGIN = 8
NARROWEST_FRAME = 360  # pixels that the text needs


def scene_svg(scene: Scene) -> str | None:
    """Returns the picture of a scene on its layout, and what it does not show; None if it does not know its layout."""
    layout = scene.kitchen
    if layout is None:
        return None
    width = TILE_PIXELS * layout.width
    height = TILE_PIXELS * layout.height
    board = Painter(layout.rows, ART_SCALE, layout.pass_counters).paint(scene)
    lines = scene_lines(scene)
    texts = (
        text_element(line, (PICTURE_MARGIN, height + PICTURE_MARGIN + PICTURE_LINE * row - 4))
        for row, line in enumerate(lines, 1)
    )
    room = height + 2 * PICTURE_MARGIN + PICTURE_LINE * len(lines)
    return svg([image_element(board, (width, height)), *texts], max(width, NARROWEST_FRAME), room)


def scene_lines(scene: Scene) -> list[str]:
    """Returns step and score, what both players hold, and the orders, in words."""
    held = (f"player {player}: {names.item(view.held)}" for player, view in enumerate(scene.players))
    orders = (f"order: {names.item(order.dish)}, {order.left} steps left" for order in scene.orders)
    return [f"step {scene.step}, score {scene.score}", "; ".join(held), *orders]


MOST_FRAMES = 240  # of a page, at most
PIXELS = 4_000_000  # of the boards of all frames together, at most
BAR_CELLS = 16  # boards beside one another in the image
FRAME_SCALE = 5  # pixels of the page for one of a board
HEAD = 24  # pixels above the timeline

# What the slider does: shows the board, the bars, the place in the timeline and the text of one frame.
SCRIPT = """
const game = this.closest('.bba-game'), all = s => game.querySelectorAll(s);
const frame = (game.frames ??= JSON.parse(game.dataset.frames))[this.value];
all('.board')[0].setAttribute('viewBox', frame.board);
all('.now')[0].setAttribute('x', frame.now);
all('.bar').forEach((bar, i) => bar.setAttribute('width', frame.bars[i]));
all('.share').forEach((share, i) => share.textContent = frame.shares[i]);
all('.line').forEach((line, i) => line.textContent = frame.lines[i]);
"""


def trace_html(trace: Trace) -> str | None:
    """Returns the page of a game; before its first step, the kitchen alone."""
    if not trace.ticks:
        return scene_svg(trace.scene(0))
    trace = with_inferred_skills(trace)
    shown = frame_steps(trace)
    frames = [_frame(trace, step, number) for number, step in enumerate(shown)]
    every = f", every {shown.step} steps" if shown.step > 1 else ""
    first, second = trace.config.labels
    title = f"{first} and {second}, {trace.config.layout.name}, {trace.config.seed_label}{every}"
    slider = (
        f'<input type="range" min="0" max="{len(frames) - 1}" value="0" autocomplete="off" aria-label="step" '
        f'style="width:100%" oninput="{escape(SCRIPT.strip())}">'
    )
    texts = "".join(f'<div class="line" style="min-height:1.4em">{escape(line)}</div>' for line in frames[0]["lines"])
    return (
        f'<div class="bba-game" data-frames="{escape(json.dumps(frames))}" style="background:{DARK.panel};'
        f'color:{DARK.text};font:13px sans-serif;padding:8px;max-width:{PICTURE_WIDTH + 16}px">'
        f"<div>{escape(title)}</div>{_boards(trace, shown)}{slider}{texts}{_belief(trace)}</div>"
    )


def frame_steps(trace: Trace) -> range:
    """Returns the steps that are shown, evenly, the last one among them."""
    layout = trace.config.layout
    most = max(2, min(MOST_FRAMES, PIXELS // (layout.width * layout.height * ART_SCALE**2)))
    every = ceil(len(trace.ticks) / most)
    return range((len(trace.ticks) - 1) % every + 1, len(trace.ticks) + 1, every)


def _frame(trace: Trace, step: int, number: int) -> dict[str, Any]:
    layout = trace.config.layout
    wide = layout.width * ART_SCALE
    high = layout.height * ART_SCALE
    shares = role_posterior(belief_snapshot(trace, step).belief)
    return {
        "board": f"{number % BAR_CELLS * wide} {number // BAR_CELLS * high} {wide} {high}",
        "now": (step - 1) * PICTURE_WIDTH // len(trace.ticks),
        "bars": [width(share) for share in shares],
        "shares": [f"{share:.0%}" for share in shares],
        "lines": list(_lines(trace, step)),
    }


def _lines(trace: Trace, step: int) -> Iterator[str]:
    """Yields the text of a step: score, what both players do, and a replan that is recent."""
    tick = trace.ticks[step - 1]
    seats = trace.config_at(step).labels
    yield f"step {step} of {len(trace.ticks)}, score {tick.score}"
    for player in (EGO, PARTNER):
        yield f"{seats[player]}: {names.skill(tick.skills[player])} (role: {names.role(tick.role(player))})"
    replan = last_replan(trace, step, REPLAN_SHOWN_STEPS)
    yield f"step {replan}: {replan_event(belief_snapshot(trace, replan))}" if replan else ""


def _boards(trace: Trace, shown: range) -> str:
    """Returns the boards of all frames as one image, through a window that shows the first."""
    layout = trace.config.layout
    painter = Painter(layout.rows, ART_SCALE, layout.pass_counters)
    wide = layout.width * ART_SCALE
    high = layout.height * ART_SCALE
    columns = min(BAR_CELLS, len(shown))
    rows = ceil(len(shown) / BAR_CELLS)
    image: RGBImage = np.zeros((rows * high, columns * wide, 3), np.uint8)
    for number, step in enumerate(shown):
        top = number // BAR_CELLS * high
        left = number % BAR_CELLS * wide
        image[top : top + high, left : left + wide] = painter.paint(trace.scene(step))
    return (
        f'<svg class="board" viewBox="0 0 {wide} {high}" '
        f'style="display:block;width:100%;max-width:{wide * FRAME_SCALE}px">'
        f"{image_element(image, (columns * wide, rows * high))}</svg>"
    )


def _belief(trace: Trace) -> str:
    """Returns the belief of the first frame as bars, and below it all steps as a timeline."""
    timeline = TimelineData(trace)
    timeline.extend()
    over_time = bands(timeline, range(1, len(trace.ticks) + 1), PICTURE_WIDTH)
    first = belief_snapshot(trace, frame_steps(trace)[0])
    whose = "the passive observer" if first.observer else trace.config.labels[EGO]
    shares = role_posterior(first.belief)
    top = LINE * (len(shares) + 1) + HEAD
    below = "over time; below it the true role of the partner, and the role of the ego"
    height = top + len(over_time)
    now = f'<rect class="now" x="0" y="{top}" width="2" height="{len(over_time)}" fill="{DARK.bright}"/>'
    parts = [
        text_element(f"belief of {whose}", (0, 14)),
        *bars(shares, [*map(names.role, range(len(shares)))], range(len(shares)), LINE),
    ]
    parts += [
        text_element(below, (0, top - 6), DARK.dim),
        image_element(over_time, (PICTURE_WIDTH, len(over_time)), (0, top)),
    ]
    return svg([*parts, now], PICTURE_WIDTH, height)


MOST_SWEEPS = 50  # sweeps of a folder that are shown, the last ones


def results_html(results: Results) -> str:
    """Returns the tables of all sweeps of a folder."""
    left_out = len(results.sweeps) - MOST_SWEEPS
    note = f"<p>{left_out} earlier benchmarks are not shown</p>" if left_out > 0 else ""
    return note + "".join(map(sweep_html, results.sweeps[-MOST_SWEEPS:]))


def sweep_html(sweep: StoredSweep) -> str:
    """Returns the tables of a sweep and the notes below them."""
    entries = without_planner(sweep.entries)
    blocks = table_blocks(sweep.sweep, entries, sweep.results)
    n = usual_n(blocks)
    notes = [f"{spread_note(sweep.sweep)}; n = {n}", *agents_note(sweep.sweep, entries), *planner_notes(sweep.entries)]
    tables = (_table(table_text(sweep.sweep, block, n)) for block in blocks)
    small = "".join(
        f"<div><small>{escape(note)}</small></div>" for note in [*notes, *paper_note(blocks), *sweep.caveats]
    )
    return f"<h4>{escape(sweep.sweep.title)}</h4>{''.join(tables)}{small}"


def _table(table: TableText) -> str:
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = _row("th", [*table.heads, *table.columns])
    rows = "".join(_row("td", [*headings, *(cell.in_a_line for cell in cells)]) for headings, cells in table.rows)
    return f"<table>{title}<thead>{head}</thead><tbody>{rows}</tbody></table>"


def _row(tag: str, texts: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(text)}</{tag}>' for text in texts)}</tr>"


# What notebooks ask an object for, by its class.
VIEWS: dict[type, tuple[str, Callable[[Any], str | None]]] = {
    Kitchen: ("_repr_svg_", lambda kitchen: scene_svg(kitchen.scene())),
    Scene: ("_repr_svg_", scene_svg),
    BeliefUpdate: ("_repr_svg_", belief_svg),
    Trace: ("_repr_html_", trace_html),
    StoredSweep: ("_repr_html_", sweep_html),
    Results: ("_repr_html_", results_html),
}
for _shown, (_name, _view) in VIEWS.items():
    setattr(_shown, _name, _view)
