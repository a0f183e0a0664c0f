"""A sweep with worker processes that is killed again and again: the same tables, and nothing goes on running."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bba.bench.results_store import RESULTS_FILE
from tui.commands.terminal import TERMINATED

SWEEP = """
title = "A sweep that is killed"
agents = ["bayes", "bayes-no-replan"]
layouts = ["open", "ring"]
seeds = 15
horizon = 2400
[partners]
switching = ["switching"]
"""
PATIENCE = 120.0  # seconds until something that should end counts as left running; the figures say how long it took


def command(folder):
    return [sys.executable, "-m", "tui.cli", "--headless", "--sweep", "s.toml", "--out", folder, "--workers", "2"]


def begin():
    """A runner in a session of its own, so that all that it starts is known."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*command("out"), "--json"], start_new_session=True, **quiet)


def running_in(session):
    """The processes of a session by number, as they were asked to run; those that have ended do not count."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, _, _, belongs, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(belongs) == session and state != "Z":
                found[int(folder.name)] = (folder / "cmdline").read_bytes()
    return found


def workers_of(runner):
    return [number for number, asked in running_in(runner.pid).items() if b"loky.backend.popen_loky" in asked]


def stored():
    """The number of episodes that are stored so far."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:out/{RESULTS_FILE}?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM episodes WHERE failure IS NULL").fetchone()[0]
    return 0


def wait_for_a_moment(runner, chance):
    """Waits until the runner starts, has workers, or has stored up to three more episodes, and a moment longer."""
    what, wanted, before = chance.randrange(5), chance.randrange(4), stored()
    reached = {0: lambda: True, 1: lambda: workers_of(runner)}.get(what, lambda: stored() >= before + wanted)
    while not reached() and runner.poll() is None:
        time.sleep(0.01)
    time.sleep(chance.uniform(0, 0.5))


def seconds_until_nothing_runs(runner):
    begun = time.monotonic()
    while running_in(runner.pid):
        assert time.monotonic() < begun + PATIENCE, running_in(runner.pid)
        runner.poll()
        time.sleep(0.01)
    return time.monotonic() - begun


def table(folder):
    """What the command prints when nothing is left to play."""
    done = subprocess.run([*command(folder), "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def check_end(runner, codes):
    """A runner ends with one of these exit codes, and says no more than lines."""
    with runner.stderr as stream:
        said = stream.read()
    assert runner.wait() in codes, said
    assert "Traceback" not in said
    assert runner.returncode != 2 or said.splitlines()[-1].startswith("bba-tui: ")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of a session in /proc")
@pytest.mark.parametrize("kills", [50])
def test_killed_so_many_times_it_gives_the_tables_of_a_run_that_was_not(monkeypatch, tmp_path, kills):
    """An episode whose worker is killed twice has failed; the same command plays it again."""
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(SWEEP)
    expected, chance = table("whole"), random.Random(16)
    killed, took, runner = Counter(), {signal.SIGKILL: [], signal.SIGTERM: []}, begin()
    while killed.total() < kills:
        wait_for_a_moment(runner, chance)
        if runner.poll() is not None:
            check_end(runner, (0, 2))
            seconds_until_nothing_runs(runner)
            runner = begin()
            continue
        number, workers = chance.choice(list(took)), workers_of(runner)
        if workers and chance.randrange(2):
            with suppress(ProcessLookupError):
                os.kill(chance.choice(workers), number)
            killed[f"{number.name} to a worker"] += 1
            continue
        runner.send_signal(number)
        killed[f"{number.name} to the runner"] += 1
        took[number].append(seconds_until_nothing_runs(runner))
        check_end(runner, (-number, TERMINATED, 0, 2))  # before it plays, Python itself ends at SIGTERM
        runner = begin()
    runner.kill()
    seconds_until_nothing_runs(runner)
    runner.stderr.close()
    before = stored()
    subprocess.run(command("out"), capture_output=True, check=False)
    assert table("out") == expected
    slowest = ", ".join(f"{max(found, default=0):.2f} s after {number.name}" for number, found in took.items())
    sys.stdout.write(f"{dict(killed)}; nothing left running {slowest} at the latest; {before} episodes were stored\n")
