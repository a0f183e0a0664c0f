"""The list of folders with results."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList, Static

from bba.agents import SeatSpec
from bba.bench import load_sweep, sweep_names
from bba.bench.episode import EpisodeResult
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import COMMAND_FILE, RESULTS_FILE, ResultsStore
from tests.helpers.footer import footer
from tests.helpers.notifications import notified
from tests.helpers.tiny_sweeps import outcome, sweep
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.arguments import parse
from tui.preferences import AppState
from tui.results.screens import CHILD, ResultFoldersScreen, ResultsScreen
from tui.screens.dialogs import ConfirmDialog, PathDialog
from tui.widgets.sorted_table import SortedTable

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
                    made = plan_sweep(found, SeatSpec())
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
        assert "No results here yet: b plays a benchmark" in str(app.screen.query_one("#notes", Static).visual)


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
    from tui.commands import game_screen

    opened = []
    monkeypatch.setattr(game_screen, "open_app", lambda options, **what: opened.append(what))
    for named in (folder, folder / "two"):
        parse(["results", str(named)]).run()
    assert [type(what["first"]) for what in opened] == [ResultFoldersScreen, ResultsScreen]


# --- benchmarks that are played beside the screen ----------------------------------------------------------------
PLAYS = """
import sys, time
if "--dry-run" in sys.argv:
    print("about 3.10 US dollars" if "paid" in sys.argv else "bba-tui: nothing of that name")
    sys.exit(0 if "paid" in sys.argv else 2)
print("1 of 4 episodes, " + " ".join(sys.argv[1:]), flush=True)
time.sleep(60)
"""


def below(app) -> str:
    return str(app.screen.query_one("#notes", Static).visual)


async def test_every_benchmark_is_offered_with_about_how_long_it_takes_and_what_it_is(app):
    async with app.run_test(size=(100, 40)) as pilot:
        await listed(app, pilot)
        await pilot.press("b")
        offered = app.screen.query_one("#here", OptionList).options
        assert [option.id for option in offered] == [*sweep_names()]
        for option in offered:
            text = str(option.prompt)
            about = re.fullmatch(rf"{option.id} +~\d+ (?:s|min|h)  (\S.*)", text)[1]
            assert load_sweep(option.id).title.endswith(about)
        rows = app.screen.query_one("#here", OptionList)
        assert rows.virtual_size.height == len(offered), "each in one line"


async def test_a_benchmark_begins_once_its_price_is_agreed_to_is_watched_and_stopped(app, monkeypatch):
    monkeypatch.setattr("tui.results.screens.CHILD", PLAYS)
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("x", "b")
        assert isinstance(app.screen, PathDialog)
        field = app.screen.query_one(Input)
        assert field.value == "quick"
        field.value = "quick --seds 3"
        await pilot.press("enter")
        assert "--seds: is no option of bench" in str(app.screen.query_one(".problem", Static).visual)
        field.value = 'quick "'
        await pilot.press("enter")
        assert "No closing quotation" in str(app.screen.query_one(".problem", Static).visual)
        field.value = "unknown"
        await pilot.press("enter")
        await until(pilot, lambda: "nothing of that name" in below(app))
        assert "No results here yet" not in below(app)
        await until(pilot, lambda: app.screen._child is None)

        await pilot.press("b")
        app.screen.query_one(Input).value = "bba-tui bench paid --seeds 2"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        assert "paid --seeds 2: about 3.10 US dollars" in str(app.screen.query_one("#question Static", Static).visual)
        await pilot.press("enter")
        await until(pilot, lambda: "1 of 4 episodes, bench paid --seeds 2 --yes" in below(app))
        await pilot.press("b")
        assert await notified(app, pilot, "one is under way; x stops it")
        child = app.screen._child
        await pilot.press("x")
        await until(pilot, lambda: "stopped; what is finished is kept" in below(app))
        assert child.returncode is not None
        assert len(await listed(app, pilot)) == 3


WRITES = """
import sys, time
from pathlib import Path
if "--dry-run" in sys.argv:
    sys.exit(0)
