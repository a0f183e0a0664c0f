"""The command `design`."""

from tui.arguments.options import ScreenOptions, WatchedGame


class Design(WatchedGame, ScreenOptions):
    """Options of `design`."""

    kitchen: str = "new"


def design(options: Design) -> None:
    """Draw a kitchen: a .toml file, new or not, or a name to begin from.

    Raises:
        BBAError: a file that cannot be read, or no terminal that the screen fits into.
    """
    from tui.commands.game_screen import open_app
    from tui.design.kitchen_file import named_kitchen
    from tui.design.screen import DesignScreen

    open_app(options, first=DesignScreen(*named_kitchen(options.kitchen), options))
