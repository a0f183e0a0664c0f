"""Playing what is missing, whatever happens meanwhile."""

import os
import signal
import threading

import pytest

from bba.bench import runner
from bba.bench.engines import ProcessEngine, ThreadEngine
from bba.bench.episode import EpisodeResult
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.errors import BBAError
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.tiny_sweeps import episodes, outcome

EPISODES = episodes(seeds=4)


def test_what_is_missing_is_played_once_and_then_never_again(tmp_path):
    played = []

    def note(episode):
        played.append(episode.key)
        return outcome(reward=episode.seed)

    engine = ImmediateEngine(workers=2)
    with ResultsStore(tmp_path) as store:
        store.save(EPISODES[0], outcome())
        news = list(Runner(store, engine, note).run(EPISODES))
        assert sorted(played) == sorted(episode.key for episode in EPISODES[1:])
        assert [found.outcome for found in news if found.episode == EPISODES[0]] == [None]
        assert all(found.outcome is None for found in Runner(store, ImmediateEngine(workers=2), note).run(EPISODES))
    assert len(played) == len(EPISODES) - 1
    assert engine.closed


def test_one_failed_episode_is_recorded_and_does_not_stop_the_rest(tmp_path):
    def one_fails(episode):
        return EpisodeResult(failure="no luck") if episode == EPISODES[2] else outcome()

    with ResultsStore(tmp_path) as store:
        news = list(Runner(store, ImmediateEngine(workers=2), one_fails).run(EPISODES))
        results = store.results(episode.key for episode in EPISODES)
    assert len(news) == len(results) == len(EPISODES)
    assert [key for key, result in results.items() if result.failure == "no luck"] == [EPISODES[2].key]


def test_one_that_kills_what_plays_it_fails_and_those_beside_it_are_played_again(tmp_path):
    died = []

    def deadly(episode):
        if episode == EPISODES[1] or (episode == EPISODES[0] and not died):
            died.append(episode.key)
            raise RuntimeError("worker lost")
        return outcome()

    with ResultsStore(tmp_path) as store:
        list(Runner(store, ImmediateEngine(workers=2), deadly).run(EPISODES))
        results = store.results(episode.key for episode in EPISODES)
    failed = [key for key, result in results.items() if result.failure]
    assert failed == [EPISODES[1].key]
    assert results[failed[0]].failure == "the process that played it died, twice"
    assert died == [EPISODES[0].key, EPISODES[1].key, EPISODES[1].key]


def kill_or_play(episode):
    if episode.seed == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return outcome(reward=episode.seed)


def test_worker_processes_that_die_are_replaced(tmp_path):
    with ResultsStore(tmp_path) as store:
        list(Runner(store, ProcessEngine(1), kill_or_play).run(EPISODES[:3]))
        results = store.results(episode.key for episode in EPISODES)
    assert [bool(results[episode.key].failure) for episode in EPISODES[:3]] == [False, True, False]


@pytest.mark.parametrize("planner", ["scripted", "rollout"])
def test_one_worker_asks_for_what_the_games_need_before_they_begin(tmp_path, planner):
    asked = []

    class NotingEngine(ImmediateEngine):
        def submit(self, task, *args, **kwargs):
            asked.append((task, kwargs))
            return super().submit(task, *args, **kwargs)

    games = episodes(agents=[{"agent": "bayes", "planner": planner}])
    with ResultsStore(tmp_path) as store:
        list(Runner(store, NotingEngine(), lambda _: outcome()).run(games))
    assert asked[0] == (runner.warm_up, {"simulates": planner == "rollout"})


def test_two_runners_on_one_folder_share_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "HEARTBEAT", 0.01)
    played, lock = [], threading.Lock()

    def note(episode):
        with lock:
            played.append(episode.key)
        return outcome()

    def work(seen):
        with ResultsStore(tmp_path) as store:
            seen += Runner(store, ThreadEngine(2), note).run(EPISODES)

    ResultsStore(tmp_path).close()
    news = [], []
    threads = [threading.Thread(target=work, args=(seen,)) for seen in news]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(played) == sorted(episode.key for episode in EPISODES), "each once"
    assert all({found.episode.key for found in seen} == set(played) for seen in news), "both know of all"


@pytest.mark.parametrize(
    ("kernels", "uncompiled"),
    [
        (0, ""),
        (1, ", uncompiled until 1 kernel is ready, about 4 s each"),
        (7, ", uncompiled until 7 kernels are ready, about 4 s each"),
    ],
)
def test_it_says_what_it_waits_for_while_nothing_is_finished(tmp_path, monkeypatch, kernels, uncompiled):
    monkeypatch.setattr(runner, "HEARTBEAT", 0.01)
    monkeypatch.setattr(runner, "kernels_to_come", lambda: kernels)
    heard, warmed, go_on = [], threading.Event(), threading.Event()

    def hear(waiting):
        heard.append(waiting)
        if heard.count(waiting) == 3:  # it goes on saying it
            (warmed if waiting.startswith(runner.WARMING_UP) else go_on).set()

    def held(episode):
        go_on.wait(30)
        return outcome()

    monkeypatch.setattr(runner, "warm_up", lambda **_: warmed.wait(30))
    with ResultsStore(tmp_path) as store:
        list(Runner(store, ThreadEngine(2), held, pulse=hear).run(EPISODES[:2]))
    compiled = {1: ": 1 kernel is compiled", 7: ": 7 kernels are compiled"}
    assert heard[0] == runner.WARMING_UP
    assert heard[1].startswith(f"{runner.WARMING_UP}{compiled.get(kernels, '')}")
    assert f"2 games that are played{uncompiled}" in heard


def test_interrupted_it_keeps_what_is_finished(tmp_path):
    def interrupted(episode):
        return outcome()

    with ResultsStore(tmp_path) as store:
        news = Runner(store, ImmediateEngine(workers=3), interrupted).run(EPISODES)
        next(news)
        news.close()
        assert len(store.finished()) == 3, "one was told of, two were finished beside it"


def test_workers_that_do_not_start_are_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(ImmediateEngine, "submit", lambda *_, **__: (_ for _ in ()).throw(OSError("no memory")))
    with ResultsStore(tmp_path) as store, pytest.raises(BBAError, match="the workers do not start: OSError: no memory"):
        list(Runner(store, ImmediateEngine(workers=2), outcome).run(EPISODES))
