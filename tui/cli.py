"""The command `bba-tui`: ask what to play, watch a game, replay one, or play without a screen."""

import io
import os
import shutil
import sys
from collections.abc import Sequence

from bba.errors import BBAError
from bba.settings import Settings
from tui.options import parse
from tui.sizes import SMALLEST

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0, 2 after a mistake (one line on stderr), 130 when interrupted."""
    try:
        if sys.stdout is None:
            raise BBAError("standard output is closed")
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal without these signs still gets the rest
        run(parse(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BBAError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # whoever read the output has gone; nothing is left to say
    except OSError as error:
        _discard_output()
        return _complain(f"standard output: {error.strerror or error}")
    return 0


def _complain(problem: str) -> int:
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in problem)
    if sys.stderr is not None:
        sys.stderr.write(f"bba-tui: {line}\n")
    return 2


def _discard_output() -> None:
    """Leave nothing that the interpreter would try to write once more while it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(settings: Settings) -> None:
    """Do what the settings ask for."""
    if settings.version:
        from bba import __version__

        sys.stdout.write(f"bba-tui {__version__}\n")
    elif settings.list_all:
        _list()
    elif settings.headless:
        from tui.headless import play_headless

        play_headless(settings)
    elif settings.model_fields_set:
        _watch(settings)
    else:
        _ask()


def _list() -> None:
    from bba.agents import DESCRIPTIONS, PLANNERS
    from bba.kitchen import Layout

    for title, entries in (
        ("layouts", dict.fromkeys(Layout.names(), "")),
        ("agents and partners", DESCRIPTIONS),
        ("planners", PLANNERS),
    ):
        sys.stdout.write(f"{title}\n")
        for name, description in entries.items():
            sys.stdout.write(f"  {name:18}{description}".rstrip() + "\n")


def _watch(settings: Settings) -> None:
    from tui.feed import LiveFeed
    from tui.games import check_recordable, make_game, make_replay, write_recording

    check_recordable(settings.record)
    if settings.replay is not None:
        feed = LiveFeed(make_replay(settings.replay))
    else:
        feed = LiveFeed(lambda: make_game(settings, settings.seed, fast=False))
    _check_terminal()
    from tui.app import BBAApp

    BBAApp(feed, speed=settings.speed).run()
    write_recording(feed.trace, settings.record)


def _ask() -> None:
    """Nothing is set anywhere: the start screen asks what to play."""
    _check_terminal()
    from tui.app import BBAApp

    BBAApp().run()


def _check_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") in (None, "", "dumb"):
        raise BBAError("the screen needs a terminal; without one use --headless")
    size = shutil.get_terminal_size()
    if size.columns < SMALLEST[0] or size.lines < SMALLEST[1]:
        raise BBAError(
            f"the terminal is too small: {size.columns}x{size.lines}; the screen needs {SMALLEST[0]}x{SMALLEST[1]}"
        )


if __name__ == "__main__":
    sys.exit(main())
