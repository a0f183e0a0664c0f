"""The space beside the kitchen of a person: what is asked for is in view at every size."""

import pytest

from tests.helpers.app import texts
from tests.helpers.playing import Playing
from tests.helpers.samples import few
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.widgets.gate import CommitmentGatePanel, GatePanel
from tui.widgets.kitchen_view import KitchenView, picture_size
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.recipe_cards import HOW_TO, MOST_PARTS_SHOWN, HowToPanel, RecipePanel, SkillsPanel
from tui.widgets.stations import StationsPanel


@pytest.mark.thorough
@pytest.mark.parametrize("size", few([(80, 24), (100, 30), (200, 60)]))
async def test_it_fits_every_size(tmp_path, size):
    app = Playing(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("k", "m", "left")
        await pilot.resize_terminal(60, 20)
        await pilot.resize_terminal(*size)
        assert app.screen.query_one("#body").display


@pytest.mark.parametrize("size", few([(80, 24), (120, 40), (200, 60)]))
async def test_the_countdown_stands_in_the_middle_of_the_kitchen(tmp_path, size):
    app = Playing(tmp_path, countdown=1000)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        digits, kitchen = app.screen.query_one("#countdown").region, app.screen.query_one(KitchenView).region
        for low, high in (
            (digits.x - kitchen.x, kitchen.right - digits.right),
            (digits.y - kitchen.y, kitchen.bottom - digits.bottom),
        ):
            assert abs(low - high) <= 1


EVERY_SIZE = [(80, 24), (100, 34), (80, 28), (100, 38), (120, 47)]
SIZES = pytest.mark.parametrize("size", few(EVERY_SIZE, 2))


def fully_shown(app, panel):
    """Whether a panel is shown with all its lines, in the column of panels."""
    widget = app.screen.query_one(panel)
    lines = len(list(widget.lines(app.screen.snapshot, widget.content_size.width)))
    within = app.screen.query_one("#side").region.contains_region(widget.region)
    return widget.display and within and widget.content_size.height >= min(lines, LEAST[panel])


LEAST = {
    SkillsPanel: 10,
    PosteriorPanel: 7,
    GatePanel: 5,
    CommitmentGatePanel: 5,
}  # lines that matter; the gate's last one is on the past


@pytest.mark.parametrize("ego", ["switching", "human"])
@pytest.mark.parametrize("sizes", few([EVERY_SIZE[:2], EVERY_SIZE[2:]]))
async def test_what_was_asked_for_last_is_in_view_at_every_size(tmp_path, ego, sizes):
    app = Playing(tmp_path, ego=ego, horizon=60)
    async with app.run_test(size=sizes[0]) as pilot:
        await pilot.press(".", ".")
        for size in sizes:
            await pilot.resize_terminal(*size)
            for keys, panels in (("km", (PosteriorPanel, GatePanel)), ("mk", (SkillsPanel,))):
                await pilot.press(*keys)
                await pilot.pause()
                assert all(fully_shown(app, panel) for panel in panels), (size, keys)
                modes = {"k": app.screen.skill_mode, "m": app.screen.show_belief}
                await pilot.press(*(key for key, on in modes.items() if on))
                assert {app.screen.skill_mode, app.screen.show_belief} == {False}, (size, keys)


@pytest.mark.exhaustive
@SIZES
async def test_the_gate_that_decides_for_the_agent_is_the_one_in_view(tmp_path, size):
    app = Playing(tmp_path, ego="bayes-commit", horizon=60)
    async with app.run_test(size=size) as pilot:
        assert not app.screen.query_one(CommitmentGatePanel).display
        await pilot.press(".", ".", "m")
        await pilot.pause()
        assert fully_shown(app, PosteriorPanel)
        assert fully_shown(app, CommitmentGatePanel)


@pytest.mark.thorough
async def test_a_smaller_terminal_keeps_the_list_of_skills_that_was_shown_beside_belief_and_gate(tmp_path):
    app = Playing(tmp_path, ego="bayes")
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.press(".", "m", "k")
        assert fully_shown(app, PosteriorPanel)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert fully_shown(app, SkillsPanel)


@pytest.mark.parametrize("size", few([(80, 24), (120, 40), (200, 60)]))
async def test_kitchen_and_stations_fill_their_column_with_the_picture_in_the_middle(tmp_path, size):
    app = Playing(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        kitchen, stations = app.screen.query_one(KitchenView), app.screen.query_one(StationsPanel)
        picture = picture_size(app.session.trace.config.layout, kitchen._painter.size)
        assert stations.region.bottom == app.screen.size.height - 1
        assert stations.region.y == kitchen.region.bottom
        above = kitchen.origin.y
        assert abs(kitchen.content_size.height - picture.height - 2 * above) <= 1


@pytest.mark.thorough
async def test_the_recipe_stands_beside_the_lesson_where_there_is_room(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), learn=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.screen.query_one(HowToPanel).display
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not app.screen.query_one(HowToPanel).display


@pytest.mark.thorough
async def test_in_skill_mode_spare_rows_go_to_the_orders_and_say_how_to_choose(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("k")
        await pilot.pause()
        orders, skills = app.screen.query_one(RecipePanel), app.screen.query_one(SkillsPanel)
        assert orders.content_size.height > 2 * MOST_PARTS_SHOWN + 2  # two orders with every part
        assert skills.content_size.height >= len(skills.feasible)
        words = " ".join(said.strip() for said in texts(skills.lines(app.screen.snapshot, 34)))
        assert words.endswith(HOW_TO)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert len(texts(skills.lines(app.screen.snapshot, 26))) <= skills.content_size.height
