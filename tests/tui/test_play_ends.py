"""The end of a game of people: it is given up or over, and the debrief looks back on it."""

import os

import pytest
from textual.widgets import OptionList, Select

from bba.play import load
from human.session import SAVE_EVERY
from tests.helpers.app import paused_app
from tests.helpers.footer import footer
from tests.helpers.keys import press_at_once
from tests.helpers.playing import SIZE, Playing, session
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.export.dialog import ExportDialog
from tui.game_factory import recorded_source
from tui.preferences import AppState
from tui.screens.debrief import NOTHING_STANDS_OUT, DebriefScreen
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.screens.what_if import ForkDialog


@pytest.mark.thorough
async def test_giving_up_asks_first_and_leads_to_the_debrief_with_a_recording(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "escape")
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("enter")
        assert isinstance(app.screen, PlayScreen)
        assert not app.screen.clock.paused
        await pilot.press("escape", "tab", "tab", "left")
        await pilot.click("#yes")
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        assert load(tmp_path / "game.bba").steps == 1


async def test_the_debrief_of_a_recording_can_be_opened_again_and_leads_back_to_it(tmp_path):
    app = Playing(tmp_path, horizon=3)
    async with app.run_test(size=SIZE) as pilot:
        await press_at_once(pilot, ".", ".", ".")
        assert "again" in footer(app)
    app = BBAApp(recorded_source(tmp_path / "game.bba"), state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: footer(app).get("debrief") == "s")
        await pilot.press("s")
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        assert "game.bba" in str(app.screen.query_one("#standing").visual)
        assert {"go there", "back"} <= set(footer(app)), "there is nobody who could play again"
        assert not {"again", "menu"} & set(footer(app))
        await pilot.press("r", "escape")
        await pilot.pause()
        assert app.screen is app.game_screen


def test_leaving_the_program_does_not_write_again_a_game_that_is_over(tmp_path):
    played = session(tmp_path)
    played.step()
    played.close()
    source = recorded_source(played.path)
    source.step()
    source.bookmark(0, "mine")
    os.utime(played.path, ns=(10**9, 10**9))
    played.close()
    assert load(played.path).notes == ((0, "mine"),)
    assert played.path.stat().st_mtime_ns == 10**9, "its place in the list"
    played.path.unlink()
    played.close()
    assert not played.path.exists(), "it was deleted or has another name now"


async def test_the_debrief_of_a_watched_game_stands_in_the_footer_once_the_game_is_over(tmp_path):
    app = paused_app(2, {"state": AppState(tmp_path / "start.json")}, horizon=3)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s")
        assert app.screen is app.game_screen
        assert "debrief" not in footer(app)
        await pilot.press("right")
        await pilot.pause()
        assert "debrief" in footer(app)
        await pilot.press("s", "enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert app.screen is not app.game_screen
        assert "debrief" not in footer(app), "esc leads back to it"


@pytest.mark.thorough
async def test_the_debrief_says_in_80_columns_what_can_be_done_at_a_step(tmp_path):
    app = Playing(tmp_path, horizon=1)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(".")
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        look = app.screen.query_one("#look")
        assert len(look.border_subtitle) <= look.outer_size.width - 6  # corners, a cell of line and a space each side


async def test_the_end_of_the_game_leads_to_the_debrief_and_from_there_to_any_step_and_to_another_game(tmp_path):
    app = Playing(tmp_path, ego="bayes", horizon=SAVE_EVERY - 10)
    async with app.run_test(size=SIZE) as pilot:
        await press_at_once(pilot, *["."] * (SAVE_EVERY - 10))
        assert isinstance(app.screen, DebriefScreen)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert "back" in footer(app)
        assert "menu" not in footer(app)
        await pilot.press("escape")
        assert isinstance(app.screen, DebriefScreen)
        await pilot.click("#timeline", offset=(60, 3))
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        await pilot.press("escape", "r")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        assert app.session.trace.ticks == []


async def test_keys_meant_for_a_game_whose_clock_ran_out_do_not_close_its_debrief(tmp_path, monkeypatch):
    monkeypatch.setattr("tui.screens.dialogs.CALM", 1000.0)
    app = Playing(tmp_path, speed=0.01, horizon=2)  # the test is the clock
    async with app.run_test(size=SIZE) as pilot:
        game = app.screen
        for _ in range(2):
            game._step()
        game.action_surrender()
        assert app.screen is game, "no question whether to end what has ended"
        await pilot.pause()
        debrief = app.screen
        await pilot.press("escape", "enter", "r", "q")
        await pilot.pause()
        assert app.screen is debrief
        assert isinstance(debrief, DebriefScreen)
        app._calm = False  # as its timer does
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


@pytest.mark.thorough
async def test_from_the_debrief_of_a_game_that_was_asked_for_directly_escape_leads_to_the_menu(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left")
        app.screen._surrender(True)
        await pilot.pause()
        assert "menu" in footer(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


@pytest.mark.thorough
async def test_the_start_screen_leads_to_play_and_back(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    app = BBAApp(state=AppState(tmp_path / "start.json"))
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#partner", Select).value = "human"
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        assert app.session.people == (1,)
        assert app.session.game.kitchen.mobility == (0.35, 1.0)
        app.session.give_up()
        app.screen._end()
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)


@pytest.mark.parametrize("size", few([(80, 24), (120, 40)]))
async def test_the_debrief_says_where_the_game_is_in_the_width_of_its_box_and_leads_to_it_what_if_and_export(
    tmp_path, size
):
    app = Playing(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("left")
        app.screen._surrender(True)
        await pilot.pause()
        debrief = app.screen
        assert isinstance(debrief, DebriefScreen)

        # the words, and that they are shown
        box, words = debrief.query_one("#went"), debrief.query_one("#standing")
        assert words.size.width >= box.size.width - 4
        strips = debrief._compositor.render_strips()[box.content_region.y : box.content_region.bottom]
        rows = ("".join(part.text for part in strip)[1 : box.size.width + 1].strip() for strip in strips)
        assert f"recorded in {tmp_path / 'game.bba'}".replace(" ", "") in "".join(rows).replace(" ", "")
        assert debrief.query_one(OptionList).option_count == 1
        assert str(debrief.query_one(OptionList).get_option_at_index(0).prompt) == NOTHING_STANDS_OUT

        # at once from there, by a key
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        await pilot.press("escape", "e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        await pilot.press("escape")
        assert app.screen is debrief
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, ForkDialog))
