"""The command `duel`."""

from tui.arguments.options import DuelGame, ShownGame


class Duel(DuelGame, ShownGame):
    """Options of `duel`."""


def duel(options: Duel) -> None:
    """Watch two egos in the same game, side by side.

    Raises:
        BBAError: options that do not go together, or no terminal that the screen fits into.
    """
    from bba.analysis.kitchen_structure import warn_of_layout
    from bba.kitchen import Layout
    from tui.commands.game_screen import show
    from tui.game_factory import check_output, duel_source

    check_output("record", options.record, force=options.force)
    warn_of_layout(Layout.load(options.layout))
    show(duel_source(options, options.record), options)
