"""The views of kitchens, beliefs, games and results in a notebook; importing this module gives these classes the views.

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
    replan_heading,
    role_posterior,
    with_inferred_skills,
)
from bba.belief import ROLE_OF_SKILL, SCORED_SKILLS, BeliefUpdate
from bba.bench.formatting import (
    agents_note,
    condition_note,
    margins_note,
    paper_note,
    planner_notes,
    spread_note,
    styles_note,
    without_planner,
)
from bba.bench.results_reader import Results, StoredSweep
from bba.bench.tables import table_blocks
from bba.kitchen import Kitchen, Scene
from bba.kitchen.render.painter import Painter
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK
from bba.play.trace import EGO, PARTNER, Trace
from bba.report.content import table_text, usual_n
from bba.tables.html import to_html

MAGIC = b"\x89PNG\r\n\x1a\n"
RGB = b"\x08\x02\x00\x00\x00"  # 8 bits for each of three colours, in rows from top to bottom
FONT = "font-family='sans-serif' font-size='13'"


def png(image: RGBImage) -> bytes:
    """Returns an image, uint8 (height, width, 3), as a PNG file. It needs no library for pictures."""
    height, width = image.shape[:2]
    header = struct.pack(">II", width, height) + RGB
    rows = b"".join(b"\0" + row.tobytes() for row in image)  # 0: the row is stored as it is
    return MAGIC + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    """Returns a chunk of a PNG file: its length, name, data and checksum."""
    length = struct.pack(">I", len(data))
    checksum = struct.pack(">I", zlib.crc32(name + data))
    return length + name + data + checksum


def image_element(image: RGBImage, size: tuple[int, int], place: tuple[int, int] = (0, 0)) -> str:
    """Returns an image as an SVG element of this size at this place, its pixels as squares."""
    x, y = place
    width, height = size
    data = b64encode(png(image)).decode()
    return (
        f'<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
    )


def text_element(text: str, place: tuple[float, float], colour: str = DARK.text, attributes: str = "") -> str:
    """Returns a line of text as an SVG element; `attributes` are more attributes of the element."""
    x, y = place
    return f'<text x="{x}" y="{y}" fill="{colour}" {FONT} {attributes}>{escape(text)}</text>'


def svg(parts: Iterable[str], width: int, height: int) -> str:
    """Returns a drawing of these elements on the dark panel."""
    ground = f'<rect width="{width}" height="{height}" fill="{DARK.panel}"/>'
    content = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"{ground}{content}</svg>"
    )


LINE = 20  # height of a line
BAR = 12  # height of the bar in it
MARGIN = 8  # around everything
NAME_WIDTH = 180
FULL_BAR_WIDTH = 220
PERCENT_WIDTH = 44
PICTURE_WIDTH = NAME_WIDTH + FULL_BAR_WIDTH + PERCENT_WIDTH + 2 * MARGIN


def belief_svg(belief: BeliefUpdate) -> str:
    """Returns the posterior over Ψ as bars in the colours of the roles, with MAP, confidence and u above them."""
    shares = belief.posterior
    hypotheses = [hypothesis_in_words(belief, number) for number in range(len(shares))]
    roles = list(range(len(shares)))
    if len(role_posterior(belief)) != len(shares):  # the hypotheses are skills
        roles = [ROLE_OF_SKILL[skill] for skill in SCORED_SKILLS]
    head = f"MAP {hypotheses[belief.map_index]} with {belief.confidence:.0%}, u = {belief.stable_updates}"
    parts = [text_element(head, (MARGIN, MARGIN + 12)), *bars(shares, hypotheses, roles, MARGIN + LINE)]
    return svg(parts, PICTURE_WIDTH, LINE * (len(shares) + 1) + 2 * MARGIN)


def bars(shares: Sequence[float], hypotheses: Sequence[str], roles: Sequence[int], top: int) -> Iterator[str]:
    """Yields for each hypothesis its name, its bar, and its probability in percent."""
    bar_x = MARGIN + NAME_WIDTH
    percent_x = bar_x + FULL_BAR_WIDTH + PERCENT_WIDTH
    for number, (share, hypothesis, role) in enumerate(zip(shares, hypotheses, roles, strict=True)):
        y = top + number * LINE
        yield text_element(hypothesis, (MARGIN, y + BAR))
        yield f'<rect x="{bar_x}" y="{y + 2}" width="{FULL_BAR_WIDTH}" height="{BAR}" fill="{DARK.ground}"/>'
        yield (
            f'<rect class="bar" x="{bar_x}" y="{y + 2}" width="{bar_width(share)}" height="{BAR}" '
            f'fill="{DARK.roles[role]}"/>'
        )
        yield text_element(f"{share:.0%}", (percent_x, y + BAR), attributes='text-anchor="end" class="share"')


def bar_width(share: float) -> int:
    """Returns the width of a bar in pixels."""
    return round(share * FULL_BAR_WIDTH)


ART_SCALE = 8  # pixels a tile of the painted board
TILE_PIXELS = 40  # pixels a tile of the picture
PICTURE_LINE = 18  # height of a line of text
PICTURE_MARGIN = 8  # around the text
NARROWEST_FRAME = 360  # pixels that the text needs


def scene_svg(scene: Scene) -> str | None:
    """Returns the picture of a scene on its layout, with text below it; None if the scene does not know its layout."""
    layout = scene.kitchen
    if layout is None:
        return None
    width = TILE_PIXELS * layout.width
    height = TILE_PIXELS * layout.height
    board = Painter(layout.rows, ART_SCALE, layout.pass_counters).paint(scene)
    lines = scene_lines(scene)
    parts = [image_element(board, (width, height))]
    for row, line in enumerate(lines, 1):
        y = height + PICTURE_MARGIN + PICTURE_LINE * row - 4
        parts.append(text_element(line, (PICTURE_MARGIN, y)))
    full_height = height + 2 * PICTURE_MARGIN + PICTURE_LINE * len(lines)
    return svg(parts, max(width, NARROWEST_FRAME), full_height)


def scene_lines(scene: Scene) -> list[str]:
    """Returns step and score, what both players hold, and the orders, in words."""
    held_items = [f"player {player}: {names.item(view.held)}" for player, view in enumerate(scene.players)]
    orders = [f"order: {names.item(order.dish)}, {order.left} steps left" for order in scene.orders]
    return [f"step {scene.step}, score {scene.score}", "; ".join(held_items), *orders]


MOST_FRAMES = 240  # of a page, at most
PIXELS = 4_000_000  # of the boards of all frames together, at most
BOARDS_IN_A_ROW = 16  # of the image
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
    steps = frame_steps(trace)
    frames = [_frame(trace, step, number) for number, step in enumerate(steps)]
    interval = f", every {steps.step} steps" if steps.step > 1 else ""
    first, second = trace.config.labels
    title = f"{first} and {second}, {trace.config.layout.name}, {trace.config.seed_label}{interval}"
    script = escape(SCRIPT.strip())
    slider = (
        f'<input type="range" min="0" max="{len(frames) - 1}" value="0" autocomplete="off" aria-label="step" '
        f'style="width:100%" oninput="{script}">'
    )
    texts = "".join(f'<div class="line" style="min-height:1.4em">{escape(line)}</div>' for line in frames[0]["lines"])
    data = escape(json.dumps(frames))
    return (
        f'<div class="bba-game" data-frames="{data}" style="background:{DARK.panel};'
        f'color:{DARK.text};font:13px sans-serif;padding:8px;max-width:{PICTURE_WIDTH + 16}px">'
        f"<div>{escape(title)}</div>{_boards(trace, steps)}{slider}{texts}{_belief(trace)}</div>"
    )


def frame_steps(trace: Trace) -> range:
    """Returns the steps that are shown, evenly, the last one among them."""
    layout = trace.config.layout
    pixels_of_board = layout.width * layout.height * ART_SCALE**2
    most_frames = max(2, min(MOST_FRAMES, PIXELS // pixels_of_board))
    last = len(trace.ticks)
    interval = ceil(last / most_frames)
    first = (last - 1) % interval + 1
    return range(first, last + 1, interval)


def _frame(trace: Trace, step: int, number: int) -> dict[str, Any]:
    layout = trace.config.layout
    width = layout.width * ART_SCALE
    height = layout.height * ART_SCALE
    x = number % BOARDS_IN_A_ROW * width
    y = number // BOARDS_IN_A_ROW * height
    shares = role_posterior(belief_snapshot(trace, step).belief)
    return {
        "board": f"{x} {y} {width} {height}",
        "now": (step - 1) * PICTURE_WIDTH // len(trace.ticks),
        "bars": [bar_width(share) for share in shares],
        "shares": [f"{share:.0%}" for share in shares],
        "lines": list(_lines(trace, step)),
    }


def _lines(trace: Trace, step: int) -> Iterator[str]:
    """Yields the text of a step: score, what both players do, and a replan that is recent."""
    tick = trace.ticks[step - 1]
    labels = trace.config_at(step).labels
    yield f"step {step} of {len(trace.ticks)}, score {tick.score}"
    for player in (EGO, PARTNER):
        skill = names.skill(tick.skills[player])
        role = names.role(tick.role(player))
        yield f"{labels[player]}: {skill} (role: {role})"
    replan = last_replan(trace, step, REPLAN_SHOWN_STEPS)
    if replan:
        heading = replan_heading(replan_event(trace, replan))
        yield f"step {replan}: {heading}"
    else:
        yield ""


def _boards(trace: Trace, steps: range) -> str:
    """Returns the boards of all frames as one image, through a window that shows the first."""
    layout = trace.config.layout
    painter = Painter(layout.rows, ART_SCALE, layout.pass_counters)
    width = layout.width * ART_SCALE
    height = layout.height * ART_SCALE
    columns = min(BOARDS_IN_A_ROW, len(steps))
    rows = ceil(len(steps) / BOARDS_IN_A_ROW)
    image: RGBImage = np.zeros((rows * height, columns * width, 3), np.uint8)
    for number, step in enumerate(steps):
        y = number // BOARDS_IN_A_ROW * height
        x = number % BOARDS_IN_A_ROW * width
        image[y : y + height, x : x + width] = painter.paint(trace.scene(step))
    boards = image_element(image, (columns * width, rows * height))
    return (
        f'<svg class="board" viewBox="0 0 {width} {height}" '
        f'style="display:block;width:100%;max-width:{width * FRAME_SCALE}px">'
        f"{boards}</svg>"
    )


def _belief(trace: Trace) -> str:
    """Returns the belief of the first frame as bars, and below it all steps as a timeline."""
    timeline = TimelineData(trace)
    timeline.extend()
    timeline_image = bands(timeline, range(1, len(trace.ticks) + 1), PICTURE_WIDTH)
    timeline_height = len(timeline_image)
    snapshot = belief_snapshot(trace, frame_steps(trace)[0])
    believer = "the passive observer" if snapshot.observer else trace.config.labels[EGO]
    shares = role_posterior(snapshot.belief)
    roles = range(len(shares))
    role_names = [names.role(role) for role in roles]
    timeline_y = LINE * (len(shares) + 1) + HEAD
    caption = "over time; below it the true role of the partner, and the role of the ego"
    parts = [
        text_element(f"belief of {believer}", (0, 14)),
        *bars(shares, role_names, roles, LINE),
        text_element(caption, (0, timeline_y - 6), DARK.dim),
        image_element(timeline_image, (PICTURE_WIDTH, timeline_height), (0, timeline_y)),
        f'<rect class="now" x="0" y="{timeline_y}" width="2" height="{timeline_height}" fill="{DARK.bright}"/>',
    ]
    return svg(parts, PICTURE_WIDTH, timeline_y + timeline_height)


MOST_SWEEPS = 50  # sweeps of a folder that are shown, the last ones


def results_html(results: Results) -> str:
    """Returns the tables of all sweeps of a folder."""
    left_out = len(results.sweeps) - MOST_SWEEPS
    note = f"<p>{left_out} earlier benchmarks are not shown</p>" if left_out > 0 else ""
    tables = "".join(sweep_html(sweep) for sweep in results.sweeps[-MOST_SWEEPS:])
    return f"{note}{tables}"


def sweep_html(sweep: StoredSweep) -> str:
    """Returns the tables of a sweep and the notes below them."""
    definition = sweep.sweep
    entries = without_planner(sweep.entries)
    blocks = table_blocks(definition, entries, sweep.results)
    n = usual_n(blocks)
    tables = "".join(to_html(table_text(definition, block, n)) for block in blocks)
    notes = [
        f"{spread_note(definition)}; n = {n} seeds",
        *agents_note(definition, entries),
        *planner_notes(sweep.entries),
        *condition_note(definition, sweep.entries),
        *margins_note(definition),
        *styles_note(blocks),
        *paper_note(blocks),
        *sweep.caveats,
    ]
    notes_html = "".join(f"<div><small>{escape(note)}</small></div>" for note in notes)
    return f"<h4>{escape(definition.title)}</h4>{tables}{notes_html}"


def kitchen_svg(kitchen: Kitchen) -> str | None:
    """Returns the picture of a kitchen as it is now."""
    return scene_svg(kitchen.scene())


# The methods that notebooks call to show an object, by its class.
VIEWS: dict[type, tuple[str, Callable[[Any], str | None]]] = {
    Kitchen: ("_repr_svg_", kitchen_svg),
    Scene: ("_repr_svg_", scene_svg),
    BeliefUpdate: ("_repr_svg_", belief_svg),
    Trace: ("_repr_html_", trace_html),
    StoredSweep: ("_repr_html_", sweep_html),
    Results: ("_repr_html_", results_html),
}
for _class, (_method, _view) in VIEWS.items():
    setattr(_class, _method, _view)
