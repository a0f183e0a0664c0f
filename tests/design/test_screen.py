"""The kitchen designer on the screen: by keys and mouse, what it says meanwhile, games, files, and the way out."""

import os
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import pytest
from textual.widgets import Input, Static

from bba.kitchen import Layout
from tests.helpers.app import texts
from tests.helpers.footer import footer
from tests.helpers.keys import press_at_once
from tests.helpers.notifications import notified
from tests.helpers.wait_for_idle import PATIENCE, until
from tui.app.app import BBAApp
from tui.arguments.options import WatchedGame
from tui.design import panels as checking
from tui.design.draft import EMPTY_ROOM, Draft
from tui.design.kitchen_file import kitchen_text, named_kitchen, read_kitchen
from tui.design.panels import NEEDED, TOOLS, DesignBoard, Findings, ToolsPanel
from tui.design.screen import DesignScreen
from tui.preferences import AppState
from tui.screens.debrief import DebriefScreen
from tui.screens.dialogs import ConfirmDialog, PathDialog
from tui.screens.help import HelpScreen
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen

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


@pytest.fixture
def no_delivery(monkeypatch):
    """No trial is played: each is one in which nothing is delivered."""
    monkeypatch.setattr(checking, "trial_game", lambda layout, **_: 0)


def designer(state: AppState, name: str = "new") -> BBAApp:
    """The app on the designer with a kitchen."""
    return BBAApp(first=DesignScreen(*named_kitchen(name), WatchedGame()), state=state, autostart=False)


def draft(app: BBAApp) -> Draft:
    screen = next(screen for screen in app.screen_stack if isinstance(screen, DesignScreen))
    return screen.drawing.draft


def found(app: BBAApp) -> str:
    return str(app.screen.query_one("#found", Static).visual)


def title(app: BBAApp) -> str:
    return str(app.screen.query_one("#design-title", Static).visual)


# --- layouts of Overcooked-AI --------------------------------------------------------------------------------
async def test_a_layout_of_overcooked_is_opened_with_what_it_lacks_and_becomes_a_kitchen_of_its_own(state, tmp_path):
    source = tmp_path / "room.layout"
    source.write_text('{"grid": """XXXPXXXXX\n O       X\n X 1   2 T\n X       X\n XXDXSXXXX"""}')
    before = source.read_bytes()
    app = designer(state, "room.layout")
    async with app.run_test(size=SIZE) as pilot:
        assert app.screen.query_one(ToolsPanel).border_subtitle == "9 missing"
        assert "missing meat (" in found(app)
        assert draft(app).rows[2] == "X 1   2 X"
        assert "2 dispensers" in await notified(app, pilot, "a layout of Overcooked-AI")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, PathDialog))
        assert app.screen.query_one(Input).value == "room.toml"
    assert source.read_bytes() == before


