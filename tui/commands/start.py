"""What happens where no command is named: the start screen asks what to play, or the game that is described begins."""

from tui.commands.watch import Watch, watch

NO_GAME = {"theme", "motion", "pause_on", "config"}  # options that leave the question of what to play open


class Start(Watch):
    """Options of a line without a command."""


def start(options: Start) -> None:
    """Ask what to play, unless an option describes a game.

    Raises:
        BBAError: as `watch`.
    """
    if options.model_fields_set - NO_GAME:
        watch(options)
        return
    from tui.commands.game_screen import open_app

    open_app(options, mind=options.mind, bell=options.bell)
