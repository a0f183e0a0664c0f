"""The tour: once for ever at the first game, panel by panel, without covering what it explains."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Offset, Region, Size

from bba.play import Game, Replay, record
from human.keymap import DEFAULT
from tests.helpers.app import fresh_source
from tests.helpers.games import game
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.preferences import AppState
from tui.screens.help import EXPLAINED, STOPS, HelpScreen, TourScreen, beside
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.style.base_screen import KeyFooter

SIZE = (100, 36)


@pytest.fixture
def app_state(tmp_path) -> AppState:
    return AppState(tmp_path / "start.json")


def app_with(app_state: AppState, source: PlaybackSource | None = None, **settings) -> BBAApp:
    return BBAApp(source or fresh_source(5), autostart=False, state=app_state, **settings)


def pointed_at(app: BBAApp) -> list[str]:
    """The panels that stand out."""
    return [type(widget).__name__ for widget in app.game_screen.query(f".{EXPLAINED}")]


@pytest.fixture
def at_once(monkeypatch):
    """A tour that waits for nothing to happen first."""
    monkeypatch.setattr("tui.app.app.TOUR_AFTER", 0.001)


# --- when ------------------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_it_comes_at_the_first_game_and_never_again(app_state, at_once):
    for comes in (True, False):
        app = app_with(app_state, tour=True)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause(0.05)
            assert isinstance(app.screen, TourScreen) == comes


@pytest.mark.thorough
async def test_it_waits_until_there_is_something_to_see_and_for_nobody_who_is_busy(app_state, monkeypatch):
    waits = []
    monkeypatch.setattr(WatchScreen, "set_timer", lambda screen, seconds, tour: waits.append((seconds, tour)))
    app = app_with(app_state, tour=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("?")
        ((seconds, tour),) = waits
        assert 2 <= seconds <= 10
        tour()
        await pilot.pause(0.05)
        assert isinstance(app.screen, HelpScreen)
        assert not app_state.offered("toured")


async def test_it_comes_after_the_start_screen_too(app_state, at_once):
    app = BBAApp(autostart=False, state=app_state, tour=True)
    async with app.run_test(size=SIZE) as pilot:
        assert isinstance(app.screen, StartScreen)
        assert not app_state.offered("toured")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TourScreen))
        assert app_state.offered("toured")
        await pilot.press("escape", "escape", "enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)


@pytest.mark.thorough
async def test_it_does_not_come_with_a_recording_or_unasked(app_state, at_once):
    recording = record(game(horizon=5).run())
    for app in (app_with(app_state, PlaybackSource(lambda: Replay(recording)), tour=True), app_with(app_state)):
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause(0.05)
            assert isinstance(app.screen, WatchScreen)
    assert not app_state.offered("toured")


def test_that_it_was_shown_is_remembered_beside_the_last_choice(app_state):
    app_state.note(theme="light")
    app_state.note(toured=True)
    app_state.keep(app_state.recall())
    assert app_state.offered("toured")
    assert app_state.recall(["theme"]).theme == "light"


@pytest.mark.parametrize("text", ["", "[]", '{"toured": "yes"}', '{"toured": 1}'])
def test_a_damaged_memory_stands_for_the_first_time(app_state, text):
    app_state.path.write_text(text)
    assert not app_state.offered("toured")


# --- the keys --------------------------------------------------------------------------------------------------
@pytest.mark.thorough
@pytest.mark.parametrize("key", few(["space", "right", "enter"]))
async def test_it_leads_from_stop_to_stop_and_ends_after_the_last(app_state, key):
    app = app_with(app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f2")
        visited = []
        while isinstance(app.screen, TourScreen):
            visited.append(app.screen.stop)
            assert pointed_at(app) == [app.screen.stop.panel]
            await pilot.press(key)
            await pilot.pause()
        assert visited == list(STOPS)
        assert pointed_at(app) == []


async def test_left_goes_back_and_stays_at_the_first(app_state):
    app = app_with(app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f2", "space", "space", "left")
        assert app.screen.stop == STOPS[1]
        await pilot.press("left", "left")
        assert app.screen.stop == STOPS[0]


async def test_esc_ends_it_and_leaves_the_panels_as_they_were(app_state):
    app = app_with(app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f2", "space", "escape")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert pointed_at(app) == []


async def test_the_help_leads_to_it(app_state):
    app = app_with(app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("?")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, TourScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)


@pytest.mark.thorough
async def test_under_the_help_of_the_start_screen_there_is_nothing_to_show(app_state):
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f1", "f2")
        assert isinstance(app.screen, HelpScreen)


@pytest.mark.parametrize("layer", ["f2", "question_mark", "ctrl+p"])
async def test_a_running_game_stands_still_beneath_and_goes_on_after_it(app_state, layer):
    app = app_with(app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("space", layer)
        before, game = app.game_screen.newest, app.game_screen
        game._on_tick()
        assert (app.screen is game, game.playing, game.newest) == (False, True, before)
        await pilot.press("escape")
        await until(pilot, lambda: game.newest > before)


# --- what it says and where ------------------------------------------------------------------------------------
def test_it_is_short_and_names_only_keys_that_there_are():
    assert len(STOPS) <= 8
    for stop in STOPS:
        assert len(stop.text.format_map({name: keys[0] for name, keys in DEFAULT.items()})) < 300


@pytest.mark.thorough
async def test_it_names_the_keys_as_they_are_now(app_state):
    app = app_with(app_state, keymap={**DEFAULT, "plan": ("x",)})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f2")
        assert "x shows their planned paths" in app.screen.query_one("#stop").content.plain


@pytest.mark.parametrize("size", few([(80, 24), (120, 40)]))
async def test_its_box_lies_beside_the_panel_and_on_the_screen_at_every_size(app_state, size):
    app = app_with(app_state)
    async with app.run_test(size=size) as pilot:
        await pilot.press("f2")
        while isinstance(app.screen, TourScreen):
            await pilot.pause()
            box = app.screen.query_one("#stop").region
            panel = app.game_screen.query_one(app.screen.stop.panel).region
            assert panel
            assert app.screen.region.contains_region(box)
            assert not box.overlaps(panel)
            assert not box.overlaps(app.game_screen.query_one(KeyFooter).region)
            await pilot.press("space")
            await pilot.pause()


@pytest.mark.thorough
async def test_the_box_follows_its_panel_to_another_size(app_state):
    app = app_with(app_state)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f2", "space", "space")
        await pilot.resize_terminal(100, 36)
        await pilot.pause()
        await pilot.pause()
        box, panel = app.screen.query_one("#stop").region, app.game_screen.query_one("GatePanel").region
        assert box.right == panel.x


@given(st.integers(0, 70), st.integers(0, 20), st.integers(1, 80), st.integers(1, 24))
def test_the_box_never_leaves_the_screen_and_covers_the_panel_only_where_there_is_no_room(x, y, width, height):
    screen, box = Size(80, 24), Size(30, 7)
    panel = Region(x, y, min(width, 80 - x), min(height, 24 - y))
    placed = Region.from_offset(beside(panel, box, screen), box)
    assert screen.region.contains_region(placed)
    roomy = max(panel.x, 80 - panel.right) >= 30 or max(panel.y, 24 - panel.bottom) >= 7
    assert roomy != placed.overlaps(panel)


def test_a_box_prefers_the_left_and_the_panels_own_height():
    assert beside(Region(50, 10, 30, 8), Size(40, 6), Size(120, 40)) == Offset(10, 10)


async def test_of_an_ego_without_belief_and_gate_it_says_so_and_explains_what_is_shown_in_their_place(app_state):
    for ego, has_none in (("bayes", False), ("proagent", True), ("switching", True)):
        source = PlaybackSource(lambda ego=ego: Game("open", ego, "switching", 1, horizon=9, fast=True))
        app = app_with(app_state, source)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("right", "f2", "space")
            said = str(app.screen.query_one("#stop").visual)
            assert ("This ego has no belief" in said, "an observer's" in said) == (has_none, has_none)
            await pilot.press("space")
            said = str(app.screen.query_one("#stop").visual)
            assert ("This ego has no gate" in said) == has_none
