"""The kitchen designer on the screen: by keys and mouse, what it says meanwhile, games, files, and the way out."""

import os
from pathlib import Path

import pytest
from textual.widgets import Input, Static

from bba.kitchen import Layout
from bba.settings import Settings
from tests.helpers.footer import footer
from tests.helpers.notifications import notified
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.design import findings as checking
from tui.design.board import NEEDED, TOOLS, DesignBoard, ToolsPanel
from tui.design.draft import EMPTY_ROOM, Draft
from tui.design.kitchen_file import kitchen_text, named_kitchen, read_kitchen
from tui.design.screen import DesignScreen
from tui.preferences import AppState
from tui.screens.debrief import DebriefScreen
from tui.screens.dialogs import ConfirmDialog, PathDialog
from tui.screens.help import HelpScreen
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.widgets.form_fields import OptionSelect

SIZE = (80, 24)


@pytest.fixture(autouse=True)
def nothing_elsewhere(monkeypatch, tmp_path):
    """An empty working folder, and no recorded games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def state(tmp_path):
    return AppState(tmp_path / "config" / "start.json")


def designer(state: AppState, name: str = "new") -> BBAApp:
    """The app on the designer with a kitchen."""
    return BBAApp(first=DesignScreen(*named_kitchen(name), Settings()), state=state, autostart=False)


def draft(app: BBAApp) -> Draft:
    screen = next(screen for screen in app.screen_stack if isinstance(screen, DesignScreen))
    return screen.drawing.draft


def found(app: BBAApp) -> str:
    return str(app.screen.query_one("#found", Static).visual)


def title(app: BBAApp) -> str:
    return str(app.screen.query_one("#design-title", Static).visual)


# --- drawing ---------------------------------------------------------------------------------------------------
async def test_every_tool_is_drawn_by_its_key_and_by_enter_and_the_mouse_again(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        keys = app.screen.query_one(ToolsPanel)._keys
        for tool in TOOLS:
            app.screen.drawing.replace(EMPTY_ROOM.drawn((1, 1), "U"))
            await pilot.press(keys[f"draw({tool!r})"])
            assert draft(app) == EMPTY_ROOM.drawn((1, 1), "U").drawn((1, 1), tool)
        await pilot.press("space")
        await pilot.press("g", "right", "enter")
        assert draft(app).rows[1][1:3] == "GG"


async def test_arrows_move_the_cursor_within_the_map_and_shift_draws_a_line(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["left"] * 4, *["up"] * 4)
        assert app.screen.drawing.cursor == (0, 0)
        await pilot.press("b", *["shift+right"] * 3)
        assert draft(app).rows[0] == "BBBBXXXXXX"
        await pilot.press("ctrl+z")
        assert draft(app).rows[0] == "BBBXXXXXXX"
        await pilot.press("backspace", "backspace", "backspace", "backspace")
        assert draft(app) == EMPTY_ROOM
        await pilot.press("ctrl+y")
        assert draft(app).rows[0] == "BXXXXXXXXX"


async def test_the_mouse_chooses_a_tool_and_draws_a_stroke_that_is_undone_whole(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        grill = [*TOOLS].index("G")
        rows = 6
        width = app.screen.query_one(ToolsPanel).content_size.width // 3
        await pilot.click("#tools", offset=(1 + width * (grill // rows) + 2, 1 + grill % rows))
        assert app.screen.drawing.tool == "G"
        board = app.screen.query_one(DesignBoard)
        corner = board.content_region.offset - board.region.offset + board.origin
        await pilot.mouse_down("#design-board", offset=(corner.x + 4 * 2, corner.y + 2 * 2))
        await pilot.hover("#design-board", offset=(corner.x + 4 * 3, corner.y + 2 * 2))
        await pilot.mouse_up("#design-board", offset=(corner.x + 4 * 3, corner.y + 2 * 2))
        assert draft(app).rows[2] == "X GG     X"
        await pilot.press("ctrl+z")
        assert draft(app) == EMPTY_ROOM


async def test_rows_and_columns_come_and_go_at_the_cursor_within_bounds(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("]", "}")
        assert (draft(app).width, draft(app).height) == (11, 8)
        assert "11x8 tiles" in title(app)
        await pilot.press("[", "{")
        assert draft(app) == EMPTY_ROOM
        await pilot.press(*["{"] * 5)
        assert draft(app).height == 3
        assert await notified(app, pilot, "3 to 40 tiles")


async def test_undo_says_when_there_is_nothing_to_undo(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+z")
        assert await notified(app, pilot, "nothing to undo")


# --- what is said while drawing --------------------------------------------------------------------------------
async def test_all_that_is_missing_is_named_with_its_keys_and_marked(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        tools = app.screen.query_one(ToolsPanel)
        assert tools.border_subtitle == "12 missing"
        assert str(tools.render()).count("✗") == len(NEEDED) - 2
        said = " ".join(found(app).split())
        assert "✗ missing meat (m), mushr. (z), rice (r), tort. (t), " in said
        assert said.count("(") == len(NEEDED) - 2
        await pilot.press("left", "m")
        assert tools.border_subtitle == "11 missing"
        assert "✗ missing mushr. (z), " in found(app)


@pytest.mark.thorough
async def test_a_mistake_with_a_place_frames_its_tile(state):
    app = designer(state, "open")
    async with app.run_test(size=(120, 40)) as pilot:
        board = app.screen.query_one(DesignBoard)
        await pilot.press("left", "up", "g", "right", "down")
        assert "✗ (0,0): nobody can reach this grill" in found(app)
        assert ((0, 0), (240, 96, 78)) in board._frames


@pytest.mark.thorough
async def test_skills_hand_overs_and_the_trial_come_by_themselves(state):
    app = designer(state, "forced_coordination")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "a burrito after" in found(app))
        text = found(app)
        assert "✓ a kitchen without mistakes" in text
        assert "only cook 2: chop, serve a dish" in text
        assert "hand-overs at least: steak burrito 4, mushroom burrito 4" in text


async def test_a_kitchen_in_which_nothing_is_delivered_says_so(state, monkeypatch):
    monkeypatch.setattr(checking, "trial_game", lambda layout, **_: 0)
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "two scripted cooks try it" not in found(app))
        assert "no burrito in 1200 steps" in found(app)


@pytest.mark.thorough
async def test_a_draft_stops_the_trial_of_the_one_before_and_drawing_waits_for_none(state, monkeypatch):
    stopped = []

    def endless(layout, *, goes_on):
        while goes_on():
            pass
        stopped.append(layout)

    monkeypatch.setattr(checking, "trial_game", endless)
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "two scripted cooks try it" in found(app))
        await pilot.press("x", "right", "x")
        assert draft(app).rows[1] == "XXX      X"
        await until(pilot, lambda: stopped)
    assert stopped[0].rows == Layout.load("open").rows


async def test_a_kitchen_too_large_for_a_trial_is_not_tried(state, monkeypatch):
    monkeypatch.setattr(checking, "trial_game", lambda *_, **__: pytest.fail("tried"))
    rows = (
        "XMZRTUBXXXX".ljust(30, "X"),
        "X   1  X 2S".ljust(30, "X"),
        "XGPWDXXXXXX".ljust(30, "X"),
        *["X" * 30] * 12,
    )
    Path("large.toml").write_text(kitchen_text(Draft(rows, frozenset(), (8, 0)), "large"))
    app = designer(state, "large.toml")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "two rooms" in found(app))
        assert "not tried: more than 400 tiles" in found(app)


@pytest.mark.thorough
async def test_a_map_without_a_start_names_that_and_no_skills(state):
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right", "right", "down", "space")
        await pilot.pause()
        assert "cook 1 (1)" in found(app)
        assert "skills" not in found(app)


# --- games -----------------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_the_kitchen_is_played_at_once_and_left_back_to_the_drawing(state):
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", "f5")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        config = app.session.trace.config
        assert (config.layout, config.agents) == (draft(app).layout("open"), ("bayes", "human"))
        assert config.layout != Layout.load("open")
        await pilot.press("escape", "left", "enter")
        await until(pilot, lambda: isinstance(app.screen, DebriefScreen))
        await pilot.press("escape")
        assert isinstance(app.screen, DesignScreen)
    app.session.close()


async def test_the_kitchen_is_watched_and_left_back_to_the_drawing(state):
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", "f6")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert app.screen.source.config.layout == draft(app).layout("open")
        assert "back" in footer(app)
        await pilot.press("escape")
        assert isinstance(app.screen, DesignScreen)


@pytest.mark.parametrize("key", few(["f5", "f6"]))
async def test_no_game_begins_in_a_kitchen_with_a_mistake(state, key):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(key)
        assert await notified(app, pilot, "missing meat (m), mushr. (z)")
        assert isinstance(app.screen, DesignScreen)


# --- files -----------------------------------------------------------------------------------------------------
async def saved_as(pilot, name: str) -> None:
    await pilot.press("ctrl+s")
    pilot.app.screen.query_one(Input).value = name
    await pilot.press("enter")
    await pilot.pause()


async def test_a_kitchen_is_saved_whole_under_the_name_of_its_file(state, tmp_path):
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x")
        assert "not saved" in title(app)
        await saved_as(pilot, "mine.toml")
        assert "not saved" not in title(app)
        assert " mine " in title(app)
        expected = draft(app).layout("mine")
    assert Layout.load(tmp_path / "mine.toml") == expected
    assert [file.name for file in tmp_path.glob("*.toml*")] == ["mine.toml"]


async def test_a_file_of_somebody_else_is_replaced_after_a_question_only(state, tmp_path):
    (tmp_path / "mine.toml").write_text("theirs")
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await saved_as(pilot, "mine.toml")
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("escape")
        assert (tmp_path / "mine.toml").read_text() == "theirs"
        await saved_as(pilot, "mine.toml")
        await pilot.click("#yes")
        await pilot.pause()
        assert Layout.load(tmp_path / "mine.toml").name == "mine"
        await saved_as(pilot, "mine.toml")
        assert isinstance(app.screen, DesignScreen), "what was written here is not asked for again"


@pytest.mark.thorough
async def test_a_map_with_a_mistake_is_saved_after_a_question_that_names_it(state, tmp_path):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await saved_as(pilot, "begun.toml")
        assert isinstance(app.screen, ConfirmDialog)
        assert "a mistake: missing meat (m), " in str(app.screen.query_one("#question Static", Static).visual)
        await pilot.click("#yes")
        await pilot.pause()
    assert read_kitchen(tmp_path / "begun.toml").draft.rows == EMPTY_ROOM.rows


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["mine.txt", "gone/mine.toml", ""])
async def test_a_file_that_cannot_be_written_is_named_and_another_may_be_given(state, name):
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await saved_as(pilot, name)
        assert isinstance(app.screen, PathDialog)
        assert str(app.screen.query_one(".problem", Static).visual)


async def test_a_disk_that_is_full_is_one_line_and_leaves_no_file(state, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x")
        monkeypatch.setattr(os, "fsync", full)
        await saved_as(pilot, "mine.toml")
        assert await notified(app, pilot, "No space left")
        assert "not saved" in title(app)
    assert not list(tmp_path.glob("*.toml*"))


async def test_another_kitchen_is_opened_after_a_question_where_something_is_not_saved(state, tmp_path):
    (tmp_path / "ring.toml").write_text(kitchen_text(Draft.of(Layout.load("ring")), "ring"))
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", "ctrl+o")
        await pilot.click("#here", offset=(3, 1))
        await pilot.pause()
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.click("#yes")
        await pilot.pause()
        assert draft(app) == Draft.of(Layout.load("ring"))
        assert "not saved" not in title(app)
        await pilot.press("ctrl+z")
        assert draft(app).rows[1] == "XX       X"


async def test_an_empty_room_is_new_and_is_not_saved_in_the_place_of_the_kitchen_before(state, tmp_path):
    (tmp_path / "ring.toml").write_text(kitchen_text(Draft.of(Layout.load("ring")), "ring"))
    app = designer(state, "ring.toml")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+n")
        assert draft(app) == EMPTY_ROOM
        assert " new " in title(app)
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "mine.toml"


async def test_what_was_mended_on_opening_is_said(state, tmp_path):
    (tmp_path / "mine.toml").write_text('name = "mine"\nmap = """\nXXX\nX1"""\n')
    app = designer(state, "mine.toml")
    async with app.run_test(size=SIZE) as pilot:
        assert await notified(app, pilot, "map row 2: shorter than others")


# --- the way in and out ----------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_from_the_start_screen_the_chosen_kitchen_is_drawn_on_and_escape_leads_back(state):
    app = BBAApp(state=state, autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.pause()
        assert draft(app) == Draft.of(Layout.load("open"))
        assert footer(app)["menu"] == "esc"
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


async def test_a_kitchen_that_was_saved_is_chosen_on_the_start_screen_now_and_at_the_next_start(state):
    app = BBAApp(state=state, autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.pause()
        await pilot.press("x")
        await saved_as(pilot, "mine.toml")
        expected = draft(app).layout("mine")
        await pilot.press("escape", "w")
        await pilot.pause()
        assert app.game_screen.source.config.layout == expected
    again = BBAApp(state=state, autostart=False)
    async with again.run_test(size=SIZE) as pilot:
        assert again.screen.query_one("#layout", OptionSelect).chosen == "mine.toml"
        Path("mine.toml").unlink()
    without = BBAApp(state=state, autostart=False)
    async with without.run_test(size=SIZE):
        assert without.screen.query_one("#layout", OptionSelect).chosen in Layout.names()


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_leaving_asks_where_something_is_not_saved(state, key):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", key)
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("escape")
        assert isinstance(app.screen, DesignScreen)
        await pilot.press(key)
        await pilot.click("#yes")
        await pilot.pause()
        assert key == "q" or isinstance(app.screen, StartScreen)
    assert (app.return_code == 0) or key == "escape"


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_what_is_not_saved_can_be_saved_before_it_is_left(state, tmp_path, key):
    app = designer(state, "open")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x", key)
        await pilot.click("#instead")
        await pilot.press("escape")
        assert isinstance(app.screen, DesignScreen), "not saved, so not left"
        await pilot.press(key)
        await pilot.click("#instead")
        app.screen.query_one(Input).value = "mine.toml"
        await pilot.press("enter")
        await pilot.pause()
        assert Layout.load(tmp_path / "mine.toml").name == "mine"
        assert app._exit if key == "q" else isinstance(app.screen, StartScreen)


@pytest.mark.thorough
async def test_the_help_opens_at_the_keys_of_the_designer(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        assert "a grill" in str(app.screen.query(".keys").first(Static).visual)


async def test_a_visitor_in_the_browser_draws_without_files(state, monkeypatch):
    monkeypatch.setattr(BBAApp, "is_web", property(lambda app: True))
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("g", "ctrl+s", "ctrl+o")
        assert isinstance(app.screen, DesignScreen)
        assert draft(app).rows[1][1] == "G"


@pytest.mark.parametrize("size", few([(80, 24), (120, 40), (200, 60)]))
async def test_all_tools_are_in_view_at_every_size(state, size):
    app = designer(state)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        panel = app.screen.query_one(ToolsPanel)
        lines = str(panel.render()).splitlines()
        assert len(lines) == panel.content_size.height
        assert max(map(len, lines)) <= panel.content_size.width
