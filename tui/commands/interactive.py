"""The commands with a screen: watch a game, play one, browse results, or ask what to play."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bba.agents import HUMAN
from bba.analysis.kitchen_structure import warn_of_layout
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import Settings
from bba.terminal_text import print_lines, visible_line
from tui.commands.terminal import check_terminal, interrupted_by_sigterm, is_plain, note_lacking_encoding, run_app
from tui.game_factory import (
    SessionRequest,
    agent_options,
    check_output,
    duel_source,
    live_source,
    recorded_source,
    session_request,
    write_recording,
)
from tui.playback.best_scores import BestScores
from tui.playback.pauses import parse_pauses
from tui.playback.source import PlaybackSource
from tui.preferences import CHOSEN_SETTINGS, AppState, preferences

if TYPE_CHECKING:
    from tui.style.base_screen import BaseScreen

NO_GAME = {"theme", "motion", "pause_on", "config", "watch"}  # settings that leave the question of what to play open


def interact(settings: Settings) -> None:
    """Opens the screen that the settings ask for.

    Raises:
        BBAError: settings that do not go together, or no terminal that the screen fits into.
    """
    if settings.results is not None:
        _browse_results(settings, settings.results)
    elif settings.recordings:
        from tui.results.recordings_screen import RecordingsScreen

        _open(settings, first=RecordingsScreen(settings.speed))
    elif settings.learn and is_plain(settings):
        from tui.plain import games

        note_lacking_encoding(settings)
        with interrupted_by_sigterm():
            games.learn(preferences(settings).keymap)
    elif settings.learn:
        _open(settings, learn=True)
    elif settings.design is not None:
        from tui.design.kitchen_file import named_kitchen
        from tui.design.screen import DesignScreen

        _open(settings, first=DesignScreen(*named_kitchen(settings.design), settings))
    elif _is_for_a_person(settings):
        _play(settings)
    elif settings.watch or settings.model_fields_set - NO_GAME:
        _watch(settings)
    else:  # the start screen asks what to play
        _open(settings)


def _is_for_a_person(settings: Settings) -> bool:
    if settings.duel:
        return False
    return settings.play is not None or HUMAN in (settings.agent, settings.partner)


def _browse_results(settings: Settings, folder: Path) -> None:
    from bba.bench.results_reader import load_results
    from bba.bench.results_store import RESULTS_FILE
    from tui.results.rows import result_folders
    from tui.results.screens import USUAL, ResultFoldersScreen, ResultsScreen

    has_results = (folder / RESULTS_FILE).is_file()
    if not has_results and (folder == USUAL or result_folders(folder)):
        _open(settings, first=ResultFoldersScreen(folder))
    else:
        _open(settings, first=ResultsScreen(load_results(folder)))


def _watch(settings: Settings) -> None:
    check_output(settings, "record")
    if settings.replay is None:
        warn_of_layout(Layout.load(settings.layout))
    source = _source(settings)
    if source.other is not None and settings.plain:
        raise BBAError("--plain: a duel needs the screen")
    if source.other is not None or not is_plain(settings):
        try:
            _open(settings, source=source)
        finally:
            rival_trace = None if source.other is None else source.other.trace
            write_recording(source.trace, settings, rival_trace)
            source.forget_so_far()
        return
    note_lacking_encoding(settings)
    from tui.plain import games

    paced = sys.stdin is not None and (sys.stdin.isatty() or "speed" in settings.model_fields_set)
    speed = None
    if paced:
        speed = preferences(settings).speed or settings.speed
    pauses = parse_pauses(settings.pause_on) if settings.pause_on is not None else ()
    try:
        with interrupted_by_sigterm():
            games.watch(source, BestScores(AppState().path.with_name("best.json")), speed, pauses)
    finally:
        if source.trace.ticks:
            write_recording(source.trace, settings)
            source.forget_so_far()


def _source(settings: Settings) -> PlaybackSource:
    if settings.replay is not None:
        return recorded_source(settings.replay, agent_options(settings, live=True).as_partner({}))
    if settings.duel:
        return duel_source(settings)
    return live_source(settings)


def _play(settings: Settings) -> None:
    """A person plays the partner, unless the settings name the ego's seat."""
    if settings.replay is not None:
        raise BBAError("--play: a recording cannot be played; --replay shows it")
    if HUMAN not in (settings.agent, settings.partner):
        settings = settings.model_copy(update={"partner": HUMAN})
    check_output(settings, "record")
    warn_of_layout(Layout.load(settings.layout))
    if not is_plain(settings):
        _open(settings, request=session_request(settings))
        return
    note_lacking_encoding(settings)
    if settings.agent == settings.partner == HUMAN or settings.play == "window":
        raise BBAError("--plain: is for one person, without a window; two people, or a window, need the screen")
    from tui.plain import games

    keymap = preferences(settings).keymap
    by_turns = settings.model_copy(update={"turns": True})
    session = session_request(by_turns).make(keymap)
    with interrupted_by_sigterm():
        games.play(session, keymap, BestScores(AppState().path.with_name("best.json")), mind=settings.mind)


def _open(
    settings: Settings,
    *,
    source: PlaybackSource | None = None,
    request: SessionRequest | None = None,
    first: "BaseScreen[None] | None" = None,
    learn: bool = False,
) -> None:
    """Runs the app with the user's preferences, then says where games were recorded.

    Raises:
        SystemExit: it has ended by an error or a signal.
    """
    preferred = preferences(settings)
    state = AppState()
    game_settings = set(CHOSEN_SETTINGS) - {"speed"}  # which is a preference
    game_is_named = request is not None or (source is not None and not source.recorded)
    if not game_is_named:  # else all of its settings count
        game_settings &= settings.model_fields_set
    motion = preferred.motion
    if motion is None:
        motion = state.recall(["motion"]).motion
    check_terminal()
    from tui.app.app import BBAApp

    app = BBAApp(
        source,
        request=request,
        session=request.make(preferred.keymap) if request else None,
        first=first,
        learn=learn,
        show_belief=settings.mind,
        bell=settings.bell,
        speed=preferred.speed,
        asked={name: getattr(settings, name) for name in game_settings},
        theme=preferred.theme or state.recall(["theme"]).theme or "dark",
        keymap=preferred.keymap,
        motion=motion is not False,
        state=state,
        pause_on=parse_pauses(settings.pause_on) if settings.pause_on is not None else (),
        tour=True,
    )
    status = run_app(app)
    print_lines(*(f"recorded in {visible_line(path)}" for path in app.kept))
    if app.session is not None:
        app.session.close()
        if app.session.trace.ticks:
            print_lines(f"recorded in {visible_line(app.session.path)}")
    if status:
        raise SystemExit(status)
