"""Keys: one table, which people may change in a file; what is shown and what is bound follows it."""

import pytest
from textual.widgets import Static
from textual.widgets._footer import FooterKey

from bba.analysis import names
from bba.belief.roles import ROLE_NAMES, STAGE_PASS
from bba.errors import BBAError
from human import keymap as table
from human.keymap import DEFAULT, ENTRIES, SITUATIONS, TYPING_KEYS, Key, remapped, with_keys
from tests.helpers.app import paused_app
from tests.helpers.command_line import parsed
from tests.helpers.footer import footer
from tests.helpers.samples import few
from tui import cli
from tui.app.app import BBAApp
from tui.arguments.options import ScreenOptions
from tui.preferences import AppState, preferences
from tui.style.base_app import shown


def pressed(app):
    return app.game_screen.snapshot.step


def with_table(**keys) -> dict:
    return {"keymap": remapped(keys, "mine.toml")}


def problem(text: str, path) -> str:
    path.write_text(text)
    with pytest.raises(BBAError) as error:
        preferences(ScreenOptions(), path)
    return str(error.value)


# --- the table -------------------------------------------------------------------------------------------------
def test_every_entry_has_a_name_of_its_own_that_a_file_can_hold():
    tables = [value for value in vars(table).values() if isinstance(value, tuple) and value]
    entries = {entry for value in tables for entry in value if isinstance(entry, Key)} - {*TYPING_KEYS}
    assert entries == set(ENTRIES.values())
    assert all(entry.name.isidentifier() for entry in entries)


def test_every_table_of_the_file_is_in_a_situation_but_for_the_keys_that_cannot_be_changed():
    named = {name for names in table.SITUATION_TABLES.values() for name in names.split()}
    assert set(table.TABLES) - named == {"typing"}


def test_a_row_with_a_name_alone_is_the_key_of_that_name_in_a_table_above():
    rows = table.FILE.read_text("utf-8").splitlines()
    assert "duel,what_if,,,," in rows
    assert table.DUEL_KEYS[3] is next(entry for entry in table.WATCH_KEYS if entry.name == "what_if")


def test_the_table_as_it_is_has_no_key_twice():
    assert remapped({}, "") == DEFAULT


def test_every_key_of_the_table_is_one_that_a_file_may_name():
    assert remapped({name: list(keys) for name, keys in DEFAULT.items()}, "") == DEFAULT


# --- what a file may say ---------------------------------------------------------------------------------------
def test_one_key_or_a_list_of_them_takes_the_place_of_those_in_the_table():
    keymap = remapped({"pause": "x", "step": ["l", "ctrl+l", ",", " "], "step_back": "j"}, "mine.toml")
    assert keymap["pause"] == ("x",)
    assert keymap["step"] == ("l", "ctrl+l", "comma", "space")
    assert keymap["faster"] == DEFAULT["faster"]


def test_a_role_has_one_name_in_the_help_of_keys_and_on_every_panel():
    first, last = names.role_doing(0), names.role_doing(STAGE_PASS)
    assert ENTRIES["declare_protein"].description.endswith(f"from {first} to {last}")
    described = {entry.name: entry.description for entry in ENTRIES.values()}
    for role, name in enumerate(map(names.role_doing, range(len(ROLE_NAMES)))):
        assert role == STAGE_PASS or described[f"what_if_{role + 6}"].endswith(f"turns to {name}")


def test_two_actions_may_swap_their_keys():
    keymap = remapped({"next_replan": "c", "next_contradiction": "n"}, "mine.toml")
    assert (keymap["next_replan"], keymap["next_contradiction"]) == (("c",), ("n",))


def test_a_key_that_means_the_same_is_the_same_on_every_screen():
    assert DEFAULT["pause_play"] == DEFAULT["pause"][:1]
    assert not set(DEFAULT["more_settings"]) & {*DEFAULT["planner"], *DEFAULT["mind"]}
    assert DEFAULT["menu"] == DEFAULT["back"][1:] == DEFAULT["surrender"] == DEFAULT["leave_design"] == ("escape",)
    for name in ("what_if", "export"):
        tables = (table for table in SITUATIONS.values() if any(entry.name == name for entry in table))
        assert len(list(tables)) > 4, "also after playing"


