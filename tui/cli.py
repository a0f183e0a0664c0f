"""The command `bba-tui`: watch a game, replay one, or play without a screen."""

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
        run(parse(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BBAError as error:
        sys.stderr.write(f"bba-tui: {error}\n")
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; nothing is left to say, not even while the interpreter shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


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
    else:
        _watch(settings)


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
    from tui.games import check_writable, make_game, make_replay, write_recording

    check_writable(settings.record)
    if settings.replay is not None:
        feed = LiveFeed(make_replay(settings.replay))
    else:
        feed = LiveFeed(lambda: make_game(settings, settings.seed, fast=False))
    _check_terminal()
    from tui.app import BBAApp

    BBAApp(feed, speed=settings.speed).run()
    write_recording(feed.trace, settings.record)


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