folder = Path("FOLDER")
folder.mkdir(parents=True, exist_ok=True)
(folder / "results.sqlite").touch()
(folder / "command.txt").write_text("bba-tui bench quick\\n")
print("113 of 720 episodes", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(
    ("name", "out"), [("quick", ""), ("quick", "elsewhere"), pytest.param("ablation", "", marks=pytest.mark.thorough)]
)
async def test_a_benchmark_under_way_is_a_row_that_says_how_far_it_is_and_the_footer_stops_it(
    tmp_path, monkeypatch, name, out
):
    monkeypatch.chdir(tmp_path)
    folder = Path("results") / (out or name)
    monkeypatch.setattr("tui.results.screens.CHILD", WRITES.replace("FOLDER", str(folder)))
    app = BBAApp(first=ResultFoldersScreen(Path("results")), state=AppState(tmp_path / "start.json"))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("b")
        offered = app.screen.query_one(OptionList)
        assert any(str(option.prompt).endswith("A quick look") for option in offered.options)
        app.screen.query_one(Input).value = f"{name} --out results/{out}" if out else name
        assert "stop" not in footer(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.press("enter")

        def row() -> list[str]:
            table = app.screen.query_one(SortedTable)
            return [cell.plain for cell in table.get_row_at(0)] if table.row_count else []

        await until(pilot, lambda: "playing, 113 of 720" in row())
        assert "cannot be read" not in row()
        await until(pilot, lambda: footer(app).get("stop") == "x")
        await pilot.press("x")
        await until(pilot, lambda: app.screen._child is None)
        await until(pilot, lambda: "begun, nothing finished yet" in row())
        assert "stop" not in footer(app)


async def test_it_ends_with_the_list_and_nothing_is_played_without_a_yes(app, monkeypatch):
    monkeypatch.setattr("tui.results.screens.CHILD", PLAYS)
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        for answer in ("escape", "enter"):
            await pilot.press("b")
            app.screen.query_one(Input).value = "paid"
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.press(answer)
            await until(pilot, lambda answer=answer: ("1 of 4" in below(app)) == (answer == "enter"))
        child = app.screen._child
        await pilot.press("escape")
        assert await notified(app, pilot, "the benchmark was stopped")
        await until(pilot, lambda: child.returncode is not None)


async def test_one_that_was_stopped_says_so_with_the_command_that_goes_on(app, folder):
    with ResultsStore(folder / "two") as store:
        made = plan_sweep(sweep(name="c", first_seed=40), SeatSpec())
        store.register("c", sweep(name="c", first_seed=40).model_dump_json(), made.entries)
        store.save(next(iter(made.episodes.values())), outcome())
    command = "bba-tui bench c --seed 40 --out results/two"
    (folder / "two" / COMMAND_FILE).write_text(f"{command}\n")
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        rows = {row[1].rsplit("/", 1)[1]: row for row in await listed(app, pilot)}
        assert (rows["two"][3], rows["failed"][3]) == ("9 of 12", "4")
        told = {}
        for number, name in enumerate(rows):
            app.screen.table.move_cursor(row=number)
            await pilot.pause()
            told[name] = app.screen.query_one("#rows").border_subtitle
        assert told == {"bad": "", "failed": "", "two": f"stopped; goes on with {command}"}
        app.screen.table.move_cursor(row=list(rows).index("two"))
        await pilot.press("b")
        assert app.screen.query_one(Input).value == command.removeprefix("bba-tui bench ")


def test_the_process_is_the_command_line_and_leaves_a_mistake_as_its_last_line():
    words = [sys.executable, "-c", CHILD, "bench", "nothing-of-that-name", "--dry-run"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("bba-tui: no benchmark is named 'nothing-of-that-name'; ")
