"""Captures the watch screen without a terminal: as a terminal recording of many steps, or as an SVG of one step.

A finished game is shown to the screen step by step, as if it were being played.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any

from rich.color import ColorSystem
from rich.segment import Segment
from textual.app import App
from textual.pilot import Pilot

from bba.play import GameConfig, Trace
from human.keymap import APP_KEYS
from tui.export.screen_svg import screen_svg
from tui.playback.source import PlaybackSource, TracePlayback
from tui.screens.watch import WatchScreen
from tui.style.base_app import BaseApp, bindings

SIZE = (120, 40)  # columns and rows
START, END = "\x1b[?25l\x1b[2J", f"\x1b[{SIZE[1]};1H\x1b[?25h"  # no cursor, cleared; at the end below, with cursor
LAST = 2.0  # seconds for which the last picture stays

Placed = tuple[int, Segment]  # a segment of a line and the column in which it begins


class CaptureApp(BaseApp, inherit_bindings=False):
    """Shows a game on the watch screen; with the keys of the main app in the footer.

    Args:
        screen: the screen.
    """

    BINDINGS = bindings(APP_KEYS)

    def __init__(self, screen: WatchScreen) -> None:
        super().__init__()
        self._watch = screen

    def on_mount(self) -> None:
        self.apply_keys()
        self.push_screen(self._watch)


def to_cast(trace: Trace, steps: range, speed: float) -> bytes:
    """Returns an asciicast (version 2) of these steps at so many steps a second; each frame holds only what changed."""
    width, height = SIZE
    lines = [json.dumps({"version": 2, "width": width, "height": height, "title": title(trace.config)})]
    shown: list[frozenset[Placed]] = [frozenset()] * height

    def keep(app: CaptureApp) -> None:
        # The lines as Textual composes them; its public ways out of a screen are a terminal and a picture.
        now = [list(_placed(strip)) for strip in app.screen._compositor.render_strips()]
        text = "".join(_changes(y, line, shown[y]) for y, line in enumerate(now))
        shown[:] = [frozenset(line) for line in now]
        lines.append(_event((len(lines) - 1) * steps.step / speed, text if len(lines) > 1 else START + text))

    capture(trace, steps, speed, keep)
    lines.append(_event((len(lines) - 1) * steps.step / speed + LAST, END))
    return ("\n".join(lines) + "\n").encode()


def to_svg(trace: Trace, steps: range, speed: float) -> bytes:
    """Returns a picture of the screen after the last of these steps."""
    pictures: list[str] = []

    def keep(app: CaptureApp) -> None:
        pictures.append(picture(app, title(trace.config)))

    capture(trace, steps[-1:], speed, keep)
    return pictures[0].encode()


def picture(app: App[Any], title: str) -> str:
    """Returns the screen of an app as SVG, the same in every viewer."""
    theme = app.current_theme
    lines = app.screen._compositor.render_strips()
    return screen_svg(lines, title, ink=theme.foreground or "#ffffff", ground=theme.background or "#000000")


def title(config: GameConfig) -> str:
    """Returns the title of a game."""
    return f"{config.layout.name}: {' and '.join(config.labels)}, {config.seed_label}"


def capture(trace: Trace, steps: range, speed: float, keep: Callable[[CaptureApp], None]) -> None:
    """Shows a game on the watch screen and calls `keep` after each of these steps, when the screen is drawn.

    The title says that the game runs at `speed` steps a second. The function runs an event loop of its own, so that an
    app must call it in a thread.
    """
    asyncio.run(_capture(trace, steps, speed, keep))


async def _capture(trace: Trace, steps: range, speed: float, keep: Callable[[CaptureApp], None]) -> None:
    source = PlaybackSource(lambda: TracePlayback(trace, 0))
    screen = WatchScreen(source, speed=speed, autostart=False)
    app = CaptureApp(screen)
    async with app.run_test(size=SIZE) as pilot:
        await _settle(pilot)
        screen.playing = True
        for step in steps:
            while len(source.trace.ticks) < step:
                source.step()
            screen.action_newest()
            await _settle(pilot)
            keep(app)


async def _settle(pilot: Pilot[None]) -> None:
    """Waits until everything is drawn; what scrolls is drawn a round later."""
    await pilot.pause(0)
    await pilot.pause(0)


def _event(seconds: float, text: str) -> str:
    return json.dumps([round(seconds, 3), "o", text], ensure_ascii=False)


def _placed(segments: Iterable[Segment]) -> Iterable[Placed]:
    column = 0
    for segment in segments:
        yield column, segment
        column += segment.cell_length


def _changes(y: int, line: Iterable[Placed], before: frozenset[Placed]) -> str:
    """Returns what draws the segments of a line that were not there before."""
    parts: list[str] = []
    at = -1  # the column of the cursor
    for column, segment in line:
        if (column, segment) not in before:
            text, style, _ = segment
            drawn = style.render(text, color_system=ColorSystem.TRUECOLOR) if style else text
            parts.append(drawn if column == at else f"\x1b[{y + 1};{column + 1}H{drawn}")
            at = column + segment.cell_length
    return "".join(parts)
