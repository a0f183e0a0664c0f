"""A game as a page that a notebook shows: boards, belief and timeline, with a slider over the steps.

Everything is in the page: the boards of all frames are one image, of which the script shows a part. So it needs no
server, and works in a notebook that is opened again, or exported. Its size is bounded: a long game is shown in steps
that are `FRAMES` at most.
"""

import json
from collections.abc import Iterator
from html import escape
from math import ceil
from typing import Any

import numpy as np

from bba.analysis import names
from bba.analysis.event_log import replan_event
from bba.analysis.replans import KEPT, last_replan
from bba.analysis.snapshot import belief_snapshot, role_posterior
from bba.analysis.timeline import TimelineData
from bba.film.bands import bands
from bba.kitchen.render.painter import Painter
from bba.kitchen.render.sprites import RGBImage
from bba.notebook.belief_bars import LINE, WIDTH, role_bars, width
from bba.notebook.drawing import image_element, svg, text_element
from bba.notebook.kitchen_picture import ART, picture
from bba.palette import DARK
from bba.play.trace import EGO, PARTNER, Trace

FRAMES = 240  # of a page, at most
PIXELS = 4_000_000  # of the boards of all frames together, at most
COLUMNS = 16  # boards beside one another in the image
SCALE = 5  # pixels of the page for one of a board
LINES = 4  # of text below the board
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


def trace_html(trace: Trace) -> str:
    """Returns the page of a game; before its first step, the kitchen alone."""
    if not trace.ticks:
        return picture(trace.config.layout, trace.scene(0))
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
        f'color:{DARK.text};font:13px sans-serif;padding:8px;max-width:{WIDTH + 16}px">'
        f"<div>{escape(title)}</div>{_boards(trace, shown)}{slider}{texts}{_belief(trace)}</div>"
    )


def frame_steps(trace: Trace) -> range:
    """Returns the steps that are shown, evenly, the last one among them."""
    layout = trace.config.layout
    most = max(2, min(FRAMES, PIXELS // (layout.width * layout.height * ART**2)))
    every = ceil(len(trace.ticks) / most)
    return range((len(trace.ticks) - 1) % every + 1, len(trace.ticks) + 1, every)


def _frame(trace: Trace, step: int, number: int) -> dict[str, Any]:
    """Returns what the script needs to know of a frame."""
    layout = trace.config.layout
    wide, high = layout.width * ART, layout.height * ART
    shares = role_posterior(belief_snapshot(trace, step).belief)
    return {
        "board": f"{number % COLUMNS * wide} {number // COLUMNS * high} {wide} {high}",
        "now": (step - 1) * WIDTH // len(trace.ticks),
        "bars": [width(share) for share in shares],
        "shares": [f"{share:.0%}" for share in shares],
        "lines": list(_lines(trace, step)),
    }


def _lines(trace: Trace, step: int) -> Iterator[str]:
    """Yields the text of a step: score, what both players do, and a replan that is recent."""
    tick, seats = trace.ticks[step - 1], trace.config_at(step).labels
    yield f"step {step} of {len(trace.ticks)}, score {tick.score}"
    for player in (EGO, PARTNER):
        yield f"{seats[player]}: {names.skill(tick.skills[player])} (role: {names.role(tick.role(player))})"
    replan = last_replan(trace, step, KEPT)
    yield f"step {replan}: {replan_event(belief_snapshot(trace, replan))}" if replan else ""


def _boards(trace: Trace, shown: range) -> str:
    """Returns the boards of all frames as one image, through a window that shows the first."""
    layout = trace.config.layout
    painter = Painter(layout.rows, ART, layout.pass_counters)
    wide, high = layout.width * ART, layout.height * ART
    columns, rows = min(COLUMNS, len(shown)), ceil(len(shown) / COLUMNS)
    image: RGBImage = np.zeros((rows * high, columns * wide, 3), np.uint8)
    for number, step in enumerate(shown):
        top, left = number // COLUMNS * high, number % COLUMNS * wide
        image[top : top + high, left : left + wide] = painter.paint(trace.scene(step))
    return (
        f'<svg class="board" viewBox="0 0 {wide} {high}" '
        f'style="display:block;width:100%;max-width:{wide * SCALE}px">'
        f"{image_element(image, (columns * wide, rows * high))}</svg>"
    )


def _belief(trace: Trace) -> str:
    """Returns the belief of the first frame as bars, and below it all steps as a timeline."""
    timeline = TimelineData(trace)
    timeline.extend()
    over_time = bands(timeline, range(1, len(trace.ticks) + 1), WIDTH)
    first = belief_snapshot(trace, frame_steps(trace)[0])
    whose = "the passive observer" if first.observer else trace.config.labels[EGO]
    shares = role_posterior(first.belief)
    top = LINE * (len(shares) + 1) + HEAD
    below = "over time; below it the true role of the partner, and the role of the ego"
    height = top + len(over_time)
    now = f'<rect class="now" x="0" y="{top}" width="2" height="{len(over_time)}" fill="{DARK.bright}"/>'
    parts = [text_element(f"belief of {whose}", (0, 14)), *role_bars(shares, LINE)]
    parts += [text_element(below, (0, top - 6), DARK.dim), image_element(over_time, (WIDTH, len(over_time)), (0, top))]
    return svg([*parts, now], WIDTH, height)
