"""Playing episodes on a Ray cluster, and what is said where there is none."""

import os
from functools import partial
from types import SimpleNamespace

import pytest

from bba.agents import AgentOptions
from bba.bench import engines
from bba.bench.engines import RayEngine
from bba.bench.episode import play
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.errors import BBAError
from tests.helpers.tiny_sweeps import episodes

EPISODES = episodes(seeds=4)


def slow_ray(fails: int):
    """A Ray that fails to start so many times, and what it was asked for."""
    asked = []

    def init(**_):
        asked.append("start")
        if asked.count("start") <= fails:
            os.write(2, b"gcs_client.cc: Failed to get cluster ID")
            raise Exception("The current node timed out\nduring startup.")

    fake = SimpleNamespace(
        init=init, shutdown=lambda: asked.append("end"), remote=lambda **_: lambda task: task, cluster_resources=dict
    )
    return fake, asked


def test_without_ray_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(BBAError, match=r"--engine ray: needs Ray: pip install 'bba-tui\[cluster\]'"):
        RayEngine()


def test_a_cluster_that_cannot_be_reached_is_one_line(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", slow_ray(fails=0)[0])
    with pytest.raises(BBAError, match=r"--engine ray: no cluster at 127.0.0.1:1: .*refused"):
        RayEngine(address="127.0.0.1:1")


def test_a_cluster_that_turns_us_away_is_one_line_that_tells_of_tokens(monkeypatch, capfd):
    monkeypatch.setitem(__import__("sys").modules, "ray", slow_ray(fails=1)[0])
    monkeypatch.setattr(engines, "_reach", lambda _: None)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    with pytest.raises(BBAError, match=r"no cluster at there:1: The current .* needs RAY_AUTH_MODE=token$"):
        RayEngine(address="there:1")
    os.write(2, b"heard again")
    assert capfd.readouterr().err == "heard again"


def test_a_ray_that_starts_too_slowly_is_started_once_more(monkeypatch):
    ray, asked = slow_ray(fails=1)
    monkeypatch.setitem(__import__("sys").modules, "ray", ray)
    assert RayEngine(2).workers == 2
    assert asked == ["start", "end", "start"]


def test_a_ray_that_does_not_start_is_one_line_that_names_the_ways_out(monkeypatch):
    ray, asked = slow_ray(fails=2)
    monkeypatch.setitem(__import__("sys").modules, "ray", ray)
    said = "--engine ray: Ray did not start on this machine, twice: The current .*; take --engine local, or .*--address"
    with pytest.raises(BBAError, match=said) as error:
        RayEngine(2)
    assert "\n" not in str(error.value)
    assert asked == ["start", "end", "start", "end"]


def test_a_local_ray_gives_the_same_results(tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed (extra `cluster`)")
    with ResultsStore(tmp_path) as store:
        list(Runner(store, RayEngine(2), partial(play, options=AgentOptions())).run(EPISODES))
        results = store.results(episode.key for episode in EPISODES)
    assert {episode.key: play(episode, AgentOptions()).measures for episode in EPISODES} == {
        key: result.measures for key, result in results.items()
    }
