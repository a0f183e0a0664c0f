"""One way to leave: layers close, a running game asks and leads to its debrief; nothing runs on behind a layer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.screen import Screen
from textual.widgets import Button

from bba.play import load
from human.recordings import KEPT_STEPS, MOST_WATCHED, keep_watched, watched_folder
from tests.helpers.app import fresh_source
from tests.helpers.forks import fork_it
from tests.helpers.keys import press_at_once
from tests.helpers.notifications import said
from tests.helpers.playing import SIZE, Playing, actions
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.preferences import AppState
from tui.results.recordings_screen import game_cells, read_game, recorded_games
from tui.screens.debrief import DebriefScreen
from tui.screens.dialogs import ConfirmDialog, ReviewRequested
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.style.base_app import BaseApp
from tui.style.base_screen import DismissedOnce

OPEN_A_LAYER = pytest.mark.parametrize("key", few(["question_mark", "escape", "ctrl+p", "q"], 2))


@pytest.mark.exhaustive
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


@pytest.mark.thorough
async def test_a_game_in_real_time_stands_still_while_the_terminal_is_too_small(tmp_path):
    app = Playing(tmp_path, speed=0.001)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.resize_terminal(60, 20)
        app.screen._on_beat()
        assert actions(app) == []
        await pilot.resize_terminal(*SIZE)
        app.screen._on_beat()
        assert len(actions(app)) == 1


@pytest.mark.thorough
async def test_the_countdown_waits_behind_a_layer_and_a_pause_lasts_beyond_it(tmp_path):
    app = Playing(tmp_path, countdown=1000)  # the test counts
    async with app.run_test(size=SIZE) as pilot:
        game = app.screen
        await pilot.press("question_mark")
        left = game.clock.countdown
        game._count_on()
        assert game.clock.countdown == left
        await pilot.press("escape", "p", "question_mark", "escape")
        assert game.clock.paused
        game._count_on()
        assert game.clock.countdown < left


@pytest.mark.parametrize("key", few(["q", "ctrl+c", "ctrl+q"]))
async def test_to_quit_a_game_of_ones_own_asks_and_leads_to_the_debrief_with_a_recording(tmp_path, key):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "ctrl+p", "ctrl+c")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen), "over the palette it closes that"
        assert not app._exit
        await pilot.press(key)
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


@pytest.mark.thorough
@pytest.mark.parametrize("key", few(["ctrl+c", "q"]))
async def test_to_quit_a_layer_closes_the_layer(key):
    app = BBAApp(fresh_source(5), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        for layer in ("question_mark", "f2", "w", "a", "ctrl+p"):
            await pilot.press(layer)
            assert app.screen is not app.game_screen, layer
            if (layer, key) == ("ctrl+p", "q"):
                return  # there q is a letter
            await pilot.press(key)
            await pilot.pause()
            assert app.screen is app.game_screen, layer
            assert not app._exit


async def test_arrows_choose_an_answer_and_space_gives_it():
    app, answers = BaseApp(), []
    async with app.run_test(size=(80, 24)) as pilot:
        for keys in (("left", "enter"), ("right", "space"), ("up", "space"), ("down", "enter")):
            await app.push_screen(ConfirmDialog("Leave?", yes="Leave", no="Stay"), answers.append)
            await press_at_once(pilot, *keys)
            assert answers.pop(), keys


@pytest.mark.thorough
async def test_space_takes_the_first_choice_of_the_start_screen(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        assert app.focused.id == "watch"
        await pilot.press("space")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)


@pytest.mark.thorough
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


def watching(tmp_path, monkeypatch, steps):
    """The start screen with a watched game over it that has played so many steps."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    source = fresh_source(steps, horizon=2400)
    return BBAApp(source, state=AppState(tmp_path / "start.json"), autostart=False)


async def test_a_game_that_was_watched_for_more_than_a_minute_is_kept(tmp_path, monkeypatch):
    app = watching(tmp_path, monkeypatch, KEPT_STEPS + 1)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        assert app.kept == [*watched_folder().iterdir()]
        assert ", watched" in str(game_cells(app.kept[0], read_game(app.kept[0]))[5])
        assert app.kept[0] in recorded_games()
        app.push_screen(app._watch_screen(fresh_source(KEPT_STEPS + 2, horizon=2400), 10.0))
        await pilot.press("q")
        await pilot.pause()
        assert app._exit
    assert [load(path).steps for path in app.kept] == [KEPT_STEPS + 1, KEPT_STEPS + 2]
    assert {*app.kept} == {*watched_folder().iterdir()}


