"""The command `watch`."""

from tui.arguments.options import PeopleOptions, ShownGame, ShownPair, WatchedGame


class Watch(ShownPair, PeopleOptions, WatchedGame, ShownGame):
    """Options of `watch`."""


def watch(options: Watch) -> None:
    """Watch two agents cook; a person whom the options seat plays.

    Raises:
        BBAError: options that do not go together, or no terminal that the screen fits into.
    """
    from tui.commands.game_screen import person_is_seated, play_game, watch_game

    if person_is_seated(options):
        play_game(options)
    else:
        watch_game(options)
