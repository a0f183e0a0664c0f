"""More on the start screen: planner, model, address and steps."""

import pytest
from textual.widgets import Button, Input

from bba.agents import KEYLESS, PLANNERS
from tests.helpers.start_screen import SIZE, problem
from tui.app.app import BBAApp
from tui.screens.game_form import GameForm, MoreSettings
from tui.widgets.form_fields import OptionSelect


@pytest.mark.thorough
async def test_more_takes_planner_model_address_and_steps_and_says_so(app, app_state):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("plus", "right")
        assert app.screen.query_one("#model-settings").display
        await pilot.press("down", *["backspace"] * 6, *"tiny", "down", *"http://localhost:1/v1", "down")
        app.screen.query_one("#horizon", Input).value = "300"
        await pilot.press("enter")
        await pilot.pause()
        assert str(app.screen.query_one("#more").label) == "more •: planner openai tiny, 300 steps, 0:30"
        settings = app.screen.query_one(GameForm).settings()
        assert (settings.planner, settings.model, settings.horizon) == ("openai", "tiny", 300)
        assert settings.base_url == "http://localhost:1/v1"
        await pilot.press("w")
        await pilot.pause()
    again = app_state.recall()
    assert (again.model, again.base_url, again.horizon) == ("tiny", "http://localhost:1/v1", 300)
    assert "key" not in app_state.path.read_text()


async def test_the_steps_are_told_in_minutes_at_the_chosen_speed_where_a_clock_runs(app):
    async with app.run_test(size=SIZE) as pilot:
        more = app.screen.query_one("#more")
        assert str(more.label) == "more: planner scripted, 2400 steps, 4:00"
        app.screen.query_one("#speed", Input).value = "20"
        await pilot.pause()
        assert str(more.label).endswith("2400 steps, 2:00")
        await pilot.press("plus")
        app.screen.query_one("#horizon", Input).value = "1200"
        await pilot.pause()
        assert problem(app.screen, "#more-settings") == "1:00 minutes at 20 steps a second"
        app.screen.query_one("#horizon", Input).value = "0"
        await pilot.pause()
        assert problem(app.screen, "#more-settings") == "takes 1 or more"
        app.screen.query_one("#horizon", Input).value = "1000"
        app.screen.query_one("#turns", OptionSelect).value = "the world waits for your keys"
        await pilot.pause()
        assert problem(app.screen, "#more-settings") == ""
        await pilot.press("enter")
        await pilot.pause()
        assert str(more.label) == "more •: planner scripted, 1000 steps"
        assert len(str(more.label)) + len(", 4:00") <= more.size.width


async def test_the_label_of_the_field_with_the_cursor_stands_out_and_no_other(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("plus")
        await pilot.pause()
        for name in ("planner", "steps", "pace"):
            await pilot.pause()
            colours = {str(label.visual): label.styles.color for label in app.screen.query("#more-settings Label")}
            assert [one for one, colour in colours.items() if colour != colours["model"]] == [name]
            await pilot.press("down")


@pytest.mark.thorough
async def test_a_planner_without_a_model_asks_for_none(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("plus")
        await pilot.pause()
        assert not app.screen.query_one("#model-settings").display


@pytest.mark.thorough
async def test_escape_leaves_more_as_it_was(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("plus", "right", "escape")
        await pilot.pause()
        assert app.screen.query_one(GameForm).settings().planner == "scripted"


@pytest.mark.thorough
async def test_a_visitor_in_the_browser_cannot_choose_what_the_server_connects_to(app, monkeypatch):
    monkeypatch.setattr(BBAApp, "is_web", property(lambda app: True))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("plus")
        await pilot.pause()
        offered = {app.screen.query_one("#planner", OptionSelect).chosen}
        for _ in PLANNERS:
            await pilot.press("right")
            offered.add(app.screen.query_one("#planner", OptionSelect).chosen)
        assert offered == set(KEYLESS)


def test_what_an_older_version_remembered_still_counts(app_state):
    app_state.path.parent.mkdir(parents=True)
    app_state.path.write_text('{"layout": "ring", "agent": "proagent", "seed": 3}')
    assert (app_state.recall().layout, app_state.recall().seed, app_state.recall().model) == ("ring", 3, "gpt-4o")


async def test_a_wrong_number_of_steps_is_named_and_not_taken(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("plus")
        first, field = app.focused, app.screen.query_one("#horizon", Input)
        assert str(app.screen.query_one("#take", Button).label) == "Apply"
        wrong = {"0": "takes 1 or more", "": "takes a whole number", "1000001": "takes 1000000 or less"}
        for text, said in wrong.items():
            app.screen.set_focus(first)
            field.value = text
            await pilot.pause()
            assert problem(app.screen) == said
            await pilot.press("enter")
            assert isinstance(app.screen, MoreSettings)
            assert app.focused is field
