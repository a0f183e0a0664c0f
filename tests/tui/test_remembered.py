"""What was chosen last comes back; whatever else is in the file does not get in the way."""

import json

import pytest
from textual.screen import Screen

from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.arguments import parse
from tui.arguments.options import ChosenGame
from tui.preferences import CHOSEN_OPTIONS, AppState
from tui.screens.start import StartScreen

LAST = {
    "layout": "ring",
    "agent": "proagent",
    "partner": "bayes",
    "agents": "proagent,bayes",
    "planner": "scripted",
    "seed": 2**62,
    "horizon": 7,
    "turns": True,
    "speed": 2.5,
    "model": "a-model",
    "base_url": "http://127.0.0.1:8080/v1",
    "real_time": True,
}


@pytest.fixture
def nothing_outside(monkeypatch):
    """No variable says which cooks there are at first."""
    for name in ("AGENT", "PARTNER", "SEED"):
        monkeypatch.delenv(f"BBA_{name}")


def chosen(settings: ChosenGame) -> dict:
    return settings.model_dump(include=set(CHOSEN_OPTIONS))


def test_the_last_choice_comes_back_from_a_folder_that_was_not_there(tmp_path):
    path = tmp_path / "new" / "folder" / "start.json"
    AppState(path).keep(ChosenGame(**LAST, theta_obs=0.5))
    assert chosen(AppState(path).recall()) == LAST
    assert json.loads(path.read_text()) == LAST  # nothing but the choice is written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        "null",
        "{}",
        '{"theme": "dark"}',
        json.dumps(LAST | {"seed": -1}),
        json.dumps(LAST | {"speed": "fast"}),
        json.dumps(LAST | {"layout": ["open"]}),
        json.dumps(LAST | {"horizon": float("nan")}),
        "[" * 100_000,
    ],
)
@pytest.mark.usefixtures("nothing_outside")
def test_a_damaged_or_foreign_file_stands_for_the_defaults(tmp_path, text):
    path = tmp_path / "start.json"
    path.write_text(text)
    assert AppState(path).recall() == ChosenGame()


@pytest.mark.usefixtures("nothing_outside")
def test_neither_bytes_nor_a_folder_in_its_place_is_an_error(tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert AppState(tmp_path / "bytes").recall() == ChosenGame()
    assert AppState(tmp_path).recall() == ChosenGame()


def test_a_folder_that_cannot_be_made_is_not_an_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    AppState(tmp_path / "file" / "start.json").keep(ChosenGame())
    AppState(tmp_path).keep(ChosenGame())
    assert (tmp_path / "file").read_text() == "in the way"


def test_the_file_lies_in_the_platforms_configuration_folder(monkeypatch, tmp_path):
    monkeypatch.setattr("tui.preferences.user_config_path", lambda name: tmp_path / name)
    assert AppState().path == tmp_path / "bba-tui" / "start.json"


COMMANDS = [
    (["recordings"], LAST),
    (["recordings", "--speed", "20"], LAST | {"speed": 20}),
    (
        ["watch", "ring", "--seed", "3", "--agent", "proagent", "--horizon", "400", "--planner", "rollout"],
        {"layout": "ring", "seed": 3, "agent": "proagent", "horizon": 400, "planner": "rollout", "speed": 2.5},
    ),
    (["watch", "--speed", "20"], {"layout": "open", "agent": "bayes", "seed": 0, "horizon": 2400, "speed": 20}),
]


async def test_what_the_command_line_asked_for_stands_on_the_start_screen(tmp_path, monkeypatch):
    apps = []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tui.preferences.user_config_path", lambda name: tmp_path / name)
    monkeypatch.setattr("tui.commands.game_screen.check_terminal", lambda: None)
    monkeypatch.setattr("tui.commands.terminal.cannot_draw", lambda: False)
    monkeypatch.setattr(BBAApp, "run", lambda app: apps.append(app))
    AppState().keep(ChosenGame(**LAST))
    AppState().note(toured=True)
    for words, _ in COMMANDS:
        parse(words).run()
    running, *others = apps
    async with running.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(running.screen, StartScreen))
        forms = [running.screen._form]
        # Of the others only the form is needed, which can be shown here.
        for app in others:
            forms.append(app._start_screen()._form)
            await running.push_screen(Screen())
            await running.screen.mount(forms[-1])
        for form, (words, shown) in zip(forms, COMMANDS, strict=True):
            found = chosen(form.settings())
            assert {name: found[name] for name in shown} == shown, words