def test_the_same_key_may_do_different_things_on_different_screens():
    assert remapped({"replay": "space", "choose": "x"}, "mine.toml")["replay"] == ("space",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('keys = "p"', "keys: got 'p'; it should be a table"),
        ('[keys]\npaws = "x"', "keys: paws: no such action; the nearest is pause; "),
        ('[keys]\npause = "ctrl+i"', "keys: pause: got 'ctrl+i'; a key is one character, or such as space"),
        ('[keys]\npause = "xy"', "keys: pause: got 'xy'; a key is"),
        ('[keys]\npause = ""', "keys: pause: got ''; a key is"),
        ("[keys]\npause = []", "keys: pause: got []; a key is"),
        ("[keys]\npause = 3", "keys: pause: got 3; a key is"),
        ('[keys]\npause = ["x", ["y"]]', "keys: pause: got ['y']; a key is"),
        ('[keys]\npause = "n"', "keys: n would be both pause and next_replan while watching; a key does one thing"),
        ('[keys]\nstart = "q"', "keys: q would be both start and quit on the start screen; a key does one thing"),
        ('[keys.pause]\nkey = "x"', "keys: pause: got {'key': 'x'}; a key is"),
        (
            "seed = 3",
            "seed: this file holds only theme, speed, motion, keys; for the rest there are files for --config",
        ),
        ('theme = "pink"', "theme: got 'pink'; it should be 'dark', 'light' or 'contrast'"),
        ("speed = 99", "speed: got 99; it should be less than or equal to 50"),
        ("theme = ", "not valid TOML"),
    ],
)
def test_a_mistake_in_the_file_of_ones_own_is_one_line_with_its_place(tmp_path, text, said):
    path = tmp_path / "config.toml"
    line = problem(text, path)
    assert line.startswith(f"{path}: ")
    assert said in line
    assert "\n" not in line


