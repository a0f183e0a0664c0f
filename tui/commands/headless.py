"""The command `headless`."""

from tui.arguments.options import AsJson, CommandOptions, Duel, ExportFile, ReplayFile, ScreenlessGame, Seeds


class Headless(ScreenlessGame, CommandOptions):
    """Options of `headless`."""

    seeds: Seeds = 1
    as_json: AsJson = False
    duel: Duel = False
    replay: ReplayFile = None
    export: ExportFile = None


def headless(options: Headless) -> None:
    """Play without a screen and print the measures.

    Raises:
        BBAError: an unsuitable option, or a game that cannot be played.
    """
    from tui.commands.bundles import opened
    from tui.commands.game_playing import play_headless

    replay = None if options.replay is None else opened(options.replay, "recording")
    play_headless(
        options,
        seeds=options.seeds,
        replay=replay,
        export=options.export,
        duel=options.duel,
        as_json=options.as_json,
    )
