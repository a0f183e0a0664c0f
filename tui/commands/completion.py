"""The command `completion`."""

from typing import Literal

from tui.arguments.options import CommandOptions


class CompletionOptions(CommandOptions):
    """Options of `completion`."""

    shell: Literal["bash", "zsh", "tcsh", "fish"]


def completion(options: CompletionOptions) -> None:
    """Print a script that completes commands, options and names in a shell."""
    from tui.arguments.completion import print_script

    print_script(options.shell)
