"""Playing episodes on a Ray cluster, and what is said where there is none."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from functools import partial
from importlib.util import find_spec
from subprocess import DEVNULL
from types import SimpleNamespace

import pytest

from bba.agents import SeatSpec
from bba.bench import engines
from bba.bench.engines import RayEngine
from bba.bench.episode import play
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.errors import BBAError
from tests.helpers.tiny_sweeps import episodes
from tests.helpers.web_server import free_port
from tui.arguments.options import ManyGames
from tui.commands.sweep_playing import engine_of

HOST = "127.0.0.1"
EPISODES = episodes(seeds=6)


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


@pytest.mark.parametrize("given", [None, ""])
def test_without_an_address_that_of_rays_own_variable_counts(given, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", slow_ray(fails=0)[0])
    monkeypatch.setenv("RAY_ADDRESS", " 127.0.0.1:1 ")
    with pytest.raises(BBAError, match=r"--engine ray: no cluster at 127.0.0.1:1 \(RAY_ADDRESS\): .*refused"):
        RayEngine(address=given)


@pytest.mark.parametrize(
    ("given", "variable", "expected"),
    [
        ("there:1", "elsewhere:2", ("there:1", "")),
        (None, "elsewhere:2", ("elsewhere:2", " (RAY_ADDRESS)")),
        (None, "ray://elsewhere:2", ("ray://elsewhere:2", " (RAY_ADDRESS)")),
        (None, "auto", ("auto", " (RAY_ADDRESS)")),
        (None, "local", (None, "")),
        ("local", "elsewhere:2", (None, "")),
        (None, "", (None, "")),
        (None, None, (None, "")),
    ],
)
def test_the_option_counts_before_the_variable(given, variable, expected, monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    if variable is not None:
        monkeypatch.setenv("RAY_ADDRESS", variable)
    assert engines.cluster_address(given) == expected


def test_a_benchmark_says_which_cluster_the_variable_names(monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "ray", slow_ray(fails=0)[0])
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(BBAError, match="no cluster"):
        engine_of(ManyGames(engine="ray"))
    assert capsys.readouterr().err == "--engine ray: plays on the cluster at 127.0.0.1:1 (RAY_ADDRESS)\n"
    with pytest.raises(BBAError, match="no cluster"):
        engine_of(ManyGames(engine="ray", address="127.0.0.1:2"))
    assert capsys.readouterr().err == ""


def test_a_cluster_that_turns_us_away_is_one_line_that_tells_of_tokens(monkeypatch, capfd):
    monkeypatch.setitem(__import__("sys").modules, "ray", slow_ray(fails=1)[0])
    monkeypatch.setattr(engines, "_reach", lambda _: None)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    with pytest.raises(BBAError, match=r"no cluster at there:1: The current .* needs RAY_AUTH_MODE=token$"):
        RayEngine(address="there:1")
    os.write(2, b"heard again")
    assert capfd.readouterr().err == "heard again"


@pytest.fixture(autouse=True)
def no_cluster_from_outside(monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)


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


# --- clusters that run -------------------------------------------------------------------------------------------
ray_is_here = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed (extra `cluster`)")
SOON = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 4}


@pytest.fixture(scope="module")
def alone():
    """The measures of each episode, played without a cluster."""
    return {episode.key: play(episode, SeatSpec()).measures for episode in EPISODES}


@pytest.fixture
def node():
    """Starts a node of a cluster on this machine; ends all of them."""
    folder, port, nodes = tempfile.mkdtemp(prefix="ray"), free_port(), []  # a path of sockets must be short

    def start(*, head: bool):
        first = f"--port={port}", "--include-dashboard=false", f"--temp-dir={folder}"
        options = ("--head", *first, f"--system-config={json.dumps(SOON)}") if head else (f"--address={HOST}:{port}",)
        command = sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--disable-usage-stats"
        own = f"--node-ip-address={HOST}", "--num-cpus=1"
        nodes.append(
            subprocess.Popen([*command, *own, *options], stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)
        )
        return nodes[-1]

    yield SimpleNamespace(start=start, address=f"{HOST}:{port}")
    for one in nodes:
        kill(one)
    shutil.rmtree(folder, ignore_errors=True)


def kill(node):
    with suppress(ProcessLookupError):
        os.killpg(node.pid, signal.SIGKILL)
    node.wait()


def engine_at(address: str, nodes: int) -> RayEngine:
    """Joins a cluster once so many nodes are there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(BBAError):
            engine = RayEngine(nodes, address)
            while time.monotonic() < deadline:
                if engine._ray.cluster_resources().get("CPU", 0) >= nodes:
                    return engine
                time.sleep(0.2)
            engine.close()
        time.sleep(0.2)
    return pytest.skip("Ray's processes did not come up within a minute")


def played_on(engine, store):
    """Plays what is missing; yields the keys of what was played, as soon as it is stored."""
    task = partial(play, base=SeatSpec())
    with closing(Runner(store, engine, task).run(store.missing({one.key: one for one in EPISODES}))) as played:
        yield from played


@ray_is_here
@pytest.mark.long
def test_a_local_ray_gives_the_same_results(tmp_path, alone):
    with ResultsStore(tmp_path) as store:
        list(played_on(RayEngine(2), store))
        assert {key: result.measures for key, result in store.results(alone).items()} == alone


@ray_is_here
@pytest.mark.long
def test_two_nodes_give_the_same_results_although_one_of_them_is_killed(tmp_path, alone, node):
    node.start(head=True)
    second = node.start(head=False)
    with ResultsStore(tmp_path) as store:
        for number, _ in enumerate(played_on(engine_at(node.address, 2), store)):
            if number == 2:
                kill(second)
        assert {key: result.measures for key, result in store.results(alone).items()} == alone


@ray_is_here
@pytest.mark.long
def test_what_was_played_before_the_head_was_killed_is_not_played_again(tmp_path, alone, node):
    first = node.start(head=True)
    with ResultsStore(tmp_path) as store:
        games = played_on(engine_at(node.address, 1), store)
        next(games), next(games)
        games.close()
        kept = store.finished()
        assert len(kept) >= 2
        kill(first)
        node.start(head=True)
        played = len(list(played_on(engine_at(node.address, 1), store)))
        assert played == len(EPISODES) - len(kept)
        assert {key: result.measures for key, result in store.results(alone).items()} == alone
