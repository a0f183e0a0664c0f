"""The command `list`."""

from tui.arguments.options import CommandOptions


class List(CommandOptions):
    """Options of `list`."""


def list_all(options: List) -> None:  # noqa: ARG001 - it takes none
    """Print the kitchens, agents, planners, benchmarks, files and keys there are."""
    from tui.commands.listing import print_list

    print_list()
