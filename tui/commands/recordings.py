"""The command `recordings`."""

from bba.settings import PlanningOptions, PluginOptions
from tui.arguments.options import ScreenOptions


class Recordings(PluginOptions, PlanningOptions, ScreenOptions):
    """Options of `recordings`."""


def recordings(options: Recordings) -> None:
    """Browse the recorded games.

    Raises:
        BBAError: no terminal that the screen fits into.
    """
    from tui.commands.game_screen import open_app
    from tui.results.recordings_screen import RecordingsScreen

    open_app(options, first=RecordingsScreen(options.speed))
