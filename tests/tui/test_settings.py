"""The settings: a change counts at once and at the next start; keys are written whole or not at all."""

import json
import tomllib

import pytest
from textual.widgets import Input, OptionList, Static

from bba.errors import BBAError
from human.keymap import DEFAULT
from human.recordings import KEPT_STEPS
from tests.helpers.app import fresh_source
from tests.helpers.footer import footer
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.arguments.options import ScreenOptions
from tui.preferences import AppState, PreferenceFile, preferences
from tui.screens.game_form import GameForm
from tui.screens.key_editor import KeyCapture, KeyEditor
from tui.screens.settings import SettingsScreen
from tui.screens.start import FirstChoice, StartScreen
from tui.screens.watch import WatchScreen
from tui.widgets.form_fields import OptionSelect

SIZE = (80, 24)


@pytest.fixture
def app_state(tmp_path) -> AppState:
    return AppState(tmp_path / "start.json")


@pytest.fixture
def file(tmp_path) -> PreferenceFile:
    return PreferenceFile(tmp_path / "config.toml")


def marked(app: BBAApp) -> str | None:
    actions = app.screen.query_one("#actions", OptionList)
    return None if actions.highlighted is None else actions.get_option_at_index(actions.highlighted).id


async def find(pilot, name: str) -> None:
    """Marks an action in the editor by a search for its name."""
    await pilot.press("slash", *name, "enter")
    await pilot.pause()
    assert marked(pilot.app) is not None


# --- the settings ----------------------------------------------------------------------------------------------
async def test_what_is_changed_counts_at_once_and_at_the_next_start(app_state):
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s")
        assert isinstance(app.screen, SettingsScreen)
        assert not app_state.path.exists(), "nothing is changed yet"
        await pilot.press("right")
        await until(pilot, lambda: app.theme == "light")
        await pilot.press("down", "right")
        await until(pilot, lambda: not app.motion)
        app.screen.query_one("#speed", Input).value = "20"
        app.screen.query_one("#start_page", OptionSelect).value = "recordings"
        app.screen.query_one("#keep_watched", OptionSelect).value = "none that you only watched"
        await pilot.pause()
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)
        assert app.screen.query_one(GameForm).speed == 20
    recalled = app_state.recall(["theme", "motion", "speed"])
    assert (recalled.theme, recalled.motion, recalled.speed) == ("light", False, 20)
    assert (app_state.start_page, app_state.keeps_watched) == ("replay", False)


async def test_everything_is_in_view_and_says_what_is_kept_and_where(app_state, monkeypatch, tmp_path):
    monkeypatch.setattr("tui.screens.settings.watched_folder", lambda: tmp_path)
    (tmp_path / "game.bba").write_bytes(b"x" * 2**20)
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f4")
        await pilot.pause()
        box = app.screen.query_one("#settings")
        places = app.screen.query_one("#places", Static)
        assert all(box.region.contains_region(child.region) for child in box.children)
        assert "watched: 1 game, 1.0 MiB in" in str(places.visual)
        assert str(tmp_path / "config.toml") in str(places.visual).replace("\n", "")
        await pilot.press("f4")
        assert isinstance(app.screen, StartScreen)


async def test_a_speed_that_cannot_be_is_named_and_not_kept(app_state):
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s")
        app.screen.query_one("#speed", Input).value = "99"
        await pilot.pause()
        assert "takes 50 or less" in str(app.screen.query_one("#settings NumberField .problem", Static).visual)
    assert not app_state.path.exists()


async def test_what_the_file_of_preferences_names_is_changed_there_too(app_state, file):
    file.path.write_text('# mine\ntheme = "dark" # at night\nspeed = 5\n\n[keys]\npause = "x"\n')
    app = BBAApp(state=app_state, speed=5)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "right")
        await until(pilot, lambda: app.theme == "light")
        app.screen.query_one("#speed", Input).value = "7"
        await pilot.pause()
    preferred = preferences(ScreenOptions(), file.path)
    assert (preferred.theme, preferred.speed, preferred.keymap["pause"]) == ("light", 7, ("x",))
    assert file.path.read_text().startswith("# mine\n")


async def test_a_file_that_cannot_be_written_is_one_line_and_what_is_on_the_screen_counts(app_state, file, monkeypatch):
    file.path.write_text('theme = "dark"\n')

    def full(*_):
        raise BBAError("config.toml: no room")

    monkeypatch.setattr("tui.preferences.write_whole", full)
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "right")
        await until(pilot, lambda: app.theme == "light")
        await pilot.pause()
        assert str(app.screen.query_one("#settings-problem", Static).visual) == "config.toml: no room"


@pytest.mark.parametrize(("page", "screen"), [("watch", WatchScreen), ("", StartScreen), ("nonsense", StartScreen)])
async def test_the_app_begins_with_the_start_page_and_escape_leads_to_the_menu(app_state, page, screen):
    app_state.note(start_page=page)
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, screen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))


