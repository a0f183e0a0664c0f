"""The list of folders with results."""

import os

import pytest
from textual.widgets import Static

from bba.agents import AgentOptions
from bba.bench.episode import EpisodeResult
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from tests.helpers.notifications import notified
from tests.helpers.tiny_sweeps import outcome, sweep
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.results.screens import ResultFoldersScreen, ResultsScreen
from tui.screens.dialogs import ConfirmDialog

NOW = 1_790_000_000


@pytest.fixture
def folder(tmp_path):
    """Three folders, oldest first: of two sweeps, of one with a failure and a page beside it, and a damaged one."""
    for number, (name, sweeps) in enumerate((("two", ("a", "b")), ("failed", ("c",)), ("bad", ()))):
        place = tmp_path / "results" / name
        place.mkdir(parents=True)
        if sweeps:
            with ResultsStore(place) as store:
                for found in (sweep(name=one, first_seed=10 * position) for position, one in enumerate(sweeps)):
                    made = plan_sweep(found, AgentOptions())
                    store.register(found.name, found.model_dump_json(), made.entries)
                    for episode in made.episodes.values():
                        store.save(episode, EpisodeResult(failure="broke") if name == "failed" else outcome())
        else:
            (place / RESULTS_FILE).write_bytes(b"no database")
        os.utime(place / RESULTS_FILE, (NOW + number, NOW + number))
    (tmp_path / "results" / "failed" / "report.html").touch()
    return tmp_path / "results"


@pytest.fixture
def app(folder, tmp_path):
    return BBAApp(first=ResultFoldersScreen(folder), state=AppState(tmp_path / "start.json"))


async def listed(app, pilot, count=3) -> list[list[str]]:
    await until(pilot, lambda: isinstance(app.screen, ResultFoldersScreen) and len(app.screen.entries) == count)
    await pilot.pause()
    table = app.screen.table
    return [[str(cell) for cell in table.get_row_at(number)] for number in range(table.row_count)]


@pytest.mark.thorough
async def test_every_folder_is_there_newest_first_with_what_it_holds(app):
    async with app.run_test(size=(120, 30)) as pilot:
        rows = await listed(app, pilot)
        assert [row[1].rsplit("/", 1)[1] for row in rows] == ["bad", "failed", "two"]
        assert [row[2:] for row in rows] == [["cannot be read", "", ""], ["c", "4", "4"], ["a, b", "8", "0"]]


@pytest.mark.thorough
async def test_enter_shows_the_tables_and_escape_comes_back(app):
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, ResultsScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, ResultFoldersScreen)


async def test_deleting_asks_takes_the_results_alone_and_an_empty_folder_with_them(app, folder):
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("down", "d")
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.click("#yes")
        await listed(app, pilot, 2)
        await pilot.press("u")
        await listed(app, pilot, 3)
        assert load_results(folder / "failed").episodes
        await pilot.press("d")
        await pilot.click("#yes")
        await listed(app, pilot, 2)
        await pilot.press("d")
        await pilot.click("#yes")
        await listed(app, pilot, 1)
    assert sorted(path.name for path in folder.iterdir()) == ["bad", "failed"]
    assert [path.name for path in (folder / "failed").iterdir()] == ["report.html"]


async def test_export_writes_the_page(app, folder):
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("down", "down", "e")
        assert await notified(app, pilot, "written to")
    assert (folder / "two" / "report.html").is_file()


async def test_without_results_it_says_how_to_get_some(tmp_path):
    app = BBAApp(first=ResultFoldersScreen(tmp_path / "results"), state=AppState(tmp_path / "start.json"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "No results here yet: bba-tui bench quick" in str(app.screen.query_one("#notes", Static).visual)


@pytest.mark.thorough
async def test_a_key_that_finds_nothing_says_so(app, tmp_path):
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("slash", *"xyz", "enter", "enter")
        assert await notified(app, pilot, "no row has these words")
        await pilot.press("d")
        assert await notified(app, pilot, "nothing to delete")
    empty = BBAApp(first=ResultFoldersScreen(tmp_path / "none"), state=AppState(tmp_path / "start.json"))
    async with empty.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        assert await notified(empty, pilot, "nothing to open")


def test_the_command_lists_a_folder_of_folders_and_opens_one_with_results(folder, monkeypatch):
    from tui.arguments import parse
    from tui.commands import interactive

    opened = []
    monkeypatch.setattr(interactive, "_open", lambda settings, **what: opened.append(what))
    interactive.interact(parse(["results", str(folder)]))
    interactive.interact(parse(["results", str(folder / "two")]))
    assert [type(what["first"]) for what in opened] == [ResultFoldersScreen, ResultsScreen]
