"""What was chosen last comes back; whatever else is in the file does not get in the way."""

import json

import pytest

from bba.settings import Settings
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.arguments import parse
from tui.commands.interactive import interact
from tui.preferences import CHOSEN_SETTINGS, AppState
from tui.screens.start import StartScreen

LAST = {
    "layout": "ring",
    "agent": "proagent",
    "partner": "bayes",
    "planner": "scripted",
    "seed": 2**62,
    "horizon": 7,
    "turns": True,
    "speed": 2.5,
    "model": "a-model",
    "base_url": "http://127.0.0.1:8080/v1",
    "real_time": True,
}


def chosen(settings: Settings) -> dict:
    return settings.model_dump(include=set(CHOSEN_SETTINGS))


def test_the_last_choice_comes_back_from_a_folder_that_was_not_there(tmp_path):
    path = tmp_path / "new" / "folder" / "start.json"
    AppState(path).keep(Settings(**LAST, theta_obs=0.5))
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
def test_a_damaged_or_foreign_file_stands_for_the_defaults(tmp_path, text):
    path = tmp_path / "start.json"
    path.write_text(text)
    assert AppState(path).recall() == Settings()


def test_neither_bytes_nor_a_folder_in_its_place_is_an_error(tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert AppState(tmp_path / "bytes").recall() == Settings()
    assert AppState(tmp_path).recall() == Settings()


def test_a_folder_that_cannot_be_made_is_not_an_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    AppState(tmp_path / "file" / "start.json").keep(Settings())
    AppState(tmp_path).keep(Settings())
    assert (tmp_path / "file").read_text() == "in the way"


def test_the_file_lies_in_the_platforms_configuration_folder(monkeypatch, tmp_path):
    monkeypatch.setattr("tui.preferences.user_config_path", lambda name: tmp_path / name)
    assert AppState().path == tmp_path / "bba-tui" / "start.json"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (
            ["watch", "ring", "--seed", "3", "--agent", "proagent", "--horizon", "400", "--planner", "rollout"],
            {"layout": "ring", "seed": 3, "agent": "proagent", "horizon": 400, "planner": "rollout", "speed": 2.5},
        ),
        (["watch", "--speed", "20"], {"layout": "open", "agent": "bayes", "seed": 0, "horizon": 2400, "speed": 20}),
        (["recordings"], LAST),
        (["recordings", "--speed", "20"], LAST | {"speed": 20}),
    ],
)
async def test_what_the_command_line_asked_for_stands_on_the_start_screen(tmp_path, monkeypatch, words, shown):
    apps = []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tui.preferences.user_config_path", lambda name: tmp_path / name)
    monkeypatch.setattr("tui.commands.interactive.check_terminal", lambda: None)
    monkeypatch.setattr("tui.commands.interactive.cannot_draw", lambda: False)
    monkeypatch.setattr(BBAApp, "run", lambda app: apps.append(app))
    AppState().keep(Settings(**LAST))
    AppState().note(toured=True)
    interact(parse(words))
    async with apps[0].run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(apps[0].screen, StartScreen))
        found = chosen(apps[0].screen._form.settings())
    assert {name: found[name] for name in shown} == shown
