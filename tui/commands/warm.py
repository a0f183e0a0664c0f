"""The command `warm`."""

import sys

from tui.arguments.options import CommandOptions


class Warm(CommandOptions):
    """Options of `warm`."""


def warm(options: Warm) -> None:  # noqa: ARG001 - it takes none
    """Compile all kernels and say what came of it.

    Raises:
        BBAError: they cannot be stored.
    """
    from bba.bench.warming import compile_all

    for line in compile_all():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
