"""The command `merge`."""

from pathlib import Path

from bba.errors import BBAError
from bba.terminal_text import note_lines, print_lines, visible_line
from tui.arguments.options import CommandOptions, Out


class Merge(CommandOptions):
    """Options of `merge`."""

    folders: str
    out: Out = None


def merge(options: Merge) -> None:
    """Put the results of several folders together in the folder of --out, and say how many episodes it holds then.

    Raises:
        BBAError: there is no --out, or a folder cannot be used.
    """
    from bba.bench.results_transfer import merge as merge_folders
    from tui.commands.output import kept_line

    if options.out is None:
        raise BBAError("merge: say into which folder with --out")
    folders = [Path(name.strip()) for name in options.folders.split(",")]
    episodes, damage = merge_folders(folders, options.out)
    note_lines(*map(visible_line, damage))
    counted = "1 episode" if episodes == 1 else f"{episodes} episodes"
    folder = visible_line(options.out)
    print_lines(f"{folder} holds {counted}; the benchmark into it plays what is missing", kept_line(options.out))
