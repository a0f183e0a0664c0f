"""The command `models`."""

from tui.arguments.options import CommandOptions


class Models(CommandOptions):
    """Options of `models`."""

    name: str | None = None


def models(options: Models) -> None:
    """List the language models on this machine, or download one.

    Raises:
        BBAError: a model cannot be had.
    """
    from tui.commands.listing import download, print_models

    if options.name is None:
        print_models()
    else:
        download(options.name)
