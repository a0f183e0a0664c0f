"""Which screen the command opens: what to play is asked only where nothing says it."""

import json

import pytest

from bba.kitchen import Layout
from tests.helpers.terminal import terminal
from tui import cli
from tui.commands import game_screen
from tui.preferences import AppState


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch, tmp_path):
    import os

    for name in [name for name in os.environ if name.startswith("BBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))  # the only variable that platformdirs heeds on Linux
    monkeypatch.setenv("HOME", str(tmp_path))  # and on a Mac
    AppState().note(toured=True)


@pytest.mark.thorough
def test_the_bare_command_asks_remembers_in_the_configuration_folder_and_plays(tmp_path):
    with terminal(columns=80, lines=24) as screen:
        screen.wait_for("Watch", "partner", "kitchen: ")
        screen.send("\r")
        screen.wait_for("prepares meat", "pause")
        screen.send("\x1b")
        screen.wait_for("Recordings")
        screen.send("q")
        assert screen.end() == 0
    (file,) = tmp_path.rglob("start.json")
    assert json.loads(file.read_text())["layout"] == "open"


@pytest.mark.thorough
def test_the_first_start_shows_the_tour_once():
    AppState().path.unlink()
    with terminal("--layout", "open") as screen:
        screen.wait_for("space next")
        screen.send("q")  # closes the tour
        screen.wait_until(lambda text: "space next" not in text, "the game without the tour")
        screen.send("q")
        assert screen.end() == 0
    with terminal("--layout", "open") as screen:
        screen.wait_for("prepares meat", "gate")
        screen.send(" ")
        screen.wait_for("paused")


@pytest.fixture
def opened(monkeypatch):
    """Which of the two screens the command opens, without opening it."""
    screens = []
    monkeypatch.setattr(game_screen, "open_app", lambda options, **how: screens.append("start"))
    monkeypatch.setattr(game_screen, "watch_game", lambda options: screens.append("watch"))
    return screens


def test_nothing_set_anywhere_opens_the_start_screen(opened):
    assert cli.main([]) == 0
    assert opened == ["start"]


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", [["--layout", "open"], ["--agent", "bayes"], ["--seed", "0"], ["--speed", "10"]])
def test_any_option_goes_straight_to_watching_even_with_its_default(opened, arguments):
    assert cli.main(arguments) == 0
    assert opened == ["watch"]


def test_the_environment_and_a_file_go_straight_to_watching_too(opened, monkeypatch, tmp_path):
    (tmp_path / "mine.toml").write_text('layout = "ring"\n')
    assert cli.main(["--config", str(tmp_path / "mine.toml")]) == 0
    monkeypatch.setenv("BBA_SEED", "4")
    assert cli.main([]) == 0
    assert opened == ["watch", "watch"]


@pytest.mark.thorough
def test_a_kitchen_is_designed_saved_and_played_by_keys_alone(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with terminal("design", "open", columns=80, lines=24) as screen:
        screen.wait_for("draw", "a kitchen without mistakes")
        screen.send("x\x13")  # a counter, save
        screen.wait_for("save the kitchen")
        screen.send("mine.toml\r")
        screen.wait_for("saved; to play it")
        screen.send("q")
        assert screen.end() == 0
    assert Layout.load(tmp_path / "mine.toml").rows[1] == "XX       X"
    with terminal("play", "mine.toml", columns=80, lines=24) as screen:
        screen.wait_for("Your first game?", "Play at once")
        screen.send("\r")  # play at once
        screen.wait_for("kitchen: mine")


@pytest.mark.parametrize(
    ("kitchen", "said"),
    [
        ("opne", "layout: no layout named 'opne'"),
        ("bad.toml", "bad.toml: not valid TOML"),
        ("gone/mine.toml", "gone is not a folder that can be written to"),
    ],
)
def test_a_kitchen_that_cannot_be_drawn_on_is_one_line(kitchen, said, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text("name = open")
    assert cli.main(["design", kitchen]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
