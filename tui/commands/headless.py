"""The commands `headless`, `export`, `prompt` and `warm`: games without a screen, their measures, films and prompts."""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bba.agents.handmade_scene import HandmadeScene, prompt_of, scene
from bba.analysis import measure, plugin_measure
from bba.analysis.kitchen_structure import warn_of_layout
from bba.errors import BBAError, seeds_from
from bba.files import read_toml
from bba.film.formats import StepRange, check_exportable, write
from bba.kernels import COMPILING
from bba.kitchen import Layout
from bba.planner import Message
from bba.play import EGO, Game, GameConfig, Replay, Trace, load
from bba.report.formatting import fallback_note
from bba.settings import Settings
from bba.terminal_text import note_lines, visible_line
from tui.commands.output import Episodes, describe, print_games_json, print_games_table
from tui.export.formats import DUEL_FORMATS, FORMATS
from tui.game_factory import (
    agent_options,
    check_output,
    duelists,
    make_game,
    make_replay,
    taken_meanwhile,
    write_recording,
)


def play_headless(settings: Settings) -> None:
    """Plays the games that the settings ask for and prints their measures.

    When interrupted, it records and prints what it has, then raises KeyboardInterrupt.

    Raises:
        BBAError: an unsuitable setting.
    """
    if settings.play is not None:
        raise BBAError("--play: needs the screen; --headless and --export play without one")
    for option, file in (("record", settings.record), ("export", settings.export)):
        if file is not None and settings.seeds > 1:
            raise BBAError(f"--{option}: takes one game; --seeds asks for {settings.seeds}")
    check_output(settings, "record")
    if settings.replay is None:
        warn_of_layout(Layout.load(settings.layout))
    duel = settings.duel
    if not duel and settings.replay is not None:
        duel = load(settings.replay).other is not None
    span = _check_export(settings, duel=duel)
    if duel:
        _play_duel(settings, span)
        return
    names = [name.strip() for name in (settings.measures or "").split(",")]
    own_measures = [plugin_measure(name).target for name in names if name]
    episodes: Episodes = {}
    config: GameConfig | None = None
    seeds = seeds_from(settings.seed, settings.seeds)
    games: Iterable[Game | Replay]
    if settings.replay is None:
        games = (make_game(settings, seed, fast=True) for seed in seeds)
    else:
        games = [make_replay(settings.replay, fast=True)()]
    try:
        for game in games:
            config = game.trace.config
            if settings.export is not None and settings.replay is None:
                cooks = " with ".join(config.labels)
                sys.stderr.write(f"playing {config.layout.name}, {cooks}, seed {config.seed} …\n")
            try:
                with COMPILING.told(sys.stderr):
                    game.run()
                if not game.trace.ticks:
                    raise BBAError(f"{settings.replay}: the recording holds no step")
                # Before it is recorded: the disk may be full.
                episodes[config.seed] = measure(game.trace, own=own_measures)
            finally:
                if game.trace.ticks:  # one whose model is dead has none
                    write_recording(game.trace, settings)
            if settings.export is not None:
                _export([game.trace], settings.export, span, settings)
    finally:
        if config is not None and episodes:
            _print_games(settings, config, episodes)
            sys.stderr.writelines(f"{line}\n" for line in fallback_note(episodes.values()))


def _print_games(settings: Settings, config: GameConfig, episodes: Episodes) -> None:
    if settings.as_json:
        print_games_json(config, episodes)
    else:
        print_games_table(config, episodes)


def _play_duel(settings: Settings, span: StepRange) -> None:
    """Plays both games of a duel, or of its recording, and prints their measures one after the other."""
    if settings.replay is None:
        games: list[Game | Replay] = [
            make_game(game_settings, game_settings.seed, fast=True) for game_settings in duelists(settings)
        ]
    else:
        first_recording = load(settings.replay)
        recordings = [recording for recording in (first_recording, first_recording.other) if recording]
        games = [Replay(recording, str(settings.replay), fast=True) for recording in recordings]
    first, second = (game.trace for game in games)
    try:
        for game in games:
            game.run()
    finally:
        _keep_duel(settings, first, second)
    if settings.export is not None:
        _export([first, second], settings.export, span, settings)


