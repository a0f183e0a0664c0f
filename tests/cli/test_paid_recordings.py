"""The recording of a game with a language model: the same bytes from the same answers, and all of it without a key."""

import gzip
import json

import pytest

from bba.agents import load_agent
from bba.play import Replay, fork, load
from bba.play.recording_io import usage_path
from tests.helpers.fake_endpoint import KEY, plays, running
from tests.helpers.model_backends import clear_environment
from tui.cli import main


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def endpoint(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with running() as endpoint:
        endpoint.behaviours = [plays]
        yield endpoint


def play(capsys, endpoint, name, *more):
    model = ["--planner", "openai", "--base-url", endpoint.url, "--model", "gpt-4o", "--horizon", "60"]
    stored = ["--cache-file", "a.sqlite", "--record", name]
    assert main(["--headless", "--json", *model, *stored, *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_same_answers_give_the_same_bytes_whatever_they_cost(capsys, endpoint, tmp_path, monkeypatch):
    played = play(capsys, endpoint, "first.bba")
    asked = len(endpoint.requests)
    clear_environment(monkeypatch)
    again = play(capsys, endpoint, "second.bba", "--cache", "only")
    assert asked > 0
    assert len(endpoint.requests) == asked
    assert (tmp_path / "first.bba").read_bytes() == (tmp_path / "second.bba").read_bytes()
    assert played["planner_seconds"] != again["planner_seconds"]


def test_a_recording_is_replayed_without_a_key_and_says_what_it_cost(capsys, endpoint, tmp_path, monkeypatch):
    played = play(capsys, endpoint, "game.bba")
    clear_environment(monkeypatch)
    assert main(["--headless", "--json", "--replay", "game.bba"]) == 0
    assert json.loads(capsys.readouterr().out) == played
    assert played["planner_cost"] > 0
    answers = json.loads(gzip.decompress((tmp_path / "game.bba").read_bytes()))["texts"]
    assert any("Plan for Player 0" in text for text in answers)


def test_costs_of_another_recording_or_damaged_ones_are_not_taken(capsys, endpoint, tmp_path):
    play(capsys, endpoint, "game.bba")
    game = tmp_path / "game.bba"
    assert any(call.usage for _, call in load(game).players[0].calls)
    told = usage_path(game).read_text()
    for other in (told.replace('"recording":"', '"recording":"0'), told[:40], told.replace("[[", "[[null,"), ""):
        usage_path(game).write_text(other)
        assert not any(call.usage for _, call in load(game).players[0].calls)


def test_a_recording_is_forked_without_a_key(capsys, endpoint, tmp_path, monkeypatch):
    play(capsys, endpoint, "game.bba")
    clear_environment(monkeypatch)
    trace = Replay(load(tmp_path / "game.bba")).run()
    seats = load_agent("bayes").profile, trace.config.seats[1]
    future = fork(trace, 40, seats)
    past = [tick.decisions for tick in future.trace.ticks]
    assert past == [tick.decisions for tick in trace.ticks[:40]]
    future.run()
    assert len(future.trace.ticks) == 60
    assert future.trace.config_at(60).seats[0].planner == "scripted"