async def test_a_game_that_is_named_comes_before_the_start_page(app_state):
    app_state.note(start_page="results")
    app = BBAApp(fresh_source(3), autostart=False, state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.screen is app.game_screen


@pytest.mark.parametrize("keeps", [True, False])
async def test_watched_games_are_kept_only_where_that_is_wanted(app_state, monkeypatch, keeps):
    app_state.note(keep_watched=keeps)
    kept = []
    monkeypatch.setattr("tui.app.app.keep_watched", lambda *given: kept.append(given) or app_state.path)
    app = BBAApp(fresh_source(KEPT_STEPS + 1), autostart=False, state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
    assert bool(kept) == keeps


async def test_a_visitor_in_the_browser_has_no_settings_of_this_machine(app_state, monkeypatch):
    monkeypatch.setattr(BBAApp, "is_web", property(lambda app: True))
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "f4")
        assert isinstance(app.screen, StartScreen)
        assert "settings" not in footer(app)


# --- the keys --------------------------------------------------------------------------------------------------
async def test_a_key_is_pressed_saved_and_counts_at_once_and_at_the_next_start(app_state, file):
    file.path.write_text('theme = "light"\n[keys]\nhelp = "H"\n')
    app = BBAApp(state=app_state, keymap={**DEFAULT, "help": ("H",)})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "k")
        assert isinstance(app.screen, KeyEditor)
        await find(pilot, "watch the game")
        assert marked(app) == "watch"
        await pilot.press("enter")
        assert isinstance(app.screen, KeyCapture)
        await pilot.press("j")
        await pilot.press("a", "f6")
        await pilot.press("ctrl+s")
        assert isinstance(app.screen, SettingsScreen)
        assert str(app.screen.query_one("#keys-note", Static).visual) == "2 changed"
        await pilot.press("escape")
        assert str(app.screen.query_one("#watch", FirstChoice).label).startswith("j Watch")
        await pilot.press("w")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
    keymap = preferences(ScreenOptions(), file.path).keymap
    assert (keymap["watch"], keymap["help"]) == (("j", "f6"), ("H",))
    assert tomllib.loads(file.path.read_text())["theme"] == "light"


async def test_a_clash_is_said_at_once_and_nothing_is_written_until_each_key_does_one_thing(app_state, file):
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "k")
        await find(pilot, "next_replan")
        await pilot.press("enter", "c")
        said = app.screen.query_one("#key-problem", Static)
        assert "c would be both next_replan and next_contradiction while watching" in str(said.visual)
        await pilot.press("ctrl+s")
        assert isinstance(app.screen, KeyEditor)
        assert not file.path.exists()
        await pilot.press("escape")
        await find(pilot, "next_contradiction")
        await pilot.press("enter", "n")
        assert str(said.visual) == "", "the two have swapped their keys"
        await pilot.press("ctrl+s")
        assert isinstance(app.screen, SettingsScreen)
    assert tomllib.loads(file.path.read_text()) == {"keys": {"next_replan": "c", "next_contradiction": "n"}}


@pytest.mark.parametrize("key", ["q", "question_mark", "ctrl+p", "T", "f4", "tab", "space", "comma"])
async def test_every_key_can_be_pressed_for_an_action_whatever_it_does_elsewhere(app_state, key):
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "k", "enter", key)
        await pilot.pause()
        assert isinstance(app.screen, KeyEditor)
        assert app.screen._draft["pause"] == ({"question_mark": "?"}.get(key, key),)
        assert app.theme == "dark"


async def test_escape_takes_no_key_and_one_without_a_name_is_refused(app_state):
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "k", "enter", "ctrl+underscore")
        assert "a key is one character" in str(app.screen.query_one(Static).visual)
        await pilot.press("escape")
        assert app.screen._draft == DEFAULT
        await pilot.press("escape")
        assert isinstance(app.screen, SettingsScreen), "nothing was to be saved"


@pytest.mark.parametrize(("answer", "writes"), [("y", True), ("n", False)])
async def test_what_is_not_saved_is_asked_about(app_state, file, answer, writes):
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "k", "enter", "j", "escape", answer)
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
    assert file.path.exists() == writes


async def test_the_usual_keys_come_back_and_leave_no_table(app_state, file):
    file.path.write_text('speed = 5\n\n[keys]\npause = [\n  "x",\n  "y",\n]\n')
    app = BBAApp(state=app_state, keymap={**DEFAULT, "pause": ("x", "y")})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("s", "k", "backspace", "ctrl+s")
        assert isinstance(app.screen, SettingsScreen)
    assert file.path.read_text() == "speed = 5\n"


@pytest.mark.parametrize(
    "text", ['keys = { pause = "x" }\n', 'keys.pause = "x"\n', 'theme = """\n[keys]\n"""\n', "theme = \n"]
)
def test_a_file_that_is_written_otherwise_is_left_as_it_is(file, text):
    file.path.write_text(text)
    with pytest.raises(BBAError, match=r"config\.toml: "):
        file.set_keys({**DEFAULT, "pause": ("j",)})
    assert file.path.read_text() == text


def test_keys_that_need_quotation_come_back(file):
    keymap = {**DEFAULT, "pause": ('"', "\\", "ö"), "step": ("😀",)}
    file.set_keys(keymap)
    assert preferences(ScreenOptions(), file.path).keymap == keymap


def test_a_table_with_a_clash_is_not_written(file):
    with pytest.raises(BBAError, match="n would be both pause and next_replan"):
        file.set_keys({**DEFAULT, "pause": ("n",)})
    assert not file.path.exists()


@pytest.mark.parametrize("text", ['{"start_page": 3, "keep_watched": "no"}', '{"start_page": "quit"}', "{"])
def test_a_damaged_memory_stands_for_the_usual(app_state, text):
    app_state.path.write_text(text)
    assert (app_state.start_page, app_state.keeps_watched) == ("", True)


def test_what_older_versions_remembered_is_kept(app_state):
    app_state.path.write_text(json.dumps({"layout": "ring", "toured": True}))
    app_state.note(start_page="learn")
    assert app_state.recall().layout == "ring"
    assert app_state.offered("toured")
