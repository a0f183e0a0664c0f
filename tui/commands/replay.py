"""The command `replay`."""

from pathlib import Path

from bba.settings import PlayerOptions, PluginOptions
from tui.arguments.options import ShownGame


class ReplayOptions(PluginOptions, PlayerOptions, ShownGame):
    """Options of `replay`."""

    recording: Path


def replay(options: ReplayOptions) -> None:
    """Watch a recorded game.

    Raises:
        BBAError: a file that cannot be read, or no terminal that the screen fits into.
    """
    from tui.arguments.seat_options import agent_options
    from tui.commands.bundles import opened
    from tui.commands.game_screen import show
    from tui.game_factory import check_output, recorded_source

    file = opened(options.recording, "recording")
    check_output("record", options.record, force=options.force)
    seat_options = agent_options(options, live=True, real_time=options.real_time)
    show(recorded_source(file, seat_options.as_partner({})), options)
