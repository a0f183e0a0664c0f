"""What the kitchen designer looks like. `make snapshots` draws it anew after a change that is meant."""

from functools import cache
from threading import Event

import pytest

from tests.helpers.wait_for_idle import PATIENCE, drawn, until
from tui.app.app import BBAApp
from tui.arguments.options import WatchedGame
from tui.design import panels as checking
from tui.design.kitchen_file import named_kitchen
from tui.design.panels import Findings
from tui.design.screen import DesignScreen
from tui.preferences import AppState

played = cache(checking.trial_game)  # each kitchen's trial once; it looks the same at every size


@pytest.fixture
def may_be_tried(monkeypatch) -> Event:
    """A trial's result comes only then. Textual may take the height of the text before for that of a text that follows
    it at once."""
    may = Event()
    monkeypatch.setattr(checking, "trial_game", lambda layout, **_: may.wait(PATIENCE) and played(layout))
    return may


@pytest.fixture
def draw(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    state = AppState(tmp_path / "start.json")
    return lambda name: BBAApp(first=DesignScreen(*named_kitchen(name), WatchedGame()), state=state)


def findings(pilot) -> Findings:
    return pilot.app.screen._findings


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_a_finished_kitchen(snap_compare, draw, may_be_tried, size):
    async def tried(pilot) -> None:
        await until(pilot, lambda: findings(pilot).structure is not None)
        may_be_tried.set()
        await until(pilot, lambda: findings(pilot).trial is not None)
        await drawn(pilot)

    assert snap_compare(draw("forced_coordination"), terminal_size=size, run_before=tried)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_station_that_nobody_can_reach(snap_compare, draw, size):
    async def drawn_out_of_reach(pilot) -> None:
        await pilot.press("left", "up", "g", "right", "right")
        await until(pilot, lambda: findings(pilot).mistake and findings(pilot).structure is not None)
        await drawn(pilot)

    assert snap_compare(draw("burrito"), terminal_size=size, run_before=drawn_out_of_reach)


def test_an_empty_room(snap_compare, draw):
    async def looked_into(pilot) -> None:
        await until(pilot, lambda: findings(pilot).structure is not None)
        await drawn(pilot)

    assert snap_compare(draw("new"), terminal_size=(80, 24), run_before=looked_into)