@pytest.mark.parametrize(
    ("steps", "recorded", "kept"),
    [
        (0, None, []),
        (KEPT_STEPS, None, ["not kept among the recordings: it has no more than 100 steps"]),
        (KEPT_STEPS + 1, Path("game.bba"), []),
        (KEPT_STEPS + 1, None, ["kept among the recordings"]),
    ],
)
async def test_a_glance_is_not_kept_which_is_said_nor_a_game_that_has_a_file_of_its_own(
    tmp_path, monkeypatch, steps, recorded, kept
):
    app = watching(tmp_path, monkeypatch, steps)
    app.game_screen.source.file = recorded
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape")
        await pilot.pause()
        assert said(app) == kept
    assert len(app.kept) == kept.count("kept among the recordings")


@pytest.mark.parametrize("gone", [False, True])
async def test_after_the_program_is_left_it_says_of_a_glance_that_it_is_not_kept(tmp_path, monkeypatch, gone):
    app, left_with = watching(tmp_path, monkeypatch, 3), []
    monkeypatch.setattr("tui.app.app.terminal_is_gone", lambda: gone)
    monkeypatch.setattr(app, "exit", lambda message=None, **_: left_with.append(message) or BBAApp.exit(app))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("q")
    assert left_with == [None, *["not kept among the recordings: it has no more than 100 steps"] * (not gone)]


async def test_a_game_that_begins_again_is_kept_first(tmp_path, monkeypatch):
    app = watching(tmp_path, monkeypatch, KEPT_STEPS + 1)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r")
        await pilot.click("#yes")
        await pilot.pause()
        assert len(app.kept) == 1
        await pilot.press("ctrl+c")
        assert app._exit
    assert len(list(watched_folder().iterdir())) == 1, "the second one was not watched"


@pytest.mark.thorough
async def test_a_forked_game_and_a_fork_that_is_watched_alone_are_kept_however_short(tmp_path, monkeypatch):
    app = watching(tmp_path, monkeypatch, 40)
    async with app.run_test(size=SIZE) as pilot:
        comparison = await fork_it(pilot)
        comparison._play(1)
        await pilot.press("k")
        await until(pilot, lambda: app.screen is not app.game_screen and isinstance(app.screen, WatchScreen))
        await pilot.press("q")
    assert [load(path).steps for path in app.kept] == [41, 41]
    notes = sorted(read_game(path).note for path in app.kept)
    assert notes == ["", "what if at 40: nothing changed"], "the list tells the fork from its original"


@pytest.mark.parametrize("kept", [True, False])
async def test_a_fork_of_a_recording_or_a_debriefing_is_kept_with_k_and_else_it_is_said_how(
    tmp_path, monkeypatch, kept
):
    app = watching(tmp_path, monkeypatch, 0)
    whole = fresh_source(3, horizon=3).trace
    async with app.run_test(size=SIZE) as pilot:
        review = PlaybackSource(lambda: TracePlayback(whole), file=tmp_path / "game.bba")
        app.screen.post_message(ReviewRequested(app.screen, review, 1))
        await until(pilot, lambda: app.screen is not app.game_screen)
        comparison = await fork_it(pilot)
        if kept:
            await pilot.press("k")
            await until(pilot, lambda: app.screen is not comparison)
            await pilot.press("b")
            await until(pilot, lambda: app.screen is comparison)
            await pilot.press("k", "b")  # once more, which keeps it once all the same
            await until(pilot, lambda: app.screen is comparison)
        await pilot.press("b")
        await until(pilot, lambda: app.screen is not comparison)
        assert said(app) == [
            "kept among the recordings" if kept else "this what-if is not kept; k keeps one among the recordings"
        ]
        await pilot.press("q")
    assert [read_game(path).note for path in app.kept] == ["what if at 1: nothing changed"] * kept


def test_the_oldest_watched_games_make_room(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    trace = fresh_source(1).trace
    kept = [keep_watched(trace) for _ in range(MOST_WATCHED + 2)]
    assert len(list(watched_folder().iterdir())) == MOST_WATCHED
    assert (kept[1].exists(), kept[-1].exists()) == (False, True)
    monkeypatch.setattr("human.recordings.MOST_BYTES", 3 * kept[-1].stat().st_size)
    assert len(list(keep_watched(trace).parent.iterdir())) == 3
    monkeypatch.setattr("human.recordings.MOST_BYTES", 1)
    newest = keep_watched(trace)
    assert list(watched_folder().iterdir()) == [newest], "the newest one always stays"
