"""Plug-ins on the screen: forked in the dialog, or not; an exception is a line, with its traceback behind it."""

import pytest
from textual.widgets import Static

from bba.agents import SeatSpec, load_agent
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from bba.play import Game
from bba.plugins import loading
from tests.helpers.forks import SIZE, fork_it, live, still, traces
from tests.helpers.plugin_files import write_plugins
from tests.helpers.tiny_sweeps import sweep
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.results.episodes import EpisodesScreen, FailureDialog
from tui.results.rows import EPISODE_HEADINGS, StoredGame, episode_entries
from tui.results.screens import ResultsScreen
from tui.screens.what_if import ForkDialog


@pytest.fixture
def outside(tmp_path):
    return write_plugins(tmp_path)


def watched(name):
    return still(live(12, lambda: Game("open", load_agent(name), "switching", 0)))


@pytest.mark.thorough
async def test_the_dialog_forks_an_agent_that_is_a_plug_in(outside):
    app = watched(f"{outside}:Random")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        assert str(app.screen.query_one("#who", Static).visual) == "Plays at random."
        await pilot.press("escape")
        first, second = traces(await fork_it(pilot))
        assert first.config == second.config


@pytest.mark.thorough
async def test_the_dialog_says_why_a_plug_in_cannot_be_forked(outside, monkeypatch):
    app = watched(f"{outside}:Once")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w", "enter")
        assert isinstance(app.screen, ForkDialog)
        told = app.screen.query_one("#under-way", Static)
        await until(pilot, lambda: "says that it cannot be forked" in str(told.visual))
        monkeypatch.setattr(loading, "_ALLOWED_SOURCES", set())
        await pilot.press("enter")
        await until(pilot, lambda: "--plugins" in str(told.visual))


def failed_results(outside, folder):
    plan = plan_sweep(sweep(agents=[f"{outside}:Failing"], seeds=1), SeatSpec())
    with ResultsStore(folder) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        for episode in plan.episodes.values():
            store.save(episode, play(episode, SeatSpec()))
    return load_results(folder)


async def test_a_failed_episode_has_its_line_in_the_table_and_its_traceback_in_its_details(outside, tmp_path):
    results = failed_results(outside, tmp_path / "results")
    app = BBAApp(first=ResultsScreen(results), state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        game = StoredGame(results, results.sweeps[0].entries[0])
        await app.push_screen(EpisodesScreen("one cell", EPISODE_HEADINGS, [episode_entries(*game)], [(game,)]))
        row = [str(cell) for cell in app.screen.table.get_row_at(0)]
        assert row[5].startswith("failed: ")
        assert ":Failing: decide in step 6: ZeroDivisionError" in row[5]
        assert "Traceback" not in row[5]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, FailureDialog))
        assert "return 1 // 0" in "\n".join(str(static.visual) for static in app.screen.query(Static))
        await pilot.press("escape")
        assert isinstance(app.screen, EpisodesScreen)