# --- drawing ---------------------------------------------------------------------------------------------------
async def test_keys_enter_lines_and_the_mouse_draw_and_all_is_undone_and_a_visitor_in_the_browser_has_no_files(
    state, monkeypatch
):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        # every tool by its key, each over the one before, and by enter again
        drawing, keys = app.screen.drawing, app.screen.query_one(ToolsPanel)._keys
        expected = [EMPTY_ROOM, EMPTY_ROOM.drawn((1, 1), "U")]
        for tool in TOOLS:
            expected.append(expected[-1].drawn((1, 1), tool))
        drawing.replace(expected[1])
        await press_at_once(pilot, *(keys[f"draw({tool!r})"] for tool in TOOLS))
        assert drawing._drafts == expected
        await press_at_once(pilot, "space", "g", "right", "enter")
        assert draft(app).rows[1][1:3] == "GG"

        # the cursor stays on the map, and a line is undone tile by tile
        drawing.replace(EMPTY_ROOM)
        await press_at_once(pilot, *["left"] * 4, *["up"] * 4)
        assert drawing.cursor == (0, 0)
        await press_at_once(pilot, "b", *["shift+right"] * 3)
        assert draft(app).rows[0] == "BBBBXXXXXX"
        await pilot.press("ctrl+z")
        assert draft(app).rows[0] == "BBBXXXXXXX"
        await press_at_once(pilot, "backspace", "backspace", "backspace")
        assert draft(app) == EMPTY_ROOM
        await pilot.press("ctrl+y")
        assert draft(app).rows[0] == "BXXXXXXXXX"

        # the mouse chooses a tool, and its stroke is undone whole
        drawing.replace(EMPTY_ROOM)
        await pilot.pause()
        grill = [*TOOLS].index("G")
        rows = 6
        width = app.screen.query_one(ToolsPanel).content_size.width // 3
        await pilot.click("#tools", offset=(1 + width * (grill // rows) + 2, 1 + grill % rows))
        assert drawing.tool == "G"
        board = app.screen.query_one(DesignBoard)
        corner = board.content_region.offset - board.region.offset + board.origin
        await pilot.mouse_down("#design-board", offset=(corner.x + 4 * 2, corner.y + 2 * 2))
        await pilot.hover("#design-board", offset=(corner.x + 4 * 3, corner.y + 2 * 2))
        await pilot.mouse_up("#design-board", offset=(corner.x + 4 * 3, corner.y + 2 * 2))
        assert draft(app).rows[2] == "X GG     X"
        await pilot.press("ctrl+z")
        assert draft(app) == EMPTY_ROOM

        # a visitor in the browser draws, but neither saves nor opens
        monkeypatch.setattr(BBAApp, "is_web", property(lambda app: True))
        await pilot.press("g", "ctrl+s", "ctrl+o")
        assert isinstance(app.screen, DesignScreen)
        assert "G" in draft(app).rows[drawing.cursor[1]]


# --- what is said while drawing --------------------------------------------------------------------------------
async def test_what_is_missing_what_cannot_be_undone_and_the_bounds_are_said_and_no_game_begins_with_a_mistake(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+z")
        assert await notified(app, pilot, "nothing to undo")

        # all that is missing is named with its keys and marked
        tools = app.screen.query_one(ToolsPanel)
        all_tools_are_in_view(tools)
        assert tools.border_subtitle == "12 missing"
        assert str(tools.render()).count("✗") == len(NEEDED) - 2
        said = " ".join(found(app).split())
        assert "✗ missing meat (m), mushr. (z), rice (r), tort. (t), " in said
        assert said.count("(") == len(NEEDED) - 2
        await pilot.press("f5")
        assert await notified(app, pilot, "missing meat (m), mushr. (z)")
        assert isinstance(app.screen, DesignScreen)
        await pilot.press("left", "m")
        assert tools.border_subtitle == "11 missing"
        assert "✗ missing mushr. (z), " in found(app)

        # rows and columns come and go at the cursor, within bounds
        app.screen.drawing.replace(EMPTY_ROOM)
        await press_at_once(pilot, "]", "}")
        assert (draft(app).width, draft(app).height) == (11, 8)
        assert "11x8 tiles" in title(app)
        await press_at_once(pilot, "[", "{")
        assert draft(app) == EMPTY_ROOM
        await press_at_once(pilot, *["{"] * 5)
        assert draft(app).height == 3
        assert await notified(app, pilot, "3 to 40 tiles")


@pytest.mark.thorough
async def test_a_mistake_with_a_place_frames_its_tile(state):
    app = designer(state, "open")
    async with app.run_test(size=(120, 40)) as pilot:
        board = app.screen.query_one(DesignBoard)
        await pilot.press("left", "up", "g", "right", "down")
        assert "✗ (0,0): nobody can reach this grill" in found(app)
        assert board._frames[0, 0] == (240, 96, 78)


@pytest.mark.thorough
async def test_skills_hand_overs_and_the_trial_come_by_themselves(state):
    app = designer(state, "forced_coordination")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "a burrito after" in found(app))
        text = found(app)
        assert "✓ a kitchen without mistakes" in text
        assert "only cook 2: chop, serve a dish" in text
        assert "hand-overs at least: steak burrito 4, mushroom burrito 4" in text


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


def test_a_kitchen_too_large_for_a_trial_is_not_tried(monkeypatch):
    monkeypatch.setattr(checking, "trial_game", lambda *_, **__: pytest.fail("tried"))
    rows = (
        "XMZRTUBXXXX".ljust(30, "X"),
        "X   1  X 2S".ljust(30, "X"),
        "XGPWDXXXXXX".ljust(30, "X"),
        *["X" * 30] * 12,
    )
    large = Draft(rows, frozenset(), (8, 0))
    arrived: SimpleQueue[partial[None]] = SimpleQueue()
    known: list[Findings] = []
    checker = checking.Checker(lambda *call: arrived.put(partial(*call)), known.append)
    checker.check(large)
    arrived.get(timeout=PATIENCE)()
    assert not checker._task.busy
    (findings,) = known
    assert findings.structure is not None
    assert texts(checking._trial(large, findings)) == ["not tried: more than 400 tiles"]


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


@pytest.mark.long
async def test_no_game_is_watched_in_a_kitchen_with_a_mistake(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f6")
        assert await notified(app, pilot, "missing meat (m), mushr. (z)")
        assert isinstance(app.screen, DesignScreen)


# --- files -----------------------------------------------------------------------------------------------------
async def saved_as(pilot, name: str) -> None:
    await pilot.press("ctrl+s")
    await give_a_file(pilot, name)


async def give_a_file(pilot, name: str = "mine.toml") -> None:
    pilot.app.screen.query_one(Input).value = name
    await pilot.press("enter")
    await pilot.pause()


async def test_a_kitchen_is_saved_whole_or_not_at_all_and_in_the_place_of_another_file_after_a_question(
    state, tmp_path, monkeypatch, no_delivery
):
    def full(*_):
        raise OSError(28, "No space left on device")

    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "two scripted cooks try it" not in found(app))
        assert "no burrito in 1200 steps" in found(app)
        await pilot.press("x")
        assert "not saved" in title(app)

        # a disk that is full is one line and leaves no file
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            await saved_as(pilot, "mine.toml")
        assert await notified(app, pilot, "No space left")
        assert "not saved" in title(app)
        assert not list(tmp_path.glob("*.toml*"))

        # a file of somebody else
        (tmp_path / "mine.toml").write_text("theirs")
        await saved_as(pilot, "mine.toml")
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("escape")
        assert (tmp_path / "mine.toml").read_text() == "theirs"
        await saved_as(pilot, "mine.toml")
        await pilot.click("#yes")
        await pilot.pause()
        assert "not saved" not in title(app)
        assert " mine " in title(app)
        assert Layout.load(tmp_path / "mine.toml") == draft(app).layout("mine")
        assert [file.name for file in tmp_path.glob("*.toml*")] == ["mine.toml"]
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


async def test_another_kitchen_is_opened_after_a_question_where_something_is_not_saved_and_an_empty_room_is_new(
    state, tmp_path, no_delivery
):
    (tmp_path / "broken.toml").write_text('name = "broken"\nmap = """\nXXX\nX1"""\n')
    (tmp_path / "ring.toml").write_text(kitchen_text(Draft.of(Layout.load("ring")), "ring"))
    os.utime(tmp_path / "broken.toml", (0, 0))  # the newest file is offered first
    app = designer(state, "broken.toml")
    async with app.run_test(size=SIZE) as pilot:
        assert await notified(app, pilot, "map row 2: shorter than others"), "what was mended is said"
        await pilot.press("x", "ctrl+o")
        await pilot.click("#here", offset=(3, 1))
        await pilot.pause()
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.click("#yes")
        await pilot.pause()
        assert draft(app) == Draft.of(Layout.load("ring"))
        assert "not saved" not in title(app)
        await pilot.press("ctrl+z")
        assert draft(app).rows == ("XXX", "XXX")

        # an empty room is not saved in the place of the kitchen before
        await pilot.press("ctrl+n")
        assert draft(app) == EMPTY_ROOM
        assert " new " in title(app)
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "mine.toml"


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


async def test_escape_asks_saves_and_leads_to_the_start_screen_where_the_kitchen_is_chosen_now_and_later(
    state, tmp_path, no_delivery
):
    app = BBAApp(state=state, autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.press("x", "escape")
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("escape")
        assert isinstance(app.screen, DesignScreen)
        await pilot.press("escape")
        await pilot.click("#yes")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)

        # saved first
        await pilot.press("d")
        await pilot.press("x")
        expected = draft(app).layout("mine")
        await pilot.press("escape")
        await pilot.click("#instead")
        await pilot.press("escape")
        assert isinstance(app.screen, DesignScreen), "not saved, so not left"
        await pilot.press("escape")
        await pilot.click("#instead")
        await give_a_file(pilot)
        assert Layout.load(tmp_path / "mine.toml") == expected
        assert isinstance(app.screen, StartScreen)
        await pilot.press("w")
        await pilot.pause()
        assert app.game_screen.source.config.layout == expected
        assert await kitchen_at_the_next_start(app, state) == "mine.toml"
        Path("mine.toml").unlink()
        assert await kitchen_at_the_next_start(app, state) in Layout.names()


async def kitchen_at_the_next_start(app: BBAApp, state: AppState) -> str:
    """What the form of another start screen shows."""
    form = StartScreen(AppState(state.path))._form
    await app.screen.mount(form)
    chosen = form.kitchen
    await form.remove()
    return chosen


async def test_a_game_that_is_watched_leads_back_to_the_drawing_and_q_asks_saves_and_leaves(
    state, tmp_path, monkeypatch, no_delivery
):
    app = designer(state, "open")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x", "f6")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert app.screen.source.config.layout == draft(app).layout("open")
        assert "back" in footer(app)
        await pilot.press("escape")
        assert isinstance(app.screen, DesignScreen)

        # left as it is
        left: list[object] = []
        with monkeypatch.context() as patch:
            patch.setattr(app, "exit", lambda *result: left.append(result))
            await pilot.press("q")
            assert isinstance(app.screen, ConfirmDialog)
            await pilot.click("#yes")
            await pilot.pause()
        assert left == [()]

        # saved first
        await pilot.press("q")
        await pilot.click("#instead")
        await give_a_file(pilot)
        assert Layout.load(tmp_path / "mine.toml").name == "mine"
        assert app._exit
    assert app.return_code == 0


@pytest.mark.thorough
async def test_the_help_opens_at_the_keys_of_the_designer(state):
    app = designer(state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        assert "a grill" in str(app.screen.query(".keys").first(Static).visual)


@pytest.mark.long
@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_all_tools_are_in_view_at_every_size(state, size):
    app = designer(state)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        all_tools_are_in_view(app.screen.query_one(ToolsPanel))


def all_tools_are_in_view(panel: ToolsPanel) -> None:
    lines = str(panel.render()).splitlines()
    assert len(lines) == panel.content_size.height
    assert max(map(len, lines)) <= panel.content_size.width
