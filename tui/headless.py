"""Games without a screen: played compiled, summed up on standard output."""

import sys
from collections.abc import Iterator

from bba.bench.measures import Measures, measure
from bba.errors import BBAError
from bba.kernels import compiled_before
from bba.play import Game, Replay, Setup
from bba.settings import Settings
from tui.games import check_recordable, make_game, make_replay, write_recording
from tui.summary import print_json, print_table


def play_headless(settings: Settings) -> None:
    """Play the games that the settings ask for and print their measures.

    Interrupted, it records and prints what it has before it passes the interruption on.

    Raises:
        BBAError: a setting that does not fit.
    """
    check_recordable(settings.record)
    if settings.record is not None and settings.seeds > 1:
        raise BBAError(f"--record: takes one game; --seeds asks for {settings.seeds}")
    _announce_compiling()
    episodes: dict[int, Measures] = {}
    setup: Setup | None = None
    try:
        for game in _games(settings):
            setup = game.trace.setup
            try:
                game.run()
            finally:
                write_recording(game.trace, settings.record)
            if not game.trace.ticks:
                raise BBAError(f"{settings.replay}: the recording holds no step")
            episodes[setup.seed] = measure(game.trace)
    finally:
        if setup is not None and episodes:
            show = print_json if settings.as_json else print_table
            show(setup, episodes)


def _games(settings: Settings) -> Iterator[Game | Replay]:
    """The recorded game, or one for each seed."""
    if settings.replay is not None:
        yield make_replay(settings.replay, fast=True)()
        return
    for seed in range(settings.seed, settings.seed + settings.seeds):
        yield make_game(settings, seed, fast=True)


def _announce_compiling() -> None:
    if sys.stderr.isatty() and not compiled_before():
        sys.stderr.write("compiling the kitchen for this machine; this happens once and takes some 20 seconds\n")
