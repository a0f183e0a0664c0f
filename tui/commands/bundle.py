"""The command `bundle`."""

from pathlib import Path

from bba.errors import BBAError
from bba.settings import Plugins
from bba.terminal_text import print_lines, shell_word, visible_line
from tui.arguments.options import CommandOptions, ReplayFile, ResultsFolder

MIB = 2**20


class Bundle(CommandOptions):
    """Options of `bundle`."""

    file: Path
    results: ResultsFolder = None
    replay: ReplayFile = None
    plugins: Plugins = None


def bundle(options: Bundle) -> None:
    """Make one file of results or of a recording, to share.

    Raises:
        BBAError: neither or both are named, the source cannot be read, or the file cannot be written.
    """
    from bba.bundle import write_bundle
    from bba.files import check_writable
    from tui.commands.bundles import opened

    sources: list[Path] = []
    if options.results is not None:
        sources.append(opened(options.results, "results"))
    if options.replay is not None:
        sources.append(opened(options.replay, "recording"))
    if len(sources) != 1:
        raise BBAError("bundle: say of what: --results FOLDER, or --replay FILE")
    (source,) = sources
    try:
        check_writable(options.file)
    except BBAError as error:
        raise BBAError(f"bundle: {error}") from None
    write_bundle(source, options.file)
    size = options.file.stat().st_size / MIB
    command = "results" if source.is_dir() else "replay"
    written = (
        f"written to {visible_line(options.file)}, {size:.1f} MiB, without keys, addresses and the names of accounts"
    )
    print_lines(f"{written}; open it: bba-tui {command} {shell_word(options.file)}")
