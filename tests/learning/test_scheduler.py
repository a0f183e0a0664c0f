"""The scheduler: finished runs are left alone, dependencies come first, crashed runs continue."""

from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import pytest

from bba.errors import BBAError
from bba.learning.runs.run import RECIPES, TrainingRun, train
from bba.learning.runs.scheduler import RunState, RunStatus, TrainingScheduler, checkpoint_curve
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.tiny_trainings import OPEN, SMALL, tiny_recipe, tiny_trainer

BRIEF = replace(SMALL, steps=3_000)
RUNS = [TrainingRun("bp:G1-1", OPEN), TrainingRun("bp:G1-2", OPEN)]


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(RECIPES, "bp", tiny_recipe())


def execute(scheduler, engine):
    """Executes all runs; returns their states at every poll."""
    return [[status.state for status in scheduler.statuses] for _ in scheduler.run(engine)]


def test_one_worker_executes_runs_one_after_the_other(tmp_path):
    scheduler, engine = TrainingScheduler(RUNS, tmp_path, BRIEF, 0), ImmediateEngine()
    assert scheduler.unfinished == 2
    assert execute(scheduler, engine) == [[RunState.DONE, RunState.WAITING], [RunState.DONE, RunState.DONE]]
    assert (scheduler.unfinished, engine.closed) == (0, True)
    assert all(status.record is not None and status.curve and status.best for status in scheduler.statuses)


def test_a_finished_run_is_left_alone(tmp_path):
    train(RUNS[0], tmp_path, BRIEF, 0)
    before = (tmp_path / "bp-G1-1-open.json").stat().st_mtime_ns
    scheduler = TrainingScheduler(RUNS, tmp_path, BRIEF, 0)
    assert [status.state for status in scheduler.statuses] == [RunState.ALREADY_TRAINED, RunState.WAITING]
    execute(scheduler, ImmediateEngine())
    assert (tmp_path / "bp-G1-1-open.json").stat().st_mtime_ns == before


def test_a_run_with_damaged_weights_does_not_count_as_finished(tmp_path):
    train(RUNS[0], tmp_path, BRIEF, 0)
    path = tmp_path / "bp-G1-1-open.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(BBAError, match=r"bp-G1-1-open\.safetensors: not a safetensors file, or damaged"):
        TrainingScheduler(RUNS, tmp_path, BRIEF, 0)


def test_only_finished_runs_have_a_best_point(tmp_path):
    status = RunStatus(RUNS[0], curve=tiny_trainer(steps=1_000).run().curve)
    assert status.best is None


def test_a_run_whose_process_died_is_continued_once(tmp_path):
    scheduler = TrainingScheduler(RUNS[:1], tmp_path, BRIEF, 0)
    states = execute(scheduler, ImmediateEngine(BrokenProcessPool()))
    assert states == [[RunState.WAITING], [RunState.DONE]]
    scheduler = TrainingScheduler(RUNS[1:], tmp_path, BRIEF, 0)
    execute(scheduler, ImmediateEngine(BrokenProcessPool(), BrokenProcessPool()))
    assert scheduler.statuses[0].state is RunState.FAILED
    assert scheduler.statuses[0].error == "the process that trained it died, twice"


def test_a_failure_does_not_end_the_other_runs(tmp_path):
    scheduler = TrainingScheduler(RUNS, tmp_path, BRIEF, 0)
    execute(scheduler, ImmediateEngine(BBAError("the disk is full")))
    assert [status.state for status in scheduler.statuses] == [RunState.FAILED, RunState.DONE]
    assert scheduler.statuses[0].error == "the disk is full"


def test_dependencies_come_first_and_their_failure_fails_the_runs_that_need_them(tmp_path, monkeypatch):
    monkeypatch.setitem(RECIPES, "member", tiny_recipe(["member-0"], playable=False))
    monkeypatch.setitem(RECIPES, "gamma", tiny_recipe(["gamma"], needs="member"))
    runs = [TrainingRun("gamma", OPEN), TrainingRun("member-0", OPEN)]
    scheduler = TrainingScheduler(runs, tmp_path, BRIEF, 0)
    states = execute(scheduler, ImmediateEngine())
    assert states == [[RunState.WAITING, RunState.DONE], [RunState.DONE, RunState.DONE]]
    scheduler = TrainingScheduler(runs, tmp_path / "elsewhere", BRIEF, 0)
    execute(scheduler, ImmediateEngine(BBAError("the disk is full")))
    assert [status.error for status in scheduler.statuses] == ["needs member-0", "the disk is full"]


def test_the_progress_of_a_run_can_be_read_from_its_checkpoint(tmp_path):
    path = tmp_path / "bp-G1-1-open.checkpoint"
    assert checkpoint_curve(path) == ()
    trained = tiny_trainer(checkpoint=path, steps=3_000).run()
    assert list(checkpoint_curve(path)) == trained.curve
    status = TrainingScheduler(RUNS[:1], tmp_path, BRIEF, 0).statuses[0]
    assert (status.state, status.steps) == (RunState.WAITING, trained.curve[-1].steps)
    path.write_bytes(b"damaged")
    assert checkpoint_curve(path) == ()
