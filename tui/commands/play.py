"""The command `play`."""

from tui.arguments.options import PlayedIn
from tui.commands.watch import Watch


class Play(Watch):
    """Options of `play`."""

    play: PlayedIn = None


def play(options: Play) -> None:
    """Be the partner of an agent, unless the options seat a person as the ego.

    Raises:
        BBAError: options that do not go together, or no terminal that the screen fits into.
    """
    from tui.commands.game_screen import play_game

    play_game(options, window=options.play == "window")
