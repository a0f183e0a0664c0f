"""`python -m benchmarks.pictures`: the moving pictures and the screens that the README shows, at a replan.

The game is that of `bba-tui watch open --agent bayes-commit --seed 3`. Its first replan that changes the ego's skill
after step 300 is shown, as ``replan.gif`` and ``watch.svg`` in `docs/start`, and without the gate, as ``what-if.svg``.
``duel.gif`` is the beginning of `bba-tui duel`.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from bba.agents import SeatSpec, load_agent
from bba.analysis.replans import Replan, replan_at
from bba.files import write_whole
from bba.film.duel import to_duel_gif
from bba.film.film import to_gif
from bba.play import Game, Trace
from tui.app.app import BBAApp
from tui.arguments.options import TwoEgos
from tui.export.screen_capture import picture, title
from tui.game_factory import duelists, make_game
from tui.playback.source import PlaybackSource
from tui.screens.comparison import ComparisonScreen

LAYOUT, AGENT, SEED, FIRST, HORIZON = "open", "bayes-commit", 3, 300, 600
LEAD, TRAIL, SPEED = 20, 32, 4  # steps before and after the replan in the film, and its steps a second
DUEL_STEPS, DUEL_SPEED = range(1, 401, 2), 20  # the steps of the duel's film, and its steps a second: 20 s
LATER = 2  # steps after the replan at which the screen is shown
SIZE = (120, 40)
TRIES, PAUSE = 600, 0.05  # how long to wait for what a thread computes


def main() -> None:
    """Draws all three."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/start"))
    out = parser.parse_args().out
    trace = game().run()
    replan = changing_replan(trace)
    film = range(replan.step - LEAD, replan.step + TRAIL)
    write_whole(out / "replan.gif", to_gif(trace, film, SPEED))
    write_whole(out / "duel.gif", duel())
    write_whole(out / "watch.svg", asyncio.run(screen(replan.step + LATER, settle)))
    write_whole(out / "what-if.svg", asyncio.run(screen(replan.step - 1, fork_without_gate)))


def game() -> Game:
    """Returns the game, not begun yet."""
    return Game(LAYOUT, load_agent(AGENT, SeatSpec()), "switching", SEED, horizon=HORIZON, fast=True)


def duel() -> bytes:
    """Returns the film of the usual duel's beginning."""
    first, second = (make_game(one, one.seed, fast=True) for one in duelists(TwoEgos.model_validate({})))
    for game in (first, second):
        while len(game.trace.ticks) < DUEL_STEPS[-1]:
            game.advance(DUEL_STEPS[-1] - len(game.trace.ticks))
    return to_duel_gif(first.trace, second.trace, DUEL_STEPS, DUEL_SPEED)


def changing_replan(trace: Trace) -> Replan:
    """Returns the first replan after `FIRST` by which the ego's skill changes."""
    found = (replan_at(trace, step) for step in range(FIRST, len(trace.ticks) + 1))
    return next(replan for replan in found if replan and replan.chosen != replan.stopped)


async def screen(step: int, act: Callable[[Pilot[None]], Awaitable[object]]) -> str:
    """Returns a picture of the app that shows this step, after `act`."""
    source = PlaybackSource(game)
    app = BBAApp(source, autostart=False, motion=False)
    async with app.run_test(size=SIZE) as pilot:
        while len(source.trace.ticks) < step:
            source.step()
        await pilot.press("end")
        await act(pilot)
        return picture(app, title(source.config))


async def settle(pilot: Pilot[Any]) -> None:
    """Waits until everything is drawn."""
    for _ in range(4):
        await pilot.pause()


async def fork_without_gate(pilot: Pilot[Any]) -> None:
    """Asks what if the gate were off, and waits for the first difference."""
    await pilot.press("w", "1")
    for _ in range(TRIES):
        await pilot.pause(PAUSE)
        if isinstance(pilot.app.screen, ComparisonScreen) and not pilot.app.screen.playing:
            break
    await settle(pilot)


if __name__ == "__main__":
    main()
