"""The tour: once for ever at the first game, panel by panel, without covering what it explains."""

from itertools import product

import pytest
from textual.geometry import Offset, Region, Size

from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineMark
from bba.play import Game, Replay, record
from human.keymap import DEFAULT
from tests.helpers.app import fresh_source, with_panels
from tests.helpers.games import game
from tests.helpers.keys import press_at_once
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import drawn, until
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.preferences import AppState
from tui.screens.help import HelpScreen
from tui.screens.start import StartScreen
from tui.screens.tour import AT_FIRST_CHANGE, EXPLAINED, STOPS, TourScreen, place_beside
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
        assert 15 <= seconds <= 30, "a changed plan comes first in a game that opens"
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
        assert await said_of_belief_and_gate(pilot) == (False, False, False), "the ego of the start screen has both"
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
    app = with_panels(app_with(app_state), "gate", "cooks")
    async with app.run_test(size=(160, 60)) as pilot:
        await drawn(pilot)
        await pilot.press("f2")
        visited = []
        while isinstance(app.screen, TourScreen):
            visited.append(app.screen.stop)
            assert pointed_at(app) == [app.screen.stop.panel]
            await pilot.press(key)
            await pilot.pause()
        assert visited == [stop for stop in STOPS if stop.panel not in ("ReplanCaption", "ValuePanel")]
        assert pointed_at(app) == []


async def test_the_help_leads_to_it_past_every_panel_left_goes_back_to_the_first_and_esc_leaves_all_as_it_was(
    app_state,
):
    app = with_panels(app_with(app_state), "gate")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("?")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, TourScreen)
        await its_box_lies_beside_every_panel(pilot)
        await pilot.press("f2")
        assert await said_of_belief_and_gate(pilot) == (True, True, True), "a switching ego has none"
        await pilot.press("left")
        assert app.screen.stop.panel == "PosteriorPanel"
        await press_at_once(pilot, "left", "left")
        assert app.screen.stop.panel == "KitchenView"
        await pilot.press("space", "escape")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert pointed_at(app) == []


async def test_a_key_that_the_tour_has_no_use_for_ends_it_and_reaches_the_game_beneath(app_state):
    app = app_with(app_state)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2")
        box = app.screen.query_one("#stop")
        assert box.border_subtitle == "1/6  space next  other keys end"
        assert len(box.border_subtitle) <= box.outer_size.width - 6  # corners, a cell of line and a space each side
        await pilot.press("t")
        await until(pilot, lambda: app.screen is app.game_screen)
        assert not app.game_screen.snapshot.truth, "which the key has hidden"


async def said_of_belief_and_gate(pilot) -> tuple[bool, bool, bool]:
    """Goes on from the first stop: whether there is no belief, but an observer's instead, and no gate."""
    await pilot.press("space")
    belief = str(pilot.app.screen.query_one("#stop").visual)
    await pilot.press("space")
    gate = str(pilot.app.screen.query_one("#stop").visual)
    return "This ego has no belief" in belief, "an observer's" in belief, "This ego has no gate" in gate


@pytest.mark.thorough
async def test_under_the_help_of_the_start_screen_there_is_nothing_to_show(app_state):
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f1", "f2")
        assert isinstance(app.screen, HelpScreen)


async def test_a_running_game_stands_still_beneath_and_goes_on_after_it(app_state):
    proagent = PlaybackSource(lambda: Game("open", "proagent", "switching", 1, horizon=90, fast=True))
    app = with_panels(app_with(app_state, proagent), "gate")
    async with app.run_test(size=SIZE) as pilot:
        game = app.game_screen
        await pilot.press("space")
        for layer in ("f2", "question_mark", "ctrl+p"):
            await pilot.press(layer)
            before = game.newest
            game._on_tick()
            assert (app.screen is game, game.playing, game.newest) == (False, True, before), layer
            await pilot.press("escape")
            await until(pilot, lambda: game.newest > before)  # noqa: B023 - it is awaited here
        await pilot.press("space", "f2")
        assert await said_of_belief_and_gate(pilot) == (True, True, True), "this ego has neither"


