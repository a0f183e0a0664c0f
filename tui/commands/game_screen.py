"""Games on the screen, or as lines of text where none can be drawn; and the app that shows whatever screen."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bba.agents import HUMAN
from bba.analysis.kitchen_structure import warn_of_layout
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import GameOptions
from bba.terminal_text import print_lines, visible_line
from tui.arguments.options import ScreenOptions, ShownGame
from tui.commands.terminal import check_terminal, interrupted_by_sigterm, is_plain, note_lacking_encoding, run_app
from tui.game_factory import SessionRequest, check_output, live_source, session_request, write_recording
from tui.playback.best_scores import BestScores
from tui.playback.pauses import parse_pauses
from tui.playback.shown_pair import with_shown_pair
from tui.playback.source import PlaybackSource
from tui.preferences import CHOSEN_OPTIONS, AppState, preferences

if TYPE_CHECKING:
    from tui.commands.watch import Watch
    from tui.style.base_screen import BaseScreen


def person_is_seated(options: GameOptions) -> bool:
    """Whether a person takes one of the two seats."""
    return HUMAN in (options.agent, options.partner)


def watch_game(options: "Watch") -> None:
    """Shows a game of two agents.

    Raises:
        BBAError: options that do not go together, or no terminal that the screen fits into.
    """
    check_output("record", options.record, force=options.force)
    warn_of_layout(Layout.load(options.layout))
    options = with_shown_pair(options)
    show(live_source(options, record=options.record), options, mind=options.mind, bell=options.bell)


def show(source: PlaybackSource, options: ShownGame, *, mind: bool = False, bell: bool = False) -> None:
    """Shows a game and records it where the options say.

    Args:
        source: the game, with the other one of a duel.
        options: how it is shown.
        mind: whether games that a person begins there show the agent's belief at once.
        bell: whether the bell rings in them.

    Raises:
        BBAError: a duel that is to be lines of text, or no terminal that the screen fits into.
    """
    if source.rival is not None and options.plain:
        raise BBAError("--plain: a duel needs the screen")
    if source.rival is None and is_plain(plain=options.plain):
        _show_plain(source, options)
        return
    try:
        open_app(options, source=source, mind=mind, bell=bell)
    finally:
        rival_trace = None if source.rival is None else source.rival.trace
        write_recording(source.trace, options.record, rival_trace, force=options.force)
        source.forget_so_far()


def _show_plain(source: PlaybackSource, options: ShownGame) -> None:
    note_lacking_encoding(plain=options.plain)
    from tui.plain import games

    paced = sys.stdin is not None and (sys.stdin.isatty() or "speed" in options.model_fields_set)
    speed = None
    if paced:
        speed = preferences(options).speed or options.speed
    pauses = parse_pauses(options.pause_on) if options.pause_on is not None else ()
    try:
        with interrupted_by_sigterm():
            games.watch(source, _best_scores(), speed, pauses)
    finally:
        if source.trace.ticks:
            write_recording(source.trace, options.record, force=options.force)
            source.forget_so_far()


def play_game(options: "Watch", *, window: bool = False) -> None:
    """Has a person play the partner, unless the options name a person's seat.

    Args:
        options: the game.
        window: whether it is played in a window of its own.

    Raises:
        BBAError: options that do not go together, or no terminal that the screen fits into.
    """
    if not person_is_seated(options):
        options = options.model_copy(update={"partner": HUMAN})
    check_output("record", options.record, force=options.force)
    warn_of_layout(Layout.load(options.layout))
    options = with_shown_pair(options)
    plain = is_plain(plain=options.plain)
    request = session_request(
        options, turns=plain or options.turns, window=window, record=options.record, force=options.force
    )
    if not plain:
        open_app(options, request=request, mind=options.mind, bell=options.bell)
        return
    note_lacking_encoding(plain=options.plain)
    if options.agent == options.partner == HUMAN or window:
        raise BBAError("--plain: is for one person, without a window; two people, or a window, need the screen")
    from tui.plain import games

    keymap = preferences(options).keymap
    session = request.make(keymap)
    with interrupted_by_sigterm():
        games.play(session, keymap, _best_scores(), mind=options.mind)


def _best_scores() -> BestScores:
    return BestScores(AppState().path.with_name("best.json"))


def open_app(
    options: ScreenOptions,
    *,
    source: PlaybackSource | None = None,
    request: SessionRequest | None = None,
    first: "BaseScreen[None] | None" = None,
    learn: bool = False,
    mind: bool = False,
    bell: bool = False,
) -> None:
    """Runs the app with the user's preferences, then says where games were recorded.

    Args:
        options: those of the command.
        source: a game to be watched.
        request: a game to be played.
        first: the first screen, if it is neither and not the start screen.
        learn: whether the lesson comes first.
        mind: whether played games show the agent's belief at once.
        bell: whether the bell rings in played games.

    Raises:
        SystemExit: it has ended by an error or a signal.
    """
    preferred = preferences(options)
    state = AppState()
    game_is_named = request is not None or (source is not None and not source.recorded)
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
        show_belief=mind,
        bell=bell,
        speed=preferred.speed,
        start_overrides=_chosen(options, every=game_is_named),
        theme=preferred.theme or state.recall(["theme"]).theme or "dark",
        keymap=preferred.keymap,
        motion=motion is not False,
        state=state,
        pause_on=parse_pauses(options.pause_on) if options.pause_on is not None else (),
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


def _chosen(options: ScreenOptions, *, every: bool) -> Mapping[str, Any]:
    """Returns the options of a game that the start screen shows at first: those that are given, or every one.

    The speed is not among them: it is a preference.
    """
    fields = type(options).model_fields if every else options.model_fields_set
    return {name: getattr(options, name) for name in CHOSEN_OPTIONS if name in fields and name != "speed"}