def _keep_duel(settings: Settings, first: Trace, second: Trace) -> None:
    """Records both games of a duel, as far as they were played, and prints their measures."""
    try:
        if first.ticks:
            write_recording(first, settings, second if second.ticks else None)
    finally:  # the disk may be full
        for trace in (first, second):
            if trace.ticks:
                _print_games(settings, trace.config, {trace.config.seed: measure(trace)})


def _check_export(settings: Settings, *, duel: bool) -> StepRange:
    """Checks before the game what cannot be exported after it; returns the steps to export.

    Raises:
        BBAError: the file cannot be written or exists already, or there will be no such steps.
    """
    if settings.export is not None:
        formats = DUEL_FORMATS if duel else FORMATS
        check_output(settings, "export", lambda path: check_exportable(path, formats))
    try:
        span = StepRange()
        if settings.export_steps is not None:
            span = StepRange.parse(settings.export_steps)
        if settings.replay is None:
            span.of(settings.horizon)
    except BBAError as error:
        raise BBAError(f"--export-steps: {error}") from None
    return span


def _export(games: Sequence[Trace], path: Path, span: StepRange, settings: Settings) -> None:
    """Writes the file and says so; on a terminal also before, because a film takes a while."""
    if sys.stderr is not None and sys.stderr.isatty():
        note_lines(f"writing {visible_line(path)} …")
    formats = FORMATS if len(games) == 1 else DUEL_FORMATS
    written = write(games, path, span, settings.film_speed, formats, replace=settings.force)
    note_lines(f"{taken_meanwhile(path, written)}wrote {visible_line(written)}")


def show_prompt(settings: Settings) -> None:
    """Plays to a step and prints what the ego's model is sent if it must choose a skill there, message by message.

    With a scene made by hand nothing is played. As JSON it is one object: what was played, and under `prompts` each
    question with its messages.

    Raises:
        BBAError: an unsuitable setting, or an ego that asks no model.
    """
    if settings.scene is not None:
        handmade = read_toml(settings.scene, HandmadeScene)
        templates = agent_options(settings).templates
        messages = prompt_of(
            scene(**dict(handmade)),
            handmade.belief,
            player=handmade.player,
            agent=settings.agent,
            prompts=templates,
        )
        circumstances = {
            "layout": handmade.kitchen.name,
            "agent": settings.agent,
            "player": handmade.player,
            "step": handmade.step,
        }
        _print_prompts([("plan", messages)], circumstances, as_json=settings.as_json)
        return
    if settings.step >= settings.horizon:
        raise BBAError(f"--step: {settings.step} is not allowed; the game ends at step {settings.horizon}")
    game = make_game(settings, settings.seed, fast=False)
    config = game.trace.config
    if config.seats[EGO].planner is None:
        raise BBAError(f"--show-prompt: {settings.agent} asks no model")
    while game.kitchen.steps < settings.step:
        game.step()
    game.time_out_skill(EGO)
    decision = game.step().decisions[EGO]
    circumstances = describe(config) | {"seed": config.seed, "player": EGO, "step": settings.step}
    prompts = [(call.kind, call.messages[: 2 + 2 * call.turns]) for call in decision.calls]
    _print_prompts(prompts, circumstances, as_json=settings.as_json)


def _print_prompts(
    prompts: Sequence[tuple[str, Sequence[Message]]], circumstances: dict[str, Any], *, as_json: bool
) -> None:
    """Prints the messages of each question.

    Args:
        prompts: each question and its messages, in the order in which they are sent.
        circumstances: the game, or the scene, in which they are sent, as JSON types.
        as_json: as one JSON object, else as text.
    """
    if as_json:
        prompts_data = [{"question": question, "messages": list(messages)} for question, messages in prompts]
        text = json.dumps(circumstances | {"prompts": prompts_data}, ensure_ascii=False)
        sys.stdout.write(f"{text}\n")
        return
    for question, messages in prompts:
        for message in messages:
            sys.stdout.write(f"--- {question}: {message['role']} ---\n{message['content']}\n")


def compile_kernels(_: Settings) -> None:
    """Compiles all kernels and says what came of it.

    Raises:
        BBAError: they cannot be stored.
    """
    from bba.bench.warming import compile_all

    for line in compile_all():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
