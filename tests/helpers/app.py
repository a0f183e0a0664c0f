"""What the tests of the screen share: games with no planner in them, moments, and made-up ticks."""

from rich.style import Style
from textual.screen import Screen
from textual.widget import Widget

from bba.agents import SeatSpec, load_agent
from bba.agents.planners import BACKENDS
from bba.play import Game
from tests.helpers.games import game
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.screens.side_panels import SWITCHED
from tui.style.terminal import KeepsLines


def fresh_source(steps: int = 0, **settings) -> PlaybackSource:
    """A source that has played so many steps; compiled, which takes a seventh of the time and gives the same game."""
    source = PlaybackSource(lambda: game(**{"fast": True} | settings))
    for _ in range(steps):
        source.step()
    return source


def slow_source(monkeypatch, backend, agent: str = "bayes", *, real_time: bool = True) -> PlaybackSource:
    """A source whose ego is planned for by this backend, with 1000 steps and, in real time, nobody waiting for it."""
    monkeypatch.setitem(BACKENDS, "slow", lambda _: backend)
    options = SeatSpec(planner="slow", live=True, real_time=real_time)
    return PlaybackSource(
        lambda: Game("open", load_agent(agent, options), "switching", 4, horizon=1000), options=options
    )


def paused_app(steps: int = 0, app: dict | None = None, **settings) -> BBAApp:
    """The app on a game after so many steps, its clock and all motion stopped; `app` holds options of its own."""
    return BBAApp(fresh_source(steps, **settings), autostart=False, **{"motion": False} | (app or {}))


def with_panels(app: BBAApp, *names: str) -> BBAApp:
    """The app with these panels of the watch screen switched on from the start, all of them if none is named."""
    app.panels = names or tuple(SWITCHED)[:-1]
    return app


def texts(lines) -> list[str]:
    """The plain text of lines."""
    return [line.plain for line in lines]


def draw_anew(screen: Screen[object]) -> None:
    """Has every line made anew that a widget has kept; it is one that was kept."""
    for widget in screen.walk_children(KeepsLines):
        if widget.region:
            kept = _cells(widget)
            widget.refresh()
            assert kept == _cells(widget), widget


def _cells(widget: Widget) -> list[tuple[str, Style | None]]:
    """The cells of a widget, line by line: characters and their looks."""
    segments = (segment for line in widget.render_lines(widget.outer_size.region) for segment in line)
    return [(char, style and style.clear_meta_and_links()) for text, style, _ in segments for char in text]
