"""The panels beside the kitchen: few at first, the others by a digit each, remembered, as many as there is room for."""

import pytest

from bba.play import Game
from tests.helpers.app import paused_app
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import drawn
from tui.app.app import BBAApp
from tui.export.screen_capture import CAPTURED, CaptureApp
from tui.playback.source import PlaybackSource
from tui.preferences import AppState
from tui.screens.side_panels import (
    DOING_ROWS,
    SWITCHED,
    PanelRows,
    SidePanels,
    SwitchesPanel,
    panel_heights,
)
from tui.widgets import (
    CooksPanel,
    EventsPanel,
    GatePanel,
    OrdersPanel,
    PlannerPanel,
    PosteriorPanel,
    StationsPanel,
    TuningPanel,
)

SIZES = [(80, 24), (120, 40), (200, 55)]
BY_DIGIT = {"1": GatePanel, "2": CooksPanel, "3": PlannerPanel, "4": StationsPanel, "5": EventsPanel, "6": TuningPanel}


def shown(app: BBAApp) -> set[type]:
    return {type(panel) for panel in app.screen.query_one(SidePanels).walk_children() if panel.region and panel.id}


@pytest.mark.parametrize("size", few(SIZES))
async def test_at_first_there_are_orders_the_belief_and_a_list_of_what_else_there_is(size):
    async with paused_app(20).run_test(size=size) as pilot:
        await drawn(pilot)
        panels = {OrdersPanel, PosteriorPanel, SwitchesPanel}
        assert {kind for kind in shown(pilot.app) if kind in {*panels, *BY_DIGIT.values()}} == panels
        assert [row[:1] for row in pilot.app.screen.query_one(SwitchesPanel).render().plain.splitlines()] == [*"123456"]


@pytest.mark.parametrize("digit", few([*BY_DIGIT]))
@pytest.mark.parametrize("size", few(SIZES))
async def test_each_digit_switches_a_panel_on_and_off(size, digit):
    async with paused_app(20).run_test(size=size) as pilot:
        panel = pilot.app.screen.query_one(BY_DIGIT[digit])
        for expected in (True, False):
            await pilot.press(digit)
            await drawn(pilot)
            assert bool(panel.region) == expected
            assert panel.region.bottom <= size[1] - 1


@pytest.mark.parametrize("size", few(SIZES))
async def test_where_not_all_have_room_the_newest_is_shown_and_a_digit_brings_another_back(size):
    async with paused_app(20).run_test(size=size) as pilot:
        await pilot.press(*"12345")
        await drawn(pilot)
        side = pilot.app.screen.query_one(SidePanels)
        assert side.on == ("gate", "cooks", "planner", "stations", "events")
        assert pilot.app.screen.query_one(EventsPanel).region
        regions = [panel.region for panel in side.walk_children() if panel.id and panel.region]
        assert all(side.region.contains_region(region) for region in regions)
        gone = [name for name in side.on if side.makes_way(name)]
        assert bool(gone) == (size == (80, 24))
        for name in gone[:1]:
            digit = str([*SWITCHED].index(name) + 1)
            await pilot.press(digit)
            await drawn(pilot)
            assert pilot.app.screen.query_one(BY_DIGIT[digit]).region
            assert side.on[-1] == name


async def test_what_is_on_is_remembered_but_not_the_sliders_which_take_the_arrow_keys(tmp_path):
    state = AppState(tmp_path / "start.json")
    async with paused_app(5, {"state": state}).run_test(size=(120, 40)) as pilot:
        await pilot.press("5", "1", "6", "h")
        await drawn(pilot)
    assert state.panels(SWITCHED) == ("gate", "events")
    assert not state.thoughts()
    async with paused_app(5, {"state": AppState(tmp_path / "start.json")}).run_test(size=(120, 40)) as pilot:
        await drawn(pilot)
        assert {GatePanel, EventsPanel} <= shown(pilot.app)
        assert TuningPanel not in shown(pilot.app)


@pytest.mark.parametrize("content", ['{"panels": 3}', '{"panels": ["gate", "nonsense", 7]}', "[]", "no JSON"])
def test_a_damaged_memory_switches_on_only_what_there_is(tmp_path, content):
    path = tmp_path / "start.json"
    path.write_text(content, encoding="utf-8")
    assert set(AppState(path).panels(SWITCHED)) <= {"gate"}


async def test_a_click_on_the_list_switches_as_the_digit_does():
    async with paused_app(20).run_test(size=(120, 40)) as pilot:
        await drawn(pilot)
        await pilot.click(SwitchesPanel, offset=(4, 2))
        await drawn(pilot)
        assert pilot.app.screen.query_one(CooksPanel).region
        assert "2 ● cooks" in pilot.app.screen.query_one(SwitchesPanel).render().plain


async def test_a_panel_that_was_hidden_shows_the_step_at_once():
    source = PlaybackSource(lambda: Game("open", "bayes", "switching", 0, horizon=40))
    for _ in range(10):
        source.step()
    async with BBAApp(source, autostart=False).run_test(size=(120, 40)) as pilot:
        await pilot.press("1")
        await drawn(pilot)
        gate = pilot.app.screen.query_one(GatePanel)
        assert gate.snapshot.step == 10
        assert "mid-skill" in gate.render().plain


def test_a_picture_of_the_screen_has_panels_that_nobody_can_switch_on_in_it():
    assert CaptureApp().panels == CAPTURED
    assert set(CAPTURED) <= set(SWITCHED)


def test_rows_are_taken_first_from_panels_that_can_do_without_and_then_from_the_oldest():
    wide = panel_heights([PosteriorPanel, OrdersPanel, *DOING_ROWS], 100)
    assert all(height.framed for height in wide.values())
    narrow = panel_heights([PosteriorPanel, EventsPanel, OrdersPanel, CooksPanel], 17)
    assert narrow[PosteriorPanel].rows + narrow[EventsPanel].rows + narrow[OrdersPanel].rows <= 17
    assert narrow[EventsPanel] == (1, False)
    least = panel_heights([PosteriorPanel, EventsPanel, OrdersPanel, CooksPanel], 11)
    assert CooksPanel not in least
    assert panel_heights([PosteriorPanel], 3) == {}
    assert PanelRows((9,)).bare == ()
