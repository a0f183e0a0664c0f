"""A language model is sent the same bytes whatever starts the game: Python, the command line, a sweep or the screen."""

import json

import pytest
from pydantic import SecretStr

from bba.agents import SeatSpec, load_agent
from bba.bench import load_sweep
from bba.bench.runner import run_sweep
from bba.config import PLANNER_DEFAULTS, RolloutOptions, select
from bba.llm.pipeline import cached_backend
from bba.planner.model_options import ModelOptions
from bba.play import Game
from bba.settings import GameOptions
from tests.helpers.command_line import parsed
from tests.helpers.fake_endpoint import KEY, plays, running
from tests.helpers.model_backends import clear_environment
from tui.arguments.seat_options import agent_options, options_by_model
from tui.cli import main
from tui.game_factory import live_source
from tui.playback.shown_pair import with_shown_pair

STEPS = 60


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def endpoint():
    with running() as endpoint:
        endpoint.behaviours = [plays]
        yield endpoint


def sent(endpoint) -> list[str]:
    """What was sent since the last look, as bytes are compared; answers so far are forgotten."""
    cached_backend.cache_clear()
    requests, endpoint.requests = endpoint.requests, []
    return [json.dumps(request, sort_keys=True) for request in requests]


def from_python(endpoint, **fields) -> list[str]:
    model = ModelOptions(model="m", base_url=endpoint.url, key=SecretStr(KEY), cache="off", concurrency=1)
    options = SeatSpec(planner="openai", model=model, **fields)
    Game("open", load_agent("bayes", options), "switching", seed=0, horizon=STEPS).run()
    return sent(endpoint)


def from_command_line(endpoint, *arguments) -> list[str]:
    common = ["--planner", "openai", "--model", "m", "--base-url", endpoint.url, "--cache", "off", "--concurrency", "1"]
    assert main(["headless", "open", *common, "--horizon", str(STEPS), *arguments]) == 0
    return sent(endpoint)


def from_screen(endpoint, *arguments) -> list[str]:
    common = ["--planner", "openai", "--model", "m", "--base-url", endpoint.url, "--cache", "off", "--concurrency", "1"]
    options = parsed(["watch", "open", *common, "--horizon", str(STEPS), *arguments])
    source = live_source(with_shown_pair(options))
    while not source.done:
        assert source.play(1) is None
    return sent(endpoint)


def from_sweep(endpoint, tmp_path, *lines) -> list[str]:
    (tmp_path / "one.toml").write_text(
        "\n".join(
            [
                'title = "one game"',
                'layouts = ["open"]',
                'agents = ["bayes"]',
                "seeds = 1",
                f"horizon = {STEPS}",
                *lines,
                "[partners]",
                'switching = ["switching"]',
            ]
        )
    )
    model = ModelOptions(model="m", base_url=endpoint.url, key=SecretStr(KEY), cache="off", concurrency=1)
    run_sweep(load_sweep("one.toml"), tmp_path / "results", SeatSpec(planner="openai", model=model), workers=1)
    return sent(endpoint)


def test_python_command_line_and_screen_send_the_same_bytes(endpoint):
    asked = from_python(endpoint)
    assert len(asked) > 1
    assert "# This kitchen" in json.loads(asked[0])["messages"][0]["content"]
    assert from_command_line(endpoint) == asked
    assert from_screen(endpoint) == asked


@pytest.mark.parametrize("layout", ["preprint", "strict", "cached"])
def test_a_layout_that_is_named_is_the_same_everywhere(endpoint, layout):
    assert from_python(endpoint, prompt_layout=layout) == from_command_line(endpoint, "--prompt-layout", layout)


def test_a_sweep_sends_the_same_bytes(endpoint, tmp_path):
    assert from_sweep(endpoint, tmp_path) == from_python(endpoint) == from_command_line(endpoint)


def test_a_seat_with_a_model_of_its_own_is_sent_the_same(endpoint, tmp_path):
    (tmp_path / "models.toml").write_text(
        f'[m]\nbase_url = "{endpoint.url}"\nkey_env = "OPENAI_API_KEY"\nplanner = "openai"\n'
        'cache = "off"\nconcurrency = 1\n'
    )
    chosen = ["--agent", "bayes@m", "--models", "models.toml", "--horizon", str(STEPS)]
    assert main(["headless", "open", *chosen]) == 0
    assert sent(endpoint) == from_python(endpoint) == from_command_line(endpoint)
    options = parsed(["headless", *chosen])
    assert options_by_model(options, options.models)["m"].effective_prompt_layout == "cached"


@pytest.mark.parametrize(
    ("fields", "places", "asks"),
    [
        ({}, "preprint", "changed"),
        ({"planner": "openai"}, "cached", "changed"),
        ({"planner": "litellm"}, "cached", "changed"),
        ({"planner": "openai", "prompts": "configs/prompts"}, "preprint", "changed"),
        ({"planner": "openai", "conversation": "roll"}, "preprint", "changed"),
        ({"planner": "openai", "prompt_layout": "strict"}, "strict", "always"),
        ({"prompt_layout": "strict"}, "strict", "always"),
        ({"prompt_layout": "strict", "ask": "changed"}, "strict", "changed"),
    ],
)
def test_defaults_that_depend_on_the_planner_are_the_same_in_python_and_on_the_command_line(fields, places, asks):
    own = {name: value for name, value in fields.items() if name != "conversation"}
    model = ModelOptions(model="m", key=SecretStr(KEY), **{k: v for k, v in fields.items() if k == "conversation"})
    python = SeatSpec(model=model if own.get("planner") else None, **own)
    words = [word for name, value in fields.items() for word in (f"--{name.replace('_', '-')}", value)]
    command = agent_options(parsed(["headless", *words, *(["--model", "m"] if own.get("planner") else [])]))
    assert (
        (python.effective_prompt_layout, python.effective_ask)
        == (command.effective_prompt_layout, command.effective_ask)
        == (places, asks)
    )
    if python.model:
        assert (python.model.turns, python.model.form) == (command.model.turns, command.model.form)
        assert (python.model.turns == "roll") is (places == "strict" or "conversation" in fields)


def test_options_of_python_and_of_the_command_line_have_the_same_defaults():
    python, command = SeatSpec(), agent_options(GameOptions())
    names = ("planner", "history_turns", "retries", "prompt_layout", "ask", "trigger", "prompts", "weights", "rollout")
    names += ("live", "real_time", "knows", "partner_model", "schedule", "beliefs")
    assert {name: getattr(python, name) for name in names} == {name: getattr(command, name) for name in names}
    assert select(RolloutOptions, dict(GameOptions())) == RolloutOptions()
    assert {name: getattr(GameOptions(), name) for name in type(PLANNER_DEFAULTS).model_fields} == dict(
        PLANNER_DEFAULTS
    )


def test_the_help_says_which_prompts_are_sent(capsys):
    assert main(["headless", "--help-all"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    described = words[words.index("--prompt-layout") :][:260]
    assert "a language model's default" in described
    assert "default: preprint" not in described
