"""What is sent to the terminal, part by part, is what the screen shows."""

from collections.abc import Iterable

import pytest
from rich.segment import Segment
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.strip import Strip

from tests.helpers.app import paused_app
from tests.helpers.wait_for_idle import until
from tui.style.compositor import PartsUpdate

Seen = tuple[str, object, object, object]


class Terminal:
    """A terminal that keeps what it is sent: a character and its colours in every cell."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], Seen] = {}
        self.parts = 0

    def take(self, update: object) -> None:
        """Draws one update."""
        if isinstance(update, LayoutUpdate):
            for row, strips in enumerate(update.strips, update.region.y):
                self._write(update.region.x, row, (segment for strip in strips for segment in strip))
        elif isinstance(update, PartsUpdate):
            for column, row, strip in update._parts:
                self._write(column, row, strip)
                self.parts += 1
        else:
            assert update is None

    def _write(self, column: int, row: int, segments: Iterable[Segment]) -> None:
        self.cells |= {(column + at, row): cell for at, cell in enumerate(_cells(segments))}


def _cells(segments: Iterable[Segment]) -> Iterable[Seen]:
    """Yields the cells of segments; a space has no foreground and no weight that could be seen."""
    for text, style, _ in segments:
        back, fore, bold = (style.bgcolor, style.color, style.bold) if style else (None, None, None)
        yield from ((char, back, *((None, None) if char == " " else (fore, bold))) for char in text)


def _shown(strips: list[Strip]) -> dict[tuple[int, int], Seen]:
    return {(column, row): cell for row, strip in enumerate(strips) for column, cell in enumerate(_cells(strip))}


@pytest.fixture
def terminal(monkeypatch) -> Terminal:
    """What an app under test would have sent."""
    terminal, display = Terminal(), App._display

    def take(app, screen, update):
        terminal.take(update)
        display(app, screen, update)

    monkeypatch.setattr(App, "_display", take)
    return terminal


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_terminal_shows_the_screen_after_every_key(terminal, size):
    app = paused_app()
    async with app.run_test(size=size) as pilot:
        for key in (
            "right",
            *["."] * 12,
            "p",
            "u",
            "right",
            "t",
            "up",
            "down",
            "t",
            "escape",
            "left",
            "space",
            "space",
        ):
            await pilot.press(key)
            await pilot.pause()
        await pilot.pause()
        assert terminal.cells == _shown(app.screen._compositor.render_strips())
    assert terminal.parts > 50


@pytest.mark.thorough
async def test_what_lies_over_a_panel_stays_when_the_panel_changes(terminal):
    app = paused_app()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.notify("over the panels", timeout=600)
        await until(pilot, lambda: "over the panels" in _text(app))
        for _ in range(5):
            await pilot.press("right")
            await pilot.pause()
        await pilot.pause()
        assert terminal.cells == _shown(app.screen._compositor.render_strips())
        assert "over the panels" in _text(app)


def _text(app: App) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())
