"""Many runners on one folder, killed at random; and folders on which they cannot work together."""

import random
import sqlite3
import sys
import time
from contextlib import closing
from multiprocessing import get_context

import pytest

from bba.bench import results_reader, results_store, runner
from bba.bench.engines import ThreadEngine
from bba.bench.results_reader import load_results, read_recording
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.bench.results_transfer import merge
from bba.bench.runner import Runner
from bba.errors import BBAError
from tests.bench.test_results_reader import keep
from tests.helpers.tiny_sweeps import episodes, outcome
from tui.cli import main


def play(episode):
    time.sleep(0.01)
    return outcome(reward=episode.seed)


def work(folder, seeds, told):
    """Is what a runner's process does; writes down the key of each episode that it has stored."""
    runner.HEARTBEAT, results_store.MISSED, runner.warm_up = 0.02, 0.3, lambda **_: None
    with ResultsStore(folder) as store, told.open("a") as file:
        for done in Runner(store, ThreadEngine(2), play).run(episodes(seeds=seeds)):
            if done.outcome is not None:
                file.write(f"{done.episode.key}\n")
                file.flush()


def begin(folder, seeds, number):
    told = folder / f"told-{number}"
    told.touch()
    process = get_context("fork").Process(target=work, args=(folder, seeds, told))
    process.start()
    return process, told


@pytest.mark.skipif(sys.platform != "linux", reason="its processes begin as forks, which is quick")
@pytest.mark.parametrize(("runners", "kills", "seeds"), [(2, 2, 8), pytest.param(8, 40, 500, marks=pytest.mark.long)])
def test_runners_that_are_killed_lose_nothing_and_play_nothing_twice(tmp_path, runners, kills, seeds):
    chance = random.Random(0)
    running = [begin(tmp_path, seeds, number) for number in range(runners)]
    for number in range(kills):
        process, told = running.pop(chance.randrange(runners))
        wanted = chance.randrange(3)
        while process.is_alive() and told.read_text().count("\n") < wanted:
            time.sleep(0.002)
        process.kill()
        process.join()
        running.append(begin(tmp_path, seeds, runners + number))
    for process, _ in running:
        process.join()
        assert process.exitcode == 0
    told = [key for file in tmp_path.glob("told-*") for key in file.read_text().splitlines()]
    assert len(told) == len(set(told)), "none was stored twice"
    expected = {episode.key: episode.seed for episode in episodes(seeds=seeds)}
    with ResultsStore(tmp_path) as store:
        found = store.results(expected)
    assert {key: result.measures["reward"] for key, result in found.items()} == expected
    with closing(sqlite3.connect(tmp_path / RESULTS_FILE)) as database:
        assert database.execute("SELECT count(*) FROM claims").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM episodes").fetchone() == (len(expected),)


@pytest.mark.parametrize("name", ["SQLITE_IOERR_LOCK", "SQLITE_PERM", "SQLITE_PROTOCOL", "SQLITE_BUSY"])
def test_where_files_cannot_be_locked_one_line_names_the_ways_out(tmp_path, monkeypatch, name):
    def fails(*_, **__):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = name
        raise error

    monkeypatch.setattr(results_store, "open_to_write", fails)
    monkeypatch.setattr(results_store, "OPENING", 0.0)
    with pytest.raises(
        BBAError, match=r"cannot be locked there.*a disk of this machine.*--engine ray.*bba-tui merge"
    ) as error:
        ResultsStore(tmp_path)
    assert "\n" not in str(error.value)


def test_where_files_cannot_be_locked_results_that_were_copied_there_are_read(tmp_path, monkeypatch):
    plan = keep(tmp_path, seeds=1)
    open_to_read = results_reader.open_to_read
    tries = []

    def fails_at_first(*arguments):
        tries.append(arguments)
        if len(tries) == 1:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = "SQLITE_IOERR_RDLOCK"
            raise error
        return open_to_read(*arguments)

    monkeypatch.setattr(results_reader, "open_to_read", fails_at_first)
    assert load_results(tmp_path).episodes.keys() == plan.episodes.keys()
    assert len(tries) == 2


def test_a_runner_waits_as_long_as_another_holds_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(results_store, "LOCK_WAIT", 0.0)
    monkeypatch.setattr(results_store, "LOCK_PAUSE", 0.0)
    episode = episodes()[0]
    with ResultsStore(tmp_path) as store, closing(sqlite3.connect(tmp_path / RESULTS_FILE)) as other:
        other.execute("BEGIN EXCLUSIVE")
        tries = []
        monkeypatch.setattr(time, "sleep", lambda _: (tries.append(0), len(tries) == 100 and other.rollback()))
        store.save(episode, outcome(reward=7))
        assert len(tries) == 100
        assert store.results([episode.key])[episode.key].measures["reward"] == 7


def test_folders_are_put_together(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    first, second = keep(tmp_path / "a", seeds=1, recorded={0}), keep(tmp_path / "b", failed={0})
    assert main(["merge", "a, b", "--out", "all"]) == 0
    counted, look = capsys.readouterr().out.splitlines()
    assert counted == "all holds 4 episodes; the benchmark into it plays what is missing"
    assert look.startswith("results in all; browse them: bba-tui results all")
    stored = load_results(tmp_path / "all")
    assert [run.sweep for run in stored.sweeps] == [first.sweep, second.sweep]
    assert stored.episodes.keys() == second.episodes.keys()
    assert read_recording(tmp_path / "all", first.entries[0].key) == b"a game"
    assert main(["merge", "a,b", "--out", "all"]) == 0, "twice is as once"
    assert load_results(tmp_path / "all") == stored


def test_a_sweep_that_is_put_together_began_when_it_was_first_run(tmp_path, monkeypatch):
    for folder, day in (("a", 3), ("b", 1), ("c", 2)):
        monkeypatch.setattr(results_store, "_now", lambda day=day: f"2026-01-0{day}T12:00:00+00:00")
        keep(tmp_path / folder, seeds=1 if folder == "c" else 2)
    monkeypatch.setattr(results_store, "_now", lambda: "2026-02-01T12:00:00+00:00")
    merge([tmp_path / folder for folder in "abc"], tmp_path / "all")
    merge([tmp_path / folder for folder in "cba"], tmp_path / "again")
    for folder in ("all", "again"):
        assert [run.started[:10] for run in load_results(tmp_path / folder).sweeps] == ["2026-01-01", "2026-01-02"]


def test_what_cannot_be_put_together_is_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    keep(tmp_path / "a")
    for arguments, said in (
        (["merge", "a"], "merge: say into which folder with --out"),
        (["merge", "a,b", "--out", "c"], "b: no results here"),
        (["merge", "a", "--out", "a"], "a: is one of the folders to be put together"),
    ):
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith(f"bba-tui: {said}")
        assert [folder.name for folder in tmp_path.iterdir()] == ["a"]


def test_damaged_episodes_are_left_out_and_said(tmp_path, capsys):
    keep(tmp_path / "a")
    with closing(sqlite3.connect(tmp_path / "a" / RESULTS_FILE, isolation_level=None)) as database:
        database.execute("UPDATE games SET seconds = 9.0 WHERE seed = 0")
    assert main(["merge", str(tmp_path / "a"), "--out", str(tmp_path / "all")]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith(f"{tmp_path / 'a'}: 2 episodes are damaged and left out; ")
    assert printed.out.startswith(f"{tmp_path / 'all'} holds 2 episodes; ")
