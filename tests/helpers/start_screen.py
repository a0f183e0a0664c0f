"""What tests of the start screen share: its size, the game that it started, and what it finds wrong."""

from textual.widgets import Static

from tui.app.app import BBAApp
from tui.screens.watch import WatchScreen

SIZE = (80, 24)


def config(app: BBAApp):
    assert isinstance(app.screen, WatchScreen)
    return app.game_screen.source.config


def problem(screen, under: str = "") -> str:
    return str(screen.query_one(f"{under} .problem", Static).visual)
