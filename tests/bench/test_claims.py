"""Claims of runners that are gone, or from the future: they keep nobody waiting."""

import platform
import sqlite3
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing

import pytest

from bba.bench import runner
from bba.bench.results_store import ANOTHER_RUN, RESULTS_FILE, ResultsStore
from bba.bench.runner import Runner
from bba.errors import BBAError
from bba.processes import is_running
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.tiny_sweeps import episodes, outcome

EPISODES = episodes()
KEY = EPISODES[0].key


def change_claims(folder, **values):
    with closing(sqlite3.connect(folder / RESULTS_FILE, isolation_level=None)) as database:
        database.execute(f"UPDATE claims SET {', '.join(f'{name} = :{name}' for name in values)}", values)


@pytest.fixture
def stores(tmp_path):
    with ResultsStore(tmp_path) as one, ResultsStore(tmp_path) as two:
        assert one.claim(KEY)
        yield one, two


@pytest.mark.parametrize(("ahead", "free"), [(5, False), (60, True), (1e6, True)])
def test_a_claim_from_the_future_is_free(tmp_path, stores, ahead, free):
    change_claims(tmp_path, seen=time.time() + ahead)
    assert stores[1].claim(KEY) is free


@pytest.fixture
def gone():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_a_claim_of_a_process_that_is_gone_is_free_after_three_seconds(tmp_path, stores, gone):
    change_claims(tmp_path, pid=gone)
    assert not stores[1].claim(KEY), "its heartbeat is fresh"
    change_claims(tmp_path, seen=time.time() - 5)
    assert stores[1].claim(KEY)


@pytest.mark.parametrize(
    ("changes", "silent", "free"),
    [
        ({}, 300, False),  # the process of this test: it runs, but others may leave it no time
        ({}, 3600, True),
        ({"host": "elsewhere"}, 5, False),
        ({"host": "elsewhere"}, 20, True),
        ({"host": None, "pid": None}, 5, False),  # as earlier versions wrote it
        ({"host": None, "pid": None}, 20, True),
    ],
)
def test_a_silent_claim_is_free_late_if_its_process_runs_and_sooner_if_that_is_not_known(
    tmp_path, stores, changes, silent, free
):
    change_claims(tmp_path, seen=time.time() - silent, **changes)
    assert stores[1].claim(KEY) is free


@pytest.mark.skipif(sys.platform != "linux", reason="only there is it known")
def test_a_process_that_has_ended_does_not_run_though_nobody_asked_how_it_ended():
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as process:
        assert process.stdout.read() == b""
        while is_running(process.pid):
            time.sleep(0.001)


def test_a_runner_that_waits_says_for_which_other_and_since_when(tmp_path, stores, monkeypatch):
    monkeypatch.setattr(runner, "HEARTBEAT", 0.01)
    change_claims(tmp_path, host="far-away", pid=4711, since=0.0)
    heard, other = [], stores[0]

    def hear(waiting):
        heard.append(waiting)
        if "far-away" in waiting:
            other.save(EPISODES[0], outcome())

    list(Runner(stores[1], ImmediateEngine(), lambda _: outcome(), pulse=hear).run(EPISODES))
    at = time.strftime("%H:%M:%S", time.localtime(0))
    assert heard[-1] == f"1 episode that process 4711 on far-away plays, since {at}"


def test_a_run_of_an_earlier_version_is_waited_for_without_its_name(tmp_path, stores):
    change_claims(tmp_path, host=None, pid=None, since=None)
    assert stores[1].waited_for([KEY]) == ANOTHER_RUN
    change_claims(tmp_path, host=platform.node(), pid=1, since=0.0)
    assert stores[1].waited_for([KEY]).startswith("1 episode that process 1 on this machine plays, since ")


def test_a_worker_that_dies_while_it_warms_up_is_tried_once_more(tmp_path):
    died = BrokenProcessPool("gone")
    with ResultsStore(tmp_path) as store:
        played = list(Runner(store, ImmediateEngine(died), lambda _: outcome()).run(EPISODES))
        assert len(played) == len(EPISODES)
        with pytest.raises(BBAError, match="the workers do not start: BrokenProcessPool: gone"):
            list(Runner(store, ImmediateEngine(died, died), lambda _: outcome()).run(EPISODES))


CHILD = "import os, time; from bba.processes import leave_with; leave_with(os.getppid()); print(1); time.sleep(600)"


@pytest.mark.skipif(sys.platform == "win32", reason="parents are never replaced there")
def test_a_worker_leaves_when_its_parent_is_killed():
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-uc', {CHILD!r}])"
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"1\n"
        process.kill()
        assert process.stdout.read() == b"", "the child, which has the same pipe, ends too"
