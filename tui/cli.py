"""The command `bba-tui`: parses the command line and calls the command that it asks for."""

import atexit
import gc
import io
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from bba import __version__
from bba.errors import BBAError, refuse
from bba.settings import Settings
from bba.terminal_text import note_lines, visible_line
from tui.arguments import check_companions, command_of, help_page, parse
from tui.commands.terminal import TERMINATED, Terminated

if TYPE_CHECKING:
    from bba.bundle import Kind

INTERRUPTED = 130
LONG_WORD = re.compile(r"\S{250,}")  # words that are cut in error lines
# option: what the bundle must hold
OPENED: "Mapping[str, Kind]" = {"results": "results", "report": "results", "replay": "recording"}
COLLECT_AFTER = 50_000  # new objects; Python's 700 cost a tenth of the start, whose objects are there to stay


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code: 0, 2 after a mistake (one line on stderr), 130 or 143 if interrupted."""
    gc.set_threshold(COLLECT_AFTER)
    atexit.register(gc.freeze)  # Python would else look through all objects once more as it ends: 0.2 s after a game
    try:
        refuse((sys.stdout is None, "standard output is closed"))
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal without some of the signs still gets the rest
        words = sys.argv[1:] if arguments is None else arguments
        page = help_page(words)
        if page is None:
            run(parse(words))
        else:
            sys.stdout.write(page)
        sys.stdout.flush()
    except BBAError as error:
        return _complain(str(error))
    except Terminated:
        return TERMINATED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # nobody reads the output any more
    except OSError as error:
        if error.filename is not None:  # a path that not even the system takes
            return _complain(f"{error.filename}: {error.strerror}")
        _discard_output()
        return _complain(f"standard output: {error.strerror or error}")
    return 0


def _complain(problem: str) -> int:
    short = LONG_WORD.sub(lambda word: f"{word[0][:100]}…{word[0][-20:]}", problem)
    note_lines(f"bba-tui: {visible_line(short)}")
    return 2


def _discard_output() -> None:
    """Leaves no output that the interpreter would try to write again at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(settings: Settings) -> None:
    """Runs the command that the settings ask for, once what goes together is checked and bundles are opened.

    Its module is imported only now, so that every command starts quickly.
    """
    if settings.version:
        sys.stdout.write(f"bba-tui {__version__}\n")
        return
    check_companions(settings)
    if settings.plugins is not None:
        from bba.plugins import allow

        for source in settings.plugins.split(","):
            allow(source.strip())
    if settings.config is not None:
        from tui.preferences import check_keys

        check_keys(settings.config)
    settings = _with_opened_bundles(settings)
    resolve_name(command_of(settings).run)(settings)


def _with_opened_bundles(settings: Settings) -> Settings:
    """Returns the settings with the folder, or the recording, that a bundle was opened as in the place of the bundle.

    Raises:
        BBAError: a bundle is damaged, holds what it must not, or cannot be opened.
    """
    named = {name: getattr(settings, name) for name in OPENED if getattr(settings, name) is not None}
    if not named:
        return settings
    from bba.bundle import is_archive, opened_bundle

    bundles = {name: opened_bundle(path, OPENED[name]) for name, path in named.items() if is_archive(path)}
    return settings.model_copy(update=bundles)


if __name__ == "__main__":
    sys.exit(main())
