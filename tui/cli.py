"""The command `bba-tui`: ask what to play, watch a game, replay one, or play without a screen."""

import io
import os
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bba.errors import BBAError
from bba.settings import Settings
from tui.arguments import parse
from tui.style.breakpoints import SMALLEST

if TYPE_CHECKING:
    from human.session import Session
    from tui.game_factory import SessionRequest
    from tui.playback.source import PlaybackSource
    from tui.results.rows import OpenResults

INTERRUPTED = 130
WIDTH = 24  # cells of a name in a list
NO_GAME = {"theme", "config"}  # what may be set and still leaves the start screen to ask what to play


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
    elif settings.train is not None or settings.train_steps is not None:
        from tui.commands.train import train

        train(settings)
    elif settings.check_partners:
        from tui.commands.check_partners import check_partners

        check_partners(settings)
    elif settings.show_prompt:
        from tui.commands.show_prompt import show_prompt

        show_prompt(settings)
    elif settings.sweep is not None:
        from tui.commands.sweep import play_sweep

        play_sweep(settings)
    elif settings.report is not None:
        from bba.report import report

        report(settings.report)
    elif settings.study_tables is not None:
        from tui.commands.study import write_study_tables

        write_study_tables(settings.study_tables)
    elif settings.serve is not None:
        from tui.serve import serve

        serve(settings)
    elif settings.headless or settings.export is not None:
        from tui.commands.headless import play_headless

        play_headless(settings)
    elif settings.study is not None:
        from tui.commands.study import take_part

        _check_terminal()
        take_part(settings)
    elif settings.results is not None:
        from tui.results.rows import open_results

        _open(settings, results=open_results(settings.results))
    elif settings.play is not None or "human" in (settings.agent, settings.partner):
        _play(settings)
    elif settings.model_fields_set - NO_GAME:
        _watch(settings)
    else:
        _ask(settings)


def _list() -> None:
    from bba.agents import DESCRIPTIONS, PLANNERS
    from bba.bench.presets import load_sweep, sweep_names
    from bba.kitchen import Layout
    from human.keymap import ENTRIES

    for title, entries in (
        ("layouts", dict.fromkeys(Layout.names(), "")),
        ("agents and partners", DESCRIPTIONS),
        ("planners", PLANNERS),
        ("sweeps", {name: load_sweep(name).title for name in sweep_names()}),
        ("keys", {name: f"{' '.join(entry.keys):18}{entry.description}" for name, entry in ENTRIES.items()}),
    ):
        sys.stdout.write(f"{title}\n")
        for name, description in entries.items():
            sys.stdout.write(f"  {name:{WIDTH}}{description}".rstrip() + "\n")


def _watch(settings: Settings) -> None:
    from tui.game_factory import agent_options, check_recordable, live_source, make_replay, write_recording
    from tui.playback.source import LiveSource

    check_recordable(settings.record)
    if settings.replay is not None:
        feed = LiveSource(make_replay(settings.replay), options=agent_options(settings, live=True))
    else:
        feed = live_source(settings)
    _open(settings, feed=feed)
    write_recording(feed.trace, settings.record)


def _play(settings: Settings) -> None:
    """Somebody plays: the partner, unless the ego's seat was asked for."""
    from bba.agents import HUMAN
    from tui.game_factory import check_recordable, session_request

    if settings.replay is not None:
        raise BBAError("--play: a recording cannot be played; --replay shows it")
    if HUMAN not in (settings.agent, settings.partner):
        settings = settings.model_copy(update={"partner": HUMAN})
    check_recordable(settings.record)
    _tell_where(_open(settings, match=session_request(settings)))


def _ask(settings: Settings) -> None:
    """No game is set anywhere: the start screen asks what to play."""
    _tell_where(_open(settings))


def _tell_where(session: "Session | None") -> None:
    """Say where the last game that people played is recorded, if they played one."""
    if session is not None and session.trace.ticks:
        sys.stdout.write(f"recorded in {session.path}\n")


def _open(
    settings: Settings,
    *,
    feed: "PlaybackSource | None" = None,
    match: "SessionRequest | None" = None,
    results: "OpenResults | None" = None,
) -> "Session | None":
    """Open the screen as people prefer it; returns the last session that people played there."""
    from tui.config.preferences import preferences
    from tui.config.state import AppState

    wanted, memory = preferences(settings), AppState()
    _check_terminal()
    from tui.app.app import BBAApp

    theme = wanted.theme or memory.recall_theme() or "dark"
    app = BBAApp(
        feed,
        match=match,
        session=match.make(wanted.keymap) if match else None,
        results=results,
        mind=settings.mind,
        speed=wanted.speed,
        theme=theme,
        keymap=wanted.keymap,
        memory=memory,
        tour=True,
    )
    app.run()
    if app.session is not None:
        app.session.close()
    return app.session


def _check_terminal() -> None:
    if os.environ.get("TEXTUAL_DRIVER"):
        return  # the screen is somebody's browser
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") in (None, "", "dumb"):
        raise BBAError("the screen needs a terminal; without one use --headless")
    size = shutil.get_terminal_size()
    if size.columns < SMALLEST[0] or size.lines < SMALLEST[1]:
        raise BBAError(
            f"the terminal is too small: {size.columns}x{size.lines}; the screen needs {SMALLEST[0]}x{SMALLEST[1]}"
        )


if __name__ == "__main__":
    sys.exit(main())
