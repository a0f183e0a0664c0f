"""The command `export`."""

from pathlib import Path

from tui.arguments.options import CommandOptions, Duel, ReplayFile, ScreenlessGame, Theme


class Export(ScreenlessGame, CommandOptions):
    """Options of `export`."""

    file: Path
    replay: ReplayFile = None
    duel: Duel = False
    theme: Theme = None


def export(options: Export) -> None:
    """Write a game, or a recorded one, as a film, a picture or a table.

    Raises:
        BBAError: an unsuitable option, or a file that cannot be written.
    """
    from tui.commands.bundles import opened
    from tui.commands.game_playing import play_headless

    replay = None if options.replay is None else opened(options.replay, "recording")
    play_headless(options, replay=replay, export=options.file, duel=options.duel, as_json=False)
