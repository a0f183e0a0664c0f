"""The command `bba-tui`: watch a game, replay one, or play without a screen."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bba.errors import BBAError
from bba.settings import Settings
from tui.options import parse
from tui.sizes import SMALLEST

if TYPE_CHECKING:
    from bba.bench.measures import Measures
    from bba.play import Game, Trace

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
        _play_headless(settings)
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


def make_game(settings: Settings, seed: int, *, fast: bool) -> "Game":
    """The game that the settings describe, with this seed."""
    from bba.agents import AgentOptions, Tuning, parse_schedule
    from bba.belief import FilterSettings, GateSettings
    from bba.play import Game, load_agent

    options = AgentOptions(
        planner=settings.planner,
        prompts=settings.prompts,
        history_turns=settings.history_turns,
        retries=settings.retries,
        schedule=parse_schedule(settings.schedule) if settings.schedule is not None else None,
        tuning=Tuning(
            FilterSettings(
                psi=settings.psi,
                alpha=settings.alpha,
                epsilon=settings.epsilon,
                window=settings.window,
                support_weight=settings.support_weight,
                likelihood_scale=settings.likelihood_scale,
                floor=settings.floor,
            ),
            GateSettings(
                theta_obs=settings.theta_obs,
                gamma_conf=settings.gamma_conf,
                stability=settings.stability,
                cooldown=settings.cooldown,
            ),
        ),
    )
    return Game(
        settings.layout,
        load_agent(settings.agent, options),
        load_agent(settings.partner, options),
        seed,
        horizon=settings.horizon,
        mobility=(settings.mobility, settings.mobility),
        skill_timeout=settings.skill_timeout,
        fast=fast,
    )


def _play_headless(settings: Settings) -> None:
    from bba.bench.measures import measure
    from tui.summary import print_json, print_table

    if settings.record is not None:
        _check_writable(settings.record)
        if settings.seeds > 1:
            raise BBAError(f"--record: takes one game; --seeds asks for {settings.seeds}")
    _announce_compiling()
    episodes: dict[int, Measures] = {}
    trace = None
    for seed in range(settings.seed, settings.seed + settings.seeds):
        trace = _recorded(settings) if settings.replay else make_game(settings, seed, fast=True).run()
        episodes[trace.setup.seed] = measure(trace)
    assert trace is not None
    if settings.record is not None:
        _write(trace, settings.record)
    show = print_json if settings.as_json else print_table
    show(trace.setup, settings.planner, episodes)


def _announce_compiling() -> None:
    from bba.kernels import compiled_before

    if sys.stderr.isatty() and not compiled_before():
        sys.stderr.write("compiling the kitchen for this machine; this happens once and takes some 20 seconds\n")


def _recorded(settings: Settings) -> "Trace":
    from bba.play import Replay, load

    assert settings.replay is not None
    return Replay(load(settings.replay), str(settings.replay), fast=True).run()


def _watch(settings: Settings) -> None:
    from tui.feed import LiveFeed

    if settings.record is not None:
        _check_writable(settings.record)
    if settings.replay is not None:
        from bba.play import Replay, load

        recording = load(settings.replay)
        feed = LiveFeed(lambda: Replay(recording, str(settings.replay)))
    else:
        feed = LiveFeed(lambda: make_game(settings, settings.seed, fast=False))
    _check_terminal()
    from tui.app import BBAApp

    app = BBAApp(feed, speed=settings.speed)
    app.run()
    if settings.record is not None:
        _write(feed.trace, settings.record)


def _check_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") in (None, "", "dumb"):
        raise BBAError("the screen needs a terminal; without one use --headless")
    size = shutil.get_terminal_size()
    if size.columns < SMALLEST[0] or size.lines < SMALLEST[1]:
        raise BBAError(
            f"the terminal is too small: {size.columns}x{size.lines}; the screen needs {SMALLEST[0]}x{SMALLEST[1]}"
        )


def _check_writable(path: Path) -> None:
    """Find out before the game, not after it, that its recording cannot be written."""
    if path.is_dir():
        raise BBAError(f"--record: {path} is a folder; it takes a file")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise BBAError(f"--record: {path.parent} is not a folder that can be written to")


def _write(trace: "Trace", path: Path) -> None:
    from bba.play import record, save

    save(record(trace), path)


if __name__ == "__main__":
    sys.exit(main())
