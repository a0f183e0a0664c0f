"""`kitchen import`, and the line about kitchens in which nobody can deliver."""

import pytest

import bba
from bba.kitchen import Layout
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture for every test here
from tests.helpers.web_server import free_port

ROOM = '{"grid": """XXXPXXXXX\n O       X\n X 1   2 T\n X       X\n XXDXSXXXX""", "cook_time": 20}'
APART = '{"grid": """XPXXXXXXXX\n O  1XX 2 X\n X   XX   S\n T   XX   X\n XXXXXXXXDX"""}'  # nothing can be handed over


@pytest.fixture
def room(tmp_path):
    (tmp_path / "room.layout").write_text(ROOM)
    (tmp_path / "apart.layout").write_text(APART)
    return tmp_path


def test_an_import_writes_a_draft_and_says_what_it_lacks(capsys, room):
    code, out, err = run(capsys, "kitchen", "import", "room.layout")
    assert (code, err) == (0, "")
    assert "written to room.toml: 9x5 tiles" in out
    assert "missing: rice dispenser, meat dispenser, mushroom dispenser, tortilla dispenser, board, grill, sink" in out
    assert "bba-tui design room.toml" in out
    assert run(capsys, "headless", "room.toml")[2].startswith("bba-tui: room.toml: ")


def test_a_filled_import_can_be_played_in(capsys, room):
    code, out, err = run(capsys, "--fill", "kitchen", "import", "room.layout", "--out", "mine.toml")
    assert (code, err) == (0, "")
    assert "placed on counters (column,row from 0): rice dispenser 0,1, meat dispenser 8,2, " in out
    assert Layout.load(room / "mine.toml").name == "mine"
    assert run(capsys, "headless", "mine.toml", "--horizon", "5", "--json")[0] == 0


def test_no_file_is_written_over_without_force(capsys, room):
    (room / "room.toml").write_text("mine")
    code, out, err = run(capsys, "kitchen", "import", "room.layout")
    assert (code, out) == (2, "")
    assert err == "bba-tui: --out: room.toml exists; --force writes over it\n"
    assert (room / "room.toml").read_text() == "mine"
    assert run(capsys, "kitchen", "import", "room.layout", "--force")[0] == 0


@pytest.mark.parametrize("command", ["headless", "watch", "play", "duel", "prompt", "bench quick --layouts"])
def test_a_layout_of_overcooked_is_named_where_a_kitchen_is_asked_for(capsys, monkeypatch, room, command):
    monkeypatch.setattr("tui.commands.game_screen.check_terminal", lambda: None)
    code, out, err = run(capsys, *command.split(), "room.layout")
    assert (code, out) == (2, "")
    assert err.startswith("bba-tui: ")
    assert "bba-tui kitchen import room.layout makes one of a layout of Overcooked-AI" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["headless", "design"])
def test_such_a_layout_that_was_renamed_is_known_by_what_is_in_it(capsys, room, command):
    (room / "room.layout").rename(room / "room.toml")
    code, out, err = run(capsys, command, "room.toml")
    assert (code, out) == (2, "")
    assert err == (
        "bba-tui: room.toml: not valid TOML, but a layout of Overcooked-AI; "
        "rename it to room.layout, then bba-tui kitchen import room.layout\n"
    )


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("none.layout", "none.layout: cannot be read: No such file or directory"),
        ("room.toml", "room.toml: a layout of Overcooked-AI is a file that ends in .layout"),
        ("room.layout --out mine.yaml", "mine.yaml: a kitchen's file ends in .toml"),
        ("room.layout --out none/mine.toml", "none is not a folder that can be written to"),
        ("", "kitchen import: needs a FILE: bba-tui kitchen import FILE"),
    ],
)
def test_a_mistake_is_one_line(capsys, room, words, problem):
    code, out, err = run(capsys, "kitchen", "import", *words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err


WARNING = "apart: no burrito can be made and served in this kitchen"


@pytest.fixture
def apart(capsys, room):
    assert run(capsys, "kitchen", "import", "apart.layout", "--fill")[0] == 0
    return "apart.toml"


@pytest.mark.parametrize(
    "command", ["headless {} --horizon 3", "watch {} --plain --horizon 3", "bench quick --dry-run --layouts {}"]
)
def test_a_kitchen_in_which_nobody_can_deliver_says_so_first(capsys, caplog, monkeypatch, apart, command):
    monkeypatch.setattr("sys.stdin", None)
    caplog.clear()
    code, _, _ = run(capsys, *command.format(apart).split())
    assert code == 0
    assert [record.getMessage()[: len(WARNING)] for record in caplog.records] == [WARNING]


def test_a_server_says_so_at_its_start(capsys, caplog, monkeypatch, apart):
    command = pytest.importorskip("tui.serve.command")
    monkeypatch.setattr(command, "run_until_interrupted", lambda *_: None)
    caplog.clear()
    code, _, _ = run(capsys, "serve", f"127.0.0.1:{free_port()}", "--layout", apart)
    assert code == 0
    assert [record.getMessage()[: len(WARNING)] for record in caplog.records] == [WARNING]


def test_from_python_it_can_be_asked(room, apart, caplog):
    caplog.clear()
    assert (bba.can_deliver("open"), bba.can_deliver(room / apart)) == (True, False)
    bba.Game(room / apart, horizon=3).run()
    assert caplog.records == []


@pytest.mark.parametrize("kitchen", Layout.names())
def test_kitchens_that_ship_say_nothing_and_are_not_looked_into(capsys, caplog, monkeypatch, kitchen):
    monkeypatch.setattr("bba.analysis.kitchen_structure.skill_reach", lambda layout: 1 / 0)
    assert run(capsys, "headless", kitchen, "--horizon", "3")[0] == 0
    assert not caplog.records
