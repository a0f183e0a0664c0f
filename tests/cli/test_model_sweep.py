"""Sweeps with a language model: what happens when it stops answering, and what is said of lost decisions."""

import json

import pytest

from bba.bench.results_store import ResultsStore
from tests.helpers.fake_endpoint import KEY, refuses, running
from tests.helpers.hostile_endpoints import every_other, plays
from tests.helpers.model_backends import clear_environment
from tui.cli import main

TINY = """
title = "A tiny sweep"
agents = ["bayes"]
layouts = ["open"]
seeds = 6
horizon = 30
[partners]
switching = ["switching"]
"""
QUICK = ["--workers", "1", "--attempts", "1", "--deadline", "5", "--give-up-after", "2"]


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / "tiny.toml").write_text(TINY)
    return tmp_path


@pytest.fixture
def endpoint():
    with running() as endpoint:
        yield endpoint


def sweep(endpoint, capsys, *more):
    model = ["--planner", "openai", "--base-url", endpoint.url, "--model", "x"]
    code = main(["--headless", "--sweep", "tiny.toml", "--out", "out", *model, *QUICK, *more])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def stored(folder):
    with ResultsStore(folder / "out") as store:
        return store.finished()


def dies_after(requests: int):
    """Answers so many requests and then none."""
    return lambda handler: (plays if len(handler.endpoint.requests) <= requests else refuses(500, "out of GPUs"))(
        handler
    )


def test_a_dead_model_stops_the_sweep_and_what_is_complete_is_kept(endpoint, capsys, tiny):
    endpoint.behaviours = [plays]
    assert sweep(endpoint, capsys, "--seeds", "1")[0] == 0
    endpoint.behaviours = [dies_after(len(endpoint.requests) + 1)]
    sent = len(endpoint.requests)
    code, out, err = sweep(endpoint, capsys)
    assert code == 2
    assert len(stored(tiny)) == 1
    assert len(endpoint.requests) - sent == 3
    last = err.splitlines()[-1]
    assert last.startswith(
        "bba-tui: 1 of 2 episodes failed, 4 were not begun: planner openai:x: no usable answer for 2"
    )
    assert "500: out of GPUs" in last
    assert "1 of 6 episodes, 1 failed" in out
    endpoint.behaviours = [plays]
    assert sweep(endpoint, capsys)[0] == 0
    assert len(stored(tiny)) == 6


@pytest.mark.thorough
def test_lost_decisions_are_said_on_stderr_in_the_table_and_in_json(endpoint, capsys):
    endpoint.behaviours = [every_other(plays, refuses(400, "content_filter"))]
    code, out, err = sweep(endpoint, capsys, "--seeds", "1", "--json")
    (line,) = [note for note in json.loads(out)["notes"] if "usable answer" in note]
    assert code == 0
    assert " in 1 of 1 game had no usable answer: there the cook stayed, which the figures include" in line
    assert line in err
    assert line in sweep(endpoint, capsys, "--seeds", "1")[1]


@pytest.mark.thorough
def test_a_game_says_its_lost_decisions_on_stderr(endpoint, capsys):
    endpoint.behaviours = [every_other(plays, refuses(400, "content_filter"))]
    model = ["--planner", "openai", "--base-url", endpoint.url, "--model", "x", "--horizon", "40"]
    assert main(["--headless", *model]) == 0
    assert "had no usable answer: there the cook stayed" in capsys.readouterr().err
    endpoint.behaviours = [plays]
    assert main(["--headless", *model, "--seed", "1"]) == 0
    assert capsys.readouterr().err == ""
