"""The list of recorded games: what it says of each, and what can be done with one."""

import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest
from textual.widgets import Input, Static

from bba.play import load, record, save
from bba.play.recording_io import usage_path
from human.recordings import recordings_folder
from tests.helpers.games import played
from tests.helpers.notifications import notified, said
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.export.dialog import ExportDialog
from tui.preferences import AppState
from tui.results.browser import day_text
from tui.results.recordings_screen import RecordingsScreen, curve, game_cells, opened, read_game
from tui.screens.dialogs import ConfirmDialog, PathDialog
from tui.screens.duel import DuelScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen

NOW = datetime.now().replace(hour=12, minute=0, second=0, microsecond=0).timestamp()  # today takes the most room


@pytest.fixture
def games(monkeypatch, tmp_path):
    """A game in the working folder, a newer one in the data folder, and the newest, which is damaged."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    recordings_folder().mkdir(parents=True)
    files = (tmp_path / "work" / "old.bba", recordings_folder() / "new.bba", tmp_path / "work" / "bad.bba")
    save(record(played(30, layout="open")), files[0])
    save(record(played(40, layout="ring", seed=3)), files[1])
    files[2].write_bytes(b"no recording")
    for number, file in enumerate(files):
        os.utime(file, (NOW + number, NOW + number))
    return files


@pytest.fixture
def app(games, tmp_path):
    return BBAApp(first=RecordingsScreen(20.0), state=AppState(tmp_path / "start.json"), autostart=False)


def rows(app) -> list[list[str]]:
    table = app.screen.table
    return [[str(cell) for cell in table.get_row_at(number)] for number in range(table.row_count)]


def files(app) -> list[str]:
    """The files of the rows that are shown, in order."""
    table = app.screen.table
    shown = (table.coordinate_to_cell_key((number, 0)).row_key.value for number in range(table.row_count))
    return [app.screen.entries[int(key)].path.name for key in shown]


async def listed(app, pilot, count=3) -> None:
    await until(pilot, lambda: isinstance(app.screen, RecordingsScreen) and len(app.screen.entries) == count)
    await pilot.pause()


@pytest.mark.thorough
async def test_every_game_of_both_folders_is_there_newest_first_and_a_damaged_one_says_so(app):
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        assert files(app) == ["bad.bba", "new.bba", "old.bba"]
        assert rows(app)[0][6] == "cannot be read"
        assert (rows(app)[1][1], rows(app)[1][6]) == ("ring", "new")
        assert [row[4] for row in rows(app)] == ["", "40", "30"]
        assert "3 here" in str(app.screen.query_one("#notes", Static).visual)


@pytest.mark.thorough
async def test_the_picture_is_the_end_of_the_game_under_the_cursor_and_gives_way_where_it_has_no_room(app):
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        picture = app.screen.query_one("#end")
        await pilot.press("down")
        await pilot.pause()
        assert (picture.border_title, picture.border_subtitle) == ("the end", "after step 40")
        assert picture.picture_size.area > 0
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not picture.display


@pytest.mark.thorough
async def test_the_filter_counts_as_it_is_typed(app):
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("slash", *"rin")
        assert files(app) == ["new.bba"]
        assert app.screen.query_one("#filter", Input).value == "rin"


@pytest.mark.thorough
async def test_no_column_is_cut_off_and_the_file_is_named_below_and_found_by_the_filter(app):
    async with app.run_test(size=(80, 24)) as pilot:
        await listed(app, pilot)
        assert app.screen.table.virtual_size.width <= app.screen.table.size.width
        below = app.screen.query_one("#rows")
        assert below.border_subtitle == "bad.bba"
        await pilot.press("down")
        await until(pilot, lambda: below.border_subtitle == "new.bba")
        await pilot.press("slash", *"old.b")
        await until(pilot, lambda: files(app) == ["old.bba"])


@pytest.mark.thorough
async def test_enter_watches_a_game_at_the_given_speed_and_escape_comes_back(app):
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert (app.game_screen.source.config.layout.name, app.game_screen.clock.speed) == ("open", 20)
        await pilot.press("escape")
        assert isinstance(app.screen, RecordingsScreen)


def point_at(app, name):
    app.screen.table.move_cursor(row=files(app).index(name))


async def test_a_game_is_exported_opened_by_its_path_and_shown_by_a_command_and_a_damaged_one_says_why_not(
    app, games, tmp_path
):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "far.bba").write_bytes(games[0].read_bytes())
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        for key in ("enter", "e"):
            said(app).clear()
            await pilot.press(key)
            assert await notified(app, pilot, "bad.bba: cannot be read")
            assert isinstance(app.screen, RecordingsScreen), key

        # The game under the cursor is exported.
        await pilot.press("down", "e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        app.screen.query_one("#file", Input).value = "table.jsonl"
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "work" / "table.jsonl").exists())
        assert (tmp_path / "work" / "table.jsonl").read_text().count("\n") == 40

        # A path can be typed, and tab completes it.
        await pilot.press("o")
        assert isinstance(app.screen, PathDialog)
        await pilot.press(*"../e", "tab", "f", "tab")
        assert app.screen.query_one(Input).value == "../elsewhere/far.bba"
        await pilot.press("enter")
        await pilot.pause()
        assert app.game_screen.source.config.layout.name == "open"
        await pilot.press("escape")

        # The command that shows a game is copied, but not while the filter is typed.
        await listed(app, pilot)
        point_at(app, "new.bba")
        await pilot.press("y")
        assert app.clipboard == f"bba-tui replay {games[1]}"
        assert await notified(app, pilot, f"copied the command: bba-tui replay {games[1]}")
        await pilot.press("Y")
        assert app.clipboard == str(games[1])
        await pilot.press("slash", "y")
        assert app.screen.query_one("#filter", Input).value == "y"


async def test_deleting_asks_and_until_the_list_is_left_a_deleted_game_keeps_its_name_and_comes_back(
    app, games, monkeypatch
):
    usage_path(games[1]).write_text("{}")
    old = games[0].read_bytes()
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("down", "d")
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("enter")  # the focus is on "Keep"
        await pilot.pause()
        assert games[1].exists()
        await pilot.press("d")
        await pilot.click("#yes")
        await listed(app, pilot, 2)
        assert [file.exists() for file in (*games, usage_path(games[1]))] == [True, False, True, False]
        assert files(app) == ["bad.bba", "old.bba"]

        # What cannot be brought back is said, and can be tried again.
        with monkeypatch.context() as broken:
            broken.setattr(Path, "rename", fails)
            await pilot.press("u")
            assert await notified(app, pilot, "cannot be brought back: the disk is gone")
        await pilot.press("u")
        await listed(app, pilot, 3)
        assert all(file.exists() for file in (*games, usage_path(games[1])))

        # No other game of the folder takes the name of a deleted one.
        point_at(app, "old.bba")
        await pilot.press("d")
        await pilot.click("#yes")
        await listed(app, pilot, 2)
        point_at(app, "bad.bba")
        await pilot.press("n")
        app.screen.query_one(Input).value = "old.bba"
        await pilot.press("enter")
        assert "there is a file old.bba already" in str(app.screen.query_one(".problem", Static).visual)
        await pilot.press("escape", "u")
        await listed(app, pilot, 3)
        assert games[0].read_bytes() == old

        # A renamed game is no longer marked by its old name.
        point_at(app, "new.bba")
        await pilot.press("space", "up", "n")
        app.screen.query_one(Input).value = "my best"
        await pilot.press("enter")
        await pilot.pause()
        assert [entry.path.name for entry in app.screen.targets] == ["my best.bba"]


async def test_several_are_marked_and_deleted_together_and_undone_as_they_were(app, games):
    before = {file: (file.read_bytes(), file.stat().st_mtime) for file in games}
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        shown = rows(app)
        await pilot.press("space", "space")
        assert [row[0].startswith("● ") for row in rows(app)] == [True, True, False]
        await pilot.press("d")
        assert "2 marked ones" in str(app.screen.query_one("#question Static", Static).visual)
        await pilot.click("#yes")
        await listed(app, pilot, 1)
        assert await notified(app, pilot, "deleted; u brings it back")
        assert [file.exists() for file in games] == [True, False, False]
        await pilot.press("u")
        await listed(app, pilot)
        assert rows(app) == shown
        assert {file: (file.read_bytes(), file.stat().st_mtime) for file in games} == before
        await pilot.press("d")
        await pilot.click("#yes")
        await listed(app, pilot, 2)
    assert sorted(file.name for file in games[0].parent.iterdir()) == ["old.bba"], (
        "gone for good, once the list is left"
    )


async def test_two_marked_games_are_compared_side_by_side(app, games):
    save(record(played(20, layout="open")), games[2])
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("c")
        assert await notified(app, pilot, "mark two games")
        places = {name: number for number, name in enumerate(files(app))}
        for name in ("old.bba", "bad.bba"):
            app.screen.table.move_cursor(row=places[name])
            await pilot.press("space")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, DuelScreen))
        assert [len(source.trace.ticks) for source in app.screen.sources] != [0, 0]
        assert "the egos, the partner and the seed are the same" in str(app.screen.query_one("#told").content).replace(
            "\n", " "
        )
        await pilot.press("escape")
        assert isinstance(app.screen, RecordingsScreen)
        app.screen.table.move_cursor(row=places["new.bba"])
        await pilot.press("space", "c")
        assert await notified(app, pilot, "the same kitchen, seed and partner")


@pytest.mark.thorough
async def test_a_recording_is_renamed_with_what_lies_beside_it_and_nothing_is_overwritten(app, games):
    usage_path(games[1]).write_text("{}")
    async with app.run_test(size=(120, 30)) as pilot:
        await listed(app, pilot)
        await pilot.press("down", "n")
        field = app.screen.query_one(Input)
        assert field.value == "new.bba"
        field.value = "my best"
        await pilot.press("enter")
        await pilot.pause()
        assert files(app) == ["bad.bba", "my best.bba", "old.bba"]
        assert "my best" in rows(app)[1], "a name that somebody gave stands in its row"
        new = games[1].with_name("my best.bba")
        assert [file.exists() for file in (games[1], usage_path(games[1]), new, usage_path(new))] == [
            False,
            False,
            True,
            True,
        ]
        app.screen.table.move_cursor(row=0)
        await pilot.press("n")
        app.screen.query_one(Input).value = "old.bba"
        await pilot.press("enter")
        assert "there is a file old.bba already" in str(app.screen.query_one(".problem", Static).visual)
        await pilot.press("escape")
        assert files(app) == ["bad.bba", "my best.bba", "old.bba"]


def fails(*_):
    raise OSError(5, "the disk is gone")


async def test_without_a_game_it_says_how_to_get_one_and_no_key_breaks(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    app = BBAApp(first=RecordingsScreen(10.0), state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "e", "s", "enter")
        await pilot.pause()
        assert isinstance(app.screen, RecordingsScreen)
        assert "No recorded games yet" in str(app.screen.query_one("#notes", Static).visual)


@pytest.mark.thorough
async def test_the_start_screen_leads_there_and_escape_back(games, tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o")
        await listed(app, pilot)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


def test_the_course_of_a_score_rises_with_it():
    assert curve(()) == ""
    assert curve((0,) * 30) == "▁" * 8
    assert curve((0, 50, 100)) == "▁▄█"
    assert curve(tuple(range(100)))[-1] == "█"


def test_times_are_said_as_people_say_them():
    now = datetime(2026, 11, 22, 12, 0)
    assert day_text(datetime(2026, 11, 22, 9, 5).timestamp(), now) == "today 9:05"
    assert day_text(datetime(2026, 11, 21, 23, 59).timestamp(), now) == "yesterday"
    assert day_text(datetime(2026, 3, 1, 9, 5).timestamp(), now) == "1 Mar"
    assert day_text(datetime(2025, 3, 1, 9, 5).timestamp(), now) == "2025-03-01"


async def test_a_note_is_kept_with_a_game_and_shown_and_its_folder_is_opened_or_named(app, games, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await listed(app, pilot)
        point_at(app, "new.bba")
        await pilot.press("B", *"rice", "space", *"was", "space", *"late, all of it!", "enter")
        await until(pilot, lambda: load(games[1]).notes == ((0, "rice was late, all of it!"),))
        assert games[1].stat().st_mtime == NOW + 1, "it stays where it was in the list"
        await until(pilot, lambda: rows(app)[1][6] == "rice was late, all of it!")
        assert app.screen.query_one("#rows").border_subtitle == "new.bba: rice was late, all of it!"
        others = list(app.screen.table.columns.values())[:-1]
        assert sum(one.get_render_width(app.screen.table) for one in others) + 20 <= app.screen.table.size.width
        await pilot.press("slash", *"late", "enter")
        assert files(app) == ["new.bba"]
        await pilot.press("f")
        assert await notified(app, pilot, f"it is in {games[1].parent}; Y copies its path")
        await pilot.press("B")
        assert app.screen.query_one(Input).value == "rice was late, all of it!"
        await pilot.click("#delete")
        await until(pilot, lambda: load(games[1]).notes == ())
        await until(pilot, lambda: rows(app) == [])  # no row has the word any more


def test_a_folder_is_opened_by_the_desktop_where_there_is_one(monkeypatch, tmp_path):
    begun = []
    monkeypatch.setattr("subprocess.Popen", lambda words, **_: begun.append(words))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name in ("xdg-open", "open") else None)
    monkeypatch.setenv("DISPLAY", ":0")
    for platform, program in (("linux", "xdg-open"), ("darwin", "open")):
        monkeypatch.setattr("sys.platform", platform)
        assert opened(tmp_path)
        assert begun.pop() == [f"/usr/bin/{program}", tmp_path]
    monkeypatch.setattr("sys.platform", "win32")
    assert not opened(tmp_path)


def test_the_row_of_a_duel_names_both_egos(tmp_path):
    duel = tmp_path / "20260101-120000-open.bba"  # nobody has named it
    shutil.copy(Path(__file__).parents[1] / "screens" / "recordings" / "duel-open.bba", duel)
    recording = load(duel)
    egos = " / ".join(game.config.agents[0] for game in (recording, recording.other))
    assert game_cells(duel, read_game(duel))[5].text == f"duel: {egos} · {recording.config.agents[1]}"
