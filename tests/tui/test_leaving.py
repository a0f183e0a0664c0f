"""One way to leave: layers close, a running game asks and leads to its debrief; nothing runs on behind a layer."""

from collections.abc import Iterator

import pytest
from textual.screen import Screen
from textual.widgets import Button

from bba.play import load
from tests.helpers.app import fresh_source
from tests.helpers.playing import SIZE, Playing, actions
from tests.helpers.samples import few
from tui.app.app import BBAApp
from tui.config import AppState
from tui.screens.debrief import DebriefScreen
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play import PlayScreen
from tui.screens.watch import WatchScreen
from tui.style.base_screen import DismissedOnce

OPEN_A_LAYER = pytest.mark.parametrize("key", few(["question_mark", "escape", "ctrl+p", "q"], 2))


@OPEN_A_LAYER
async def test_a_game_in_real_time_stands_still_behind_a_layer_and_goes_on_after_it(tmp_path, key):
    app = Playing(tmp_path, speed=0.001)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        game = app.screen
        game._on_beat()
        await pilot.press(key)
        assert app.screen is not game
        game._on_beat()
        assert (len(actions(app)), game.status) == (1, "paused")
        await pilot.press("escape")
        assert app.screen is game
        game._on_beat()
        assert len(actions(app)) == 2
        assert game.status != "paused"


async def test_a_game_in_real_time_stands_still_while_the_terminal_is_too_small(tmp_path):
    app = Playing(tmp_path, speed=0.001)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.resize_terminal(60, 20)
        app.screen._on_beat()
        assert actions(app) == []
        await pilot.resize_terminal(*SIZE)
        app.screen._on_beat()
        assert len(actions(app)) == 1


async def test_the_countdown_waits_behind_a_layer_and_a_pause_lasts_beyond_it(tmp_path):
    app = Playing(tmp_path, countdown=1000)  # the test counts
    async with app.run_test(size=SIZE) as pilot:
        game = app.screen
        await pilot.press("question_mark")
        left = game._countdown
        game._count_on()
        assert game._countdown == left
        await pilot.press("escape", "p", "question_mark", "escape")
        assert game.paused
        game._count_on()
        assert game._countdown < left


@pytest.mark.parametrize("key", few(["q", "ctrl+c", "ctrl+q"]))
async def test_to_quit_a_game_of_ones_own_asks_and_leads_to_the_debrief_with_a_recording(tmp_path, key):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", key)
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("enter")
        assert isinstance(app.screen, PlayScreen)
        await pilot.press(key)
        await pilot.click("#yes")
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        assert load(tmp_path / "game.bba").steps == 1
        await pilot.press(key)
    assert app._exit


LAYERS = pytest.mark.parametrize("layer", ["question_mark", "f2", "w", "a", "ctrl+p"])


@LAYERS
@pytest.mark.parametrize("key", few(["ctrl+c", "q"]))
async def test_to_quit_a_layer_closes_the_layer(layer, key):
    app = BBAApp(fresh_source(5), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(layer)
        assert app.screen is not app.game_screen
        if (layer, key) == ("ctrl+p", "q"):
            return  # there q is a letter
        await pilot.press(key)
        await pilot.pause()
        assert app.screen is app.game_screen
        assert not app._exit


async def test_ctrl_c_over_the_palette_of_a_game_of_ones_own_does_not_leave(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "ctrl+p", "ctrl+c")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        assert not app._exit


@pytest.mark.parametrize("keys", few([("left", "enter"), ("right", "space"), ("up", "space"), ("down", "enter")], 2))
async def test_arrows_choose_an_answer_and_space_gives_it(tmp_path, keys):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape", *keys)
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)


async def test_space_takes_the_first_choice_of_the_start_screen(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        assert app.focused.id == "watch"
        await pilot.press("space")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)


async def test_an_answer_that_is_given_twice_closes_the_question_and_nothing_below(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        game = app.screen
        await pilot.press("escape")
        for _ in range(3):
            app.screen.query_one("#no", Button).press()
        await pilot.pause()
        assert app.screen is game


def test_no_screen_closes_what_is_below_it():
    """Textual closes what is on top, whichever screen is dismissed."""
    ours = [screen for screen in subclasses(Screen) if screen.__module__.startswith("tui.")]
    assert len(ours) > 20
    assert [screen for screen in ours if not issubclass(screen, DismissedOnce)] == []


def subclasses(kind: type) -> Iterator[type]:
    for below in kind.__subclasses__():
        yield below
        yield from subclasses(below)
