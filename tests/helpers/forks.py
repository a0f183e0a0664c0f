"""What the tests of forks share: a game to fork, the way to its fork, and what is shown of both."""

from collections.abc import Callable
from dataclasses import replace

from bba.agents import Profile
from bba.config import BeliefConfig
from bba.play import Game, Trace, fork
from tests.helpers.app import texts
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.screens.comparison import ComparisonPanel, ComparisonScreen
from tui.widgets.kitchen_view import KitchenView

SIZE, FORK = (80, 24), 40
NO_REPLAN = Profile("bayes-no-replan", "scripted", BeliefConfig())


def bayes_game() -> Game:
    """The belief agent with a partner that switches; compiled, which gives the same game in less time."""
    return Game("open", "bayes", "switching", 5, fast=True)


def live(steps: int = FORK, game: Callable[[], Game] = bayes_game) -> PlaybackSource:
    """A game of the scripted planner after so many steps."""
    source = PlaybackSource(game)
    for _ in range(steps):
        source.step()
    return source


def still(source: PlaybackSource) -> BBAApp:
    return BBAApp(source, autostart=False, motion=False)


async def fork_it(pilot, *keys: str) -> ComparisonScreen:
    """Ask what if, press these keys in the dialog, and wait for the two futures."""
    await pilot.press("w", *keys, "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ComparisonScreen))
    return pilot.app.screen


def traces(screen: ComparisonScreen) -> tuple[Trace, Trace]:
    return tuple(snapshot.trace for snapshot in screen.snapshots)


def steps(screen: ComparisonScreen) -> tuple[int, ...]:
    """What is shown of the original and of the fork, as all that shows it agrees."""
    shown = tuple(snapshot.step for snapshot in screen.snapshots)
    assert tuple(panel.snapshot.step for panel in screen.query(ComparisonPanel)) == shown
    assert tuple(board._snapshot.step for board in screen.query(KitchenView)) == shown
    return shown


def panel_lines(screen: ComparisonScreen, width: int = 56) -> list[list[str]]:
    return [texts(panel.lines(panel.snapshot, width))[1:] for panel in screen.query(ComparisonPanel)]


def told_fork(trace: Trace, step: int) -> Game:
    """A fork whose ego is told the truth."""
    ego, partner = trace.config_at(step + 1).seats
    return fork(trace, step, (replace(ego, oracle=True), partner))


def same(one, other) -> bool:
    return (one.state == other.state).all() and one[1:] == other[1:]
