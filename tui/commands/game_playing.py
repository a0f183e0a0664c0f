"""Games without a screen, with their measures."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from bba.analysis import measure, plugin_measure
from bba.analysis.kitchen_structure import warn_of_layout
from bba.bench.formatting import fallback_note
from bba.errors import BBAError, seeds_from
from bba.kitchen import Layout
from bba.play import Game, GameConfig, Replay, Trace, load
from tui.arguments.options import RecordOptions, ScreenlessGame
from tui.commands.compiling import compiling_told
from tui.commands.output import Episodes, print_games_json, print_games_table
from tui.game_factory import (
    check_output,
    duelists,
    make_game,
    make_replay,
    write_recording,
)

if TYPE_CHECKING:
    from tui.commands.filming import Film


def play_headless(
    options: ScreenlessGame, *, seeds: int = 1, replay: Path | None, export: Path | None, duel: bool, as_json: bool
) -> None:
    """Plays games and prints their measures.

    When interrupted, it records and prints what it has, then raises KeyboardInterrupt.

    Args:
        options: the game, and where it is recorded.
        seeds: how many games, one a seed.
        replay: a recording, which takes the game's place.
        export: the file into which the game is written; None for none.
        duel: whether it is a duel.
        as_json: whether the measures are printed as one JSON object.

    Raises:
        BBAError: an unsuitable option.
    """
    for option, file in (("record", options.record), ("export", export)):
        if file is not None and seeds > 1:
            raise BBAError(f"--{option}: takes one game; --seeds asks for {seeds}")
    check_output("record", options.record, force=options.force)
    if replay is None:
        warn_of_layout(Layout.load(options.layout))
    elif not duel:
        duel = load(replay).other is not None
    film = None
    if export is not None or options.export_steps is not None:
        from tui.commands.filming import checked_film

        film = checked_film(options, replay, export, duel=duel)
    if duel:
        _play_duel(options, replay, film, as_json=as_json)
    elif replay is not None:
        _play_games(options, [make_replay(replay, fast=True)()], film, as_json=as_json)
    else:
        games = (make_game(options, seed, fast=True) for seed in seeds_from(options.seed, seeds))
        _play_games(options, games, film, as_json=as_json)


def _play_games(options: ScreenlessGame, games: Iterable[Game | Replay], film: "Film | None", *, as_json: bool) -> None:
    """Plays games one after the other, records each, and prints the measures of all that were played."""
    names = [name.strip() for name in (options.measures or "").split(",")]
    own_measures = [plugin_measure(name).target for name in names if name]
    episodes: Episodes = {}
    config: GameConfig | None = None
    try:
        for game in games:
            config = game.trace.config
            if film is not None and isinstance(game, Game):
                cooks = " with ".join(config.labels)
                sys.stderr.write(f"playing {config.layout.name}, {cooks}, seed {config.seed} …\n")
            try:
                with compiling_told(verbose=options.verbose):
                    game.run()
                if isinstance(game, Replay) and not game.trace.ticks:
                    raise BBAError(f"{game.source}: the recording holds no step")
                # Before it is recorded: the disk may be full.
                episodes[config.seed] = measure(game.trace, own=own_measures)
            finally:
                if game.trace.ticks:  # one whose model is dead has none
                    write_recording(game.trace, options.record, force=options.force)
            if film is not None:
                film.write([game.trace])
    finally:
        if config is not None and episodes:
            _print_games(config, episodes, as_json=as_json)
            sys.stderr.writelines(f"{line}\n" for line in fallback_note(episodes.values()))


def _print_games(config: GameConfig, episodes: Episodes, *, as_json: bool) -> None:
    if as_json:
        print_games_json(config, episodes)
    else:
        print_games_table(config, episodes)


def _play_duel(options: ScreenlessGame, replay: Path | None, film: "Film | None", *, as_json: bool) -> None:
    """Plays both games of a duel, or of its recording, and prints their measures one after the other."""
    if replay is None:
        games: list[Game | Replay] = [make_game(game, game.seed, fast=True) for game in duelists(options)]
    else:
        first_recording = load(replay)
        recordings = [recording for recording in (first_recording, first_recording.other) if recording]
        games = [Replay(recording, str(replay), fast=True) for recording in recordings]
    first, second = (game.trace for game in games)
    try:
        for game in games:
            game.run()
    finally:
        _keep_duel(options, first, second, as_json=as_json)
    if film is not None:
        film.write([first, second])


def _keep_duel(options: RecordOptions, first: Trace, second: Trace, *, as_json: bool) -> None:
    """Records both games of a duel, as far as they were played, and prints their measures."""
    try:
        if first.ticks:
            write_recording(first, options.record, second if second.ticks else None, force=options.force)
    finally:  # the disk may be full
        for trace in (first, second):
            if trace.ticks:
                _print_games(trace.config, {trace.config.seed: measure(trace)}, as_json=as_json)
