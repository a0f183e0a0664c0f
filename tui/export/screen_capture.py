"""Pictures of the watch screen: as a terminal cast of many steps, or as an SVG of one."""

import json
from collections.abc import Iterable

from rich.color import ColorSystem
from rich.segment import Segment

from bba.play import GameConfig, Trace
from tui.app.app import BBAApp
from tui.export.stage import SIZE, perform_offscreen

START, END = "\x1b[?25l\x1b[2J", f"\x1b[{SIZE[1]};1H\x1b[?25h"  # no cursor, clean; at the end below, with cursor
LAST = 2.0  # seconds that the last picture stays

Placed = tuple[int, Segment]  # a piece of a line with the column in which it begins


def to_cast(trace: Trace, steps: range, speed: float) -> bytes:
    """An asciicast (version 2) of these steps at so many steps a second: of each only what changed."""
    width, height = SIZE
    lines = [json.dumps({"version": 2, "width": width, "height": height, "title": title(trace.config)})]
    shown: list[frozenset[Placed]] = [frozenset()] * height

    def keep(app: BBAApp) -> None:
        # The lines as Textual composes them; its public ways out of a screen are a terminal and a picture.
        now = [list(_placed(strip)) for strip in app.screen._compositor.render_strips()]
        text = "".join(_changes(y, line, shown[y]) for y, line in enumerate(now))
        shown[:] = [frozenset(line) for line in now]
        lines.append(_event((len(lines) - 1) * steps.step / speed, text if len(lines) > 1 else START + text))

    perform_offscreen(trace, steps, speed, keep)
    lines.append(_event((len(lines) - 1) * steps.step / speed + LAST, END))
    return ("\n".join(lines) + "\n").encode()


def to_svg(trace: Trace, steps: range, speed: float) -> bytes:
    """The screen after the last of these steps."""
    pictures: list[str] = []
    perform_offscreen(
        trace, steps[-1:], speed, lambda app: pictures.append(app.export_screenshot(title=title(trace.config)))
    )
    return pictures[0].encode()


def title(config: GameConfig) -> str:
    """What a game is called in a line."""
    return f"{config.layout.name}: {config.agents[0]} and {config.agents[1]}, seed {config.seed}"


def _event(seconds: float, text: str) -> str:
    return json.dumps([round(seconds, 3), "o", text], ensure_ascii=False)


def _placed(segments: Iterable[Segment]) -> Iterable[Placed]:
    column = 0
    for segment in segments:
        yield column, segment
        column += segment.cell_length


def _changes(y: int, line: Iterable[Placed], before: frozenset[Placed]) -> str:
    """What draws the pieces of a line that were not there before."""
    parts: list[str] = []
    at = -1  # the column in which the cursor stands
    for column, segment in line:
        if (column, segment) not in before:
            text, style, _ = segment
            drawn = style.render(text, color_system=ColorSystem.TRUECOLOR) if style else text
            parts.append(drawn if column == at else f"\x1b[{y + 1};{column + 1}H{drawn}")
            at = column + segment.cell_length
    return "".join(parts)
