"""Plug-ins in the lists of the start screen: those that are installed, and those that were named."""

import pytest
from textual.widgets import Static

from bba.agents import DESCRIPTIONS, LOCKED_PARTNERS, load_agent
from bba.plugins import loading
from bba.plugins import loading as permission
from tests.helpers.plugin_files import write_plugins
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.arguments.options import SHOWN_EGO
from tui.preferences import AppState
from tui.screens.cook_choice import HEADING, OWN
from tui.screens.game_form import MoreSettings
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.widgets.form_fields import OptionSelect

SIZE = (120, 40)


@pytest.fixture
def outside(tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "_NAMED", {})
    monkeypatch.setattr(permission, "_ALLOWED_SOURCES", set())
    return write_plugins(tmp_path)


def names(app, field):
    return app.screen.query_one(f"#{field}", OptionSelect)._names


def cooks(app, field):
    return [row for row in names(app, field) if not row.endswith(HEADING)]


@pytest.mark.thorough
async def test_a_plug_in_that_was_named_is_offered_described_and_watched(outside, tmp_path):
    name = f"{outside}:Random"
    load_agent(name)
    state = AppState(tmp_path / "start.json")
    app = BBAApp(state=state, autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        assert cooks(app, "agent") == cooks(app, "partner")
        assert sorted(cooks(app, "agent")) == sorted({*DESCRIPTIONS, name} - {*LOCKED_PARTNERS})
        assert names(app, "agent")[-2:] == [OWN, name]
        app.screen.query_one("#partner", OptionSelect).value = name
        about = app.screen.query_one("#about", Static)
        await until(pilot, lambda: "Plays at random." in str(about.visual))
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        assert app.screen.source.config.agents == (SHOWN_EGO, name)
    assert state.recall().partner == name


async def test_installed_plug_ins_are_offered_as_cooks_and_as_planners(outside, tmp_path, monkeypatch):
    added = {"agent": {"greedy": f"{outside}:Random"}, "planner": {"first": f"{outside}:First"}}
    monkeypatch.setattr(loading, "installed", lambda kind: added.get(kind, {}))
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        assert names(app, "agent")[-1] == "greedy"
        await pilot.press("plus")
        await until(pilot, lambda: isinstance(app.screen, MoreSettings))
        assert names(app, "planner")[-1] == "first"
        app.screen.query_one("#planner", OptionSelect).value = "first"
        await until(pilot, lambda: str(app.screen.query_one("#planner-is", Static).visual) == "a plug-in")


async def test_the_plug_in_of_the_last_start_is_offered_but_not_run_before_it_is_chosen(outside, tmp_path):
    (tmp_path / "start.json").write_text(f'{{"agent": "{outside}:Random"}}')
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        assert app.screen.query_one("#agent", OptionSelect).chosen == f"{outside}:Random"
        about = app.screen.query_one("#about", Static)
        await until(pilot, lambda: "a plug-in" in str(about.visual))
        assert loading.offered("agent") == []
