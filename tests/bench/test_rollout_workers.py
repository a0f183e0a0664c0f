"""Games of the rollout planner are the same with one worker process and with two."""

from functools import partial

import pytest

from bba.agents import SeatSpec
from bba.bench.engines import ProcessEngine
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import read_recording
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.config import RolloutOptions
from bba.play.recording_io import unpack
from tests.helpers.tiny_sweeps import sweep


@pytest.mark.long
def test_one_worker_and_two_play_the_same_games_decision_by_decision(tmp_path):
    options = SeatSpec(planner="rollout", rollout=RolloutOptions(futures=6, future_steps=20))
    plan = plan_sweep(sweep(agents=["bayes", "bayes-commit"], horizon=150), options)
    played = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        with ResultsStore(folder) as store:
            task = partial(play, base=options, keep_recording=True)
            list(Runner(store, ProcessEngine(workers), task, recorded=True).run(plan.episodes.values()))
        found = {key: read_recording(folder, key) for key in plan.episodes}
        played.append({key: unpack(packed, key) for key, packed in found.items()})
    one, two = played
    assert len(one) == 4
    assert one == two
    assert all(recording.players[0].comparisons for recording in one.values())