# --- what it says and where ------------------------------------------------------------------------------------
def test_it_is_short_and_names_only_keys_that_there_are():
    gates = [stop for stop in STOPS if stop.title == "the gate"]
    assert len(STOPS) - len(gates) + 1 <= 9, "one of the gates decides"
    assert STOPS[0].panel == "ReplanCaption", "which is there only where the ego has just thought again"
    for stop in STOPS:
        assert len(stop.text.format_map({name: keys[0] for name, keys in DEFAULT.items()})) < 300


@pytest.mark.thorough
async def test_it_names_the_keys_as_they_are_now(app_state):
    app = app_with(app_state, keymap={**DEFAULT, "plan": ("x",)})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f2")
        assert "x shows their planned paths" in app.screen.query_one("#stop").content.plain


@pytest.mark.long
async def test_its_box_lies_beside_the_panel_and_on_a_larger_screen(app_state):
    app = app_with(app_state)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f2")
        await its_box_lies_beside_every_panel(pilot)


async def its_box_lies_beside_every_panel(pilot) -> None:
    """Leads from the first stop past the last one."""
    app, stops = pilot.app, 0
    while isinstance(app.screen, TourScreen):
        box = app.screen.query_one("#stop").region
        panel = app.game_screen.query_one(app.screen.stop.panel).region
        assert panel
        assert app.screen.region.contains_region(box)
        assert not box.overlaps(panel)
        assert not box.overlaps(app.game_screen.query_one(KeyFooter).region)
        stops += 1
        await pilot.press("space")
        await pilot.pause()
    assert stops > 3


@pytest.mark.thorough
async def test_the_box_follows_its_panel_to_another_size(app_state):
    app = app_with(app_state)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f2", "space")
        await pilot.resize_terminal(100, 36)
        await pilot.pause()
        await pilot.pause()
        box, panel = app.screen.query_one("#stop").region, app.game_screen.query_one("PosteriorPanel").region
        assert box.right == panel.x


def test_the_box_never_leaves_the_screen_and_covers_the_panel_only_where_there_is_no_room():
    screen, box = Size(80, 24), Size(30, 7)
    corners = product((0, 1, 23, 29, 30, 31, 49, 50, 51, 70), (0, 1, 6, 7, 8, 16, 17, 18, 20))
    sizes = [(1, 1), (20, 3), (30, 10), (49, 16), (50, 17), (51, 18), (80, 8), (80, 17), (9, 24), (80, 24)]
    for (x, y), (width, height) in product(corners, sizes):
        panel = Region(x, y, min(width, 80 - x), min(height, 24 - y))
        placed = Region.from_offset(place_beside(panel, box, screen), box)
        assert screen.region.contains_region(placed), panel
        roomy = max(panel.x, 80 - panel.right) >= 30 or max(panel.y, 24 - panel.bottom) >= 7
        assert roomy != placed.overlaps(panel), panel


def test_where_there_is_no_room_the_box_covers_as_little_as_it_can():
    screen, box = Size(80, 24), Size(38, 9)
    panel = Region(0, 5, 80, 12)
    covered = Region.from_offset(place_beside(panel, box, screen), box).intersection(panel)
    assert covered.height == 2, "of its nine rows five have room above the panel, and seven below"


def test_a_box_prefers_the_left_and_the_panels_own_height():
    assert place_beside(Region(50, 10, 30, 8), Size(40, 6), Size(120, 40)) == Offset(10, 10)


async def test_a_tour_at_the_first_change_begins_with_a_caption_that_has_only_just_come_up(app_state):
    trace = Game("open", "bayes-commit", "switching", 0, horizon=400).run()
    app = app_with(app_state, PlaybackSource(lambda: TracePlayback(trace)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.game_screen
        data = screen._timeline.timeline_data_of(Snapshot(trace, 400))
        screen._seek(data.marks[TimelineMark.REPLAN][0])
        assert not screen.query_one("ReplanCaption").region, "it is laid out later"
        assert TourScreen(screen, AT_FIRST_CHANGE).stop.panel == "ReplanCaption"