@pytest.mark.parametrize("words", [["headless", "--horizon", "3"], ["list"], ["bench", "quick", "--dry-run"]])
@pytest.mark.parametrize("keys", ["[keys]\npaws = 'x'", "[keys]\npause = 'n'", "keys = 3"])
def test_commands_without_a_screen_check_the_keys_of_config_too(capsys, monkeypatch, tmp_path, words, keys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(keys)
    assert cli.main([*words, "--config", "mine.toml"]) == 2
    assert capsys.readouterr().err.startswith("bba-tui: mine.toml: keys: ")


def test_the_file_of_config_overrules_the_one_of_ones_own(tmp_path):
    own, named = tmp_path / "config.toml", tmp_path / "mine.toml"
    own.write_text('speed = 5\n[keys]\npause = "x"\n')
    named.write_text('layout = "ring"\n')
    assert preferences(parsed(["--config", str(named)]), own).keymap["pause"] == ("x",)
    named.write_text('layout = "ring"\nspeed = 20\n[keys]\npause = "j"\n')
    settings = parsed(["--config", str(named)])
    assert settings.layout == "ring"
    assert preferences(settings, own).keymap["pause"] == ("j",)
    assert preferences(settings, own).speed == 20
    assert preferences(parsed(["--speed", "2"]), own).speed == 2
    assert preferences(parsed([]), own).speed == 5


def test_a_mistake_in_the_keys_of_config_names_that_file(tmp_path):
    (tmp_path / "mine.toml").write_text('[keys]\npause = "n"\n')
    with pytest.raises(BBAError, match=r"mine\.toml: keys: n would be both"):
        preferences(parsed(["--config", str(tmp_path / "mine.toml")]), tmp_path / "none.toml")


def test_the_list_names_every_action_with_its_keys_by_screen(capsys):
    cli.main(["--list"])
    _, *parts = capsys.readouterr().out.split("\nkeys ")
    assert [part.splitlines()[0] for part in parts if "  pause" in part] == ["while watching", "while playing"]
    listed = [line for part in parts for line in part.splitlines()[1:]]
    assert [line.split()[0] for line in listed] == list(DEFAULT)
    assert next(line.split()[1:3] for line in listed if line.split()[0] == "step") == ["right", "."]


@pytest.mark.exhaustive
@pytest.mark.usefixtures("shown_pair")
@pytest.mark.parametrize("arguments", [[], ["--theme", "light"], ["--no-motion"], ["--config", "keys.toml"]])
def test_what_concerns_the_screen_alone_leaves_the_start_screen_to_ask(monkeypatch, tmp_path, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "keys.toml").write_text('theme = "dark"\n[keys]\npause = "x"\n')
    opened = []
    monkeypatch.setattr("tui.commands.game_screen.open_app", lambda options, **how: opened.append("start"))
    monkeypatch.setattr("tui.commands.game_screen.watch_game", lambda options: opened.append("watch"))
    assert cli.main(arguments) == 0
    assert opened == ["start"]


# --- what is bound and shown -----------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_the_new_keys_work_and_the_old_ones_no_longer():
    async with paused_app(0, with_table(step=["x", "ctrl+l"])).run_test() as pilot:
        await pilot.press("right", "full_stop")
        assert pressed(pilot.app) == 0
        await pilot.press("x", "ctrl+l")
        assert pressed(pilot.app) == 2


@pytest.mark.thorough
async def test_actions_that_swap_keys_do_each_others_work():
    async with paused_app(3, with_table(step="left", step_back=["right", "comma"])).run_test() as pilot:
        await pilot.press("right")
        assert pressed(pilot.app) == 2
        await pilot.press("left", "left")
        assert pressed(pilot.app) == 4


async def test_the_footer_shows_the_keys_as_they_are_and_those_that_several_screens_share_change_on_one_only():
    labels = {entry.label for entry in SITUATIONS["while watching"] if entry.label} - {"debrief"}  # for what is over
    keys = with_table(pause=["?", "x"], help="H", step="ctrl+l", step_back="j", find="f12")
    async with paused_app(0, keys).run_test(size=(140, 40)) as pilot:
        await pilot.pause()
        found = footer(pilot.app)
        assert (found["pause"], found["help"], found["step"], found["find"]) == ("?", "H", "^L", "F12")
        assert set(found) == labels
        assert found["quit"] == "q"
        await pilot.press("i", "right")
        assert pressed(pilot.app) == 0
        assert pilot.app.game_screen.pointing
        await pilot.press("ctrl+l")
        assert pressed(pilot.app) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("columns", few([80, 120, 90, 100], 2))
async def test_the_footer_shows_whole_keys_only_and_always_help_and_the_ways_out(columns):
    async with paused_app(5).run_test(size=(columns, 30)) as pilot:
        await pilot.pause()
        assert {"help", "quit", "menu", "pause", "replan"} <= set(footer(pilot.app))
        for key in pilot.app.screen.query(FooterKey):
            assert not key.display or key.region.right <= columns
        text = "".join(part.text for part in pilot.app.screen._compositor.render_strips()[-1])
        assert all(f"{key} {label} " in f"{text} " for label, key in footer(pilot.app).items())


async def test_the_last_keys_of_the_footer_make_way_and_a_wider_terminal_adds_keys_at_the_end():
    async with paused_app(5).run_test(size=(200, 30)) as pilot:
        rows = []
        for columns in (200, 120, 100, 90, 80):
            await pilot.resize_terminal(columns, 30)
            await pilot.pause()
            rows.append([label for label in footer(pilot.app) if label not in ("menu", "help", "quit")])
    assert [row == rows[0][: len(row)] for row in rows] == [True] * 5
    assert len(rows[0]) > len(rows[2]) > len(rows[4]) > 4


@pytest.mark.thorough
async def test_the_help_shows_the_keys_as_they_are():
    async with paused_app(0, with_table(pause="x", help="H")).run_test(size=(120, 60)) as pilot:
        await pilot.press("H")
        text = str(pilot.app.screen.query(".keys").first(Static).visual)
        assert "x             pause, go on" in text
        assert "space" not in text.splitlines()[0]


@pytest.mark.thorough
async def test_a_new_key_of_the_form_counts_there(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), **with_table(start="x"))
    async with app.run_test() as pilot:
        await pilot.press("x")
        await pilot.pause()
        assert app.game_screen is not None


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("plus", "+"),
        ("+", "+"),
        ("question_mark", "?"),
        ("left", "←"),
        ("ctrl+s", "^S"),
        ("backspace", "BACKSPACE"),
        ("f2", "F2"),
    ],
)
def test_a_key_is_written_the_same_by_either_of_its_names(key, written):
    assert shown(key) == written


async def test_the_way_out_of_a_field_stays_when_other_keys_change(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), **with_table(pause="x", quit="Q"))
    async with app.run_test() as pilot:
        app.screen.query_one("#seed").focus()
        await pilot.press("ctrl+c")
    assert app.return_code == 0


def test_entries_keep_all_but_their_keys():
    (entry,) = with_keys((ENTRIES["pause"],), remapped({"pause": "x"}, ""))
    assert entry == ENTRIES["pause"]._replace(keys=("x",))
