"""Recorded games on the start screen: the last one goes on, and others are named by their path."""

import os

import pytest
from textual.widgets import Button, Input, OptionList

from bba.play import record, save
from tests.helpers.games import played
from tests.helpers.notifications import notified
from tests.helpers.start_screen import SIZE, config, problem
from tests.helpers.wait_for_idle import until
from tui.results.recordings_screen import RecordingsScreen
from tui.screens.dialogs import PathDialog
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen


async def offered(pilot) -> str:
    """What the line about the last game says, once it is there."""
    last = pilot.app.screen.query_one("#last", Button)
    await until(pilot, lambda: last.display)
    return str(last.label)


async def test_the_last_game_goes_on_where_it_was_left_or_is_watched_again_or_is_gone_by_now(app, tmp_path):
    for number, layout in enumerate(("open", "ring"), start=1):
        save(record(played(10, layout=layout)), tmp_path / f"{layout}.bba")
        os.utime(tmp_path / f"{layout}.bba", (number, number))
    (tmp_path / "noise.bba").write_bytes(b"noise")
    async with app.run_test(size=SIZE) as pilot:
        assert await offered(pilot) == "g go on: ring switching+switching score 0, step 10 of 60"
        assert app.screen.region.contains_region(app.screen.query_one("#last").region)
        await pilot.click("#last")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        game = app.game_screen
        assert (config(app).layout.name, game.source.recorded, game.snapshot.step) == ("ring", False, 10)
        await pilot.press("right")
        whole = played(11, layout="ring")
        assert [tick.actions for tick in game.source.trace.ticks] == [tick.actions for tick in whole.ticks]
        assert (game.source.trace.state(11) == whole.state(11)).all()
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        await pilot.press("g")
        await until(pilot, lambda: app.game_screen is not game and isinstance(app.screen, WatchScreen))
        assert config(app).layout.name == "ring"
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen) and not app.screen._finding.busy)
        (tmp_path / "ring.bba").unlink()
        await pilot.click("#last")
        assert await notified(app, pilot, "cannot be read")
        assert isinstance(app.screen, StartScreen)
        # A game that is over.
        save(record(played(60)), tmp_path / "over.bba")
        await pilot.press("o", "escape")
        await until(pilot, lambda: "watch again" in str(app.screen.query_one("#last", Button).label))
        assert await offered(pilot) == "g watch again: open switching+switching score 0"
        await pilot.press("g")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        assert app.game_screen.source.recorded


async def test_where_no_game_is_recorded_the_key_for_the_last_one_says_so(app):
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not app.screen._finding.busy)
        await pilot.press("g")
        assert await notified(app, pilot, "no recorded game yet")


async def test_the_last_game_is_called_by_its_note_which_tells_a_fork_from_its_original(app, tmp_path):
    save(record(played(10)).with_bookmarks({0: "what if at 5: the ego has no belief"}), tmp_path / "fork.bba")
    async with app.run_test(size=SIZE) as pilot:
        assert await offered(pilot) == "g go on: open what if at 5: the e… score 0, step 10 of 60"


@pytest.mark.thorough
async def test_a_game_that_was_left_just_now_is_the_last_one(app, tmp_path, monkeypatch):
    """It is kept when its screen goes, after the start screen has come back."""
    monkeypatch.setattr("tui.app.app.KEPT_STEPS", 2)
    save(record(played(10, layout="ring")), tmp_path / "older.bba")
    async with app.run_test(size=SIZE) as pilot:
        assert "ring" in await offered(pilot)
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        await pilot.press("space", "right", "right", "right")
        steps = len(app.screen.source.trace.ticks)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        await until(pilot, lambda: f"step {steps} of" in str(app.screen.query_one("#last", Button).label))


@pytest.mark.thorough
async def test_a_game_that_was_recorded_meanwhile_is_there_on_coming_back(app, tmp_path):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        save(record(played(3)), tmp_path / "game.bba")
        await pilot.press("escape")
        assert await offered(pilot)


@pytest.mark.thorough
async def test_a_recording_is_watched_at_the_chosen_speed(app, tmp_path):
    save(record(played(10, layout="ring", seed=3)), tmp_path / "ring.bba")
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#speed", Input).value = "20"
        await pilot.press("o", "o")
        await pilot.press(*"ring", "full_stop", *"bba", "enter")
        await pilot.pause()
        assert (config(app).layout.name, config(app).seed) == ("ring", 3)
        assert app.game_screen.clock.speed == 20
        await pilot.press("escape", "escape")
        assert isinstance(app.screen, StartScreen)


@pytest.mark.thorough
async def test_recordings_that_lie_here_can_be_picked_with_the_mouse(app, tmp_path):
    save(record(played(5)), tmp_path / "game.bba")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click("#replay")
        await pilot.pause()
        await pilot.press("o")
        await pilot.click("#here", offset=(3, 1))
        await pilot.pause()
        assert config(app).horizon == 60


async def test_a_file_that_cannot_be_played_is_one_line_and_another_may_be_given(app, tmp_path):
    save(record(played(20)), tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()
    (tmp_path / "whole").unlink()
    async with app.run_test(size=SIZE) as pilot:
        # Without a game there is nothing to go on with.
        await pilot.press("g")
        await until(pilot, lambda: not app.screen._finding.busy)
        await pilot.press("g")
        assert isinstance(app.screen, StartScreen)
        assert not app.screen.query_one("#last").display
        (tmp_path / "noise.bba").write_bytes(b"\x00\xff not a recording")
        (tmp_path / "cut.bba").write_bytes(whole[: len(whole) // 2])
        await pilot.press("o", "o")
        for name, complaint in (
            ("", "no file is named"),
            ("gone.bba", "cannot be read"),
            ("noise.bba", "noise.bba: "),
            ("cut.bba", "cut.bba: "),
            ("~nobody-of-this-name/game.bba", "home directory"),
        ):
            app.screen.query_one(Input).value = name
            await pilot.click("#open")
            await pilot.pause()
            assert complaint in problem(app.screen), name
            assert isinstance(app.screen, PathDialog), name
            assert "\n" not in problem(app.screen), name
        (tmp_path / "good.bba").write_bytes(whole)
        app.screen.query_one(Input).value = "good.bba"
        app.screen.query_one(Input).focus()
        await pilot.press("enter")
        await pilot.pause()
        assert config(app).horizon == 60


@pytest.mark.thorough
@pytest.mark.exhaustive
@pytest.mark.parametrize("how", ["key", "mouse"])
async def test_the_question_for_a_recording_can_be_closed(app, how):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o", "o")
        assert isinstance(app.screen, PathDialog)
        assert not app.screen.query(OptionList)
        if how == "key":
            await pilot.press("escape")
        else:
            await pilot.click("#cancel")
        await pilot.pause()
        assert isinstance(app.screen, RecordingsScreen)
