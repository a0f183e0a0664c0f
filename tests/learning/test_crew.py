"""Several trainings: what is finished is left alone, what others need comes first, what dies goes on."""

from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import pytest

from bba.errors import BBAError
from bba.learning.recipes.registry import RECIPES
from bba.learning.runs.run import TrainingRun, train
from bba.learning.runs.scheduler import JobState, JobStatus, TrainingScheduler, curve_in
from tests.learning.tiny import OPEN, SMALL, AtOnce, tiny_kind, tiny_training

BRIEF = replace(SMALL, steps=3_000)
JOBS = [TrainingRun("bp:G1-1", OPEN), TrainingRun("bp:G1-2", OPEN)]


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(RECIPES, "bp", tiny_kind())


def work(crew, engine):
    """The states of the jobs at every beat."""
    return [[stand.state for stand in crew.stands] for _ in crew.run(engine)]


def test_jobs_are_done_one_after_the_other_where_there_is_one_worker(tmp_path):
    crew, engine = TrainingScheduler(JOBS, tmp_path, BRIEF, 0), AtOnce()
    assert crew.missing == 2
    assert work(crew, engine) == [[JobState.DONE, JobState.WAITING], [JobState.DONE, JobState.DONE]]
    assert (crew.missing, engine.closed) == (0, True)
    assert all(stand.record is not None and stand.curve and stand.best for stand in crew.stands)


def test_a_finished_job_is_left_alone(tmp_path):
    train(JOBS[0], tmp_path, BRIEF, 0)
    before = (tmp_path / "bp-G1-1-open.json").stat().st_mtime_ns
    crew = TrainingScheduler(JOBS, tmp_path, BRIEF, 0)
    assert [stand.state for stand in crew.stands] == [JobState.KNOWN, JobState.WAITING]
    work(crew, AtOnce())
    assert (tmp_path / "bp-G1-1-open.json").stat().st_mtime_ns == before


def test_damaged_weights_are_not_taken_for_a_finished_job(tmp_path):
    train(JOBS[0], tmp_path, BRIEF, 0)
    path = tmp_path / "bp-G1-1-open.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(BBAError, match=r"bp-G1-1-open\.safetensors: not a safetensors file, or damaged"):
        TrainingScheduler(JOBS, tmp_path, BRIEF, 0)


def test_what_is_best_is_said_of_finished_trainings_only(tmp_path):
    stand = JobStatus(JOBS[0], curve=tiny_training(steps=1_000).run().curve)
    assert stand.best is None


def test_a_job_whose_process_died_goes_on_once(tmp_path):
    crew = TrainingScheduler(JOBS[:1], tmp_path, BRIEF, 0)
    states = work(crew, AtOnce(BrokenProcessPool()))
    assert states == [[JobState.WAITING], [JobState.DONE]]
    crew = TrainingScheduler(JOBS[1:], tmp_path, BRIEF, 0)
    work(crew, AtOnce(BrokenProcessPool(), BrokenProcessPool()))
    assert crew.stands[0].state is JobState.FAILED
    assert crew.stands[0].problem == "the process that trained it died, twice"


def test_a_failure_does_not_end_the_others(tmp_path):
    crew = TrainingScheduler(JOBS, tmp_path, BRIEF, 0)
    work(crew, AtOnce(BBAError("the disk is full")))
    assert [stand.state for stand in crew.stands] == [JobState.FAILED, JobState.DONE]
    assert crew.stands[0].problem == "the disk is full"


def test_what_others_need_comes_first_and_takes_them_along_when_it_fails(tmp_path, monkeypatch):
    monkeypatch.setitem(RECIPES, "member", tiny_kind(["member-0"], plays=False))
    monkeypatch.setitem(RECIPES, "gamma", tiny_kind(["gamma"], needs="member"))
    jobs = [TrainingRun("gamma", OPEN), TrainingRun("member-0", OPEN)]
    crew = TrainingScheduler(jobs, tmp_path, BRIEF, 0)
    assert work(crew, AtOnce()) == [[JobState.WAITING, JobState.DONE], [JobState.DONE, JobState.DONE]]
    crew = TrainingScheduler(jobs, tmp_path / "elsewhere", BRIEF, 0)
    work(crew, AtOnce(BBAError("the disk is full")))
    assert [stand.problem for stand in crew.stands] == ["needs member-0", "the disk is full"]


def test_how_far_a_training_is_can_be_read_from_its_checkpoint(tmp_path):
    path = tmp_path / "bp-G1-1-open.checkpoint"
    assert curve_in(path) == ()
    trained = tiny_training(checkpoint=path, steps=3_000).run()
    assert list(curve_in(path)) == trained.curve
    stand = TrainingScheduler(JOBS[:1], tmp_path, BRIEF, 0).stands[0]
    assert (stand.state, stand.steps, stand.before) == (JobState.WAITING, trained.curve[-1].steps, stand.steps)
    path.write_bytes(b"damaged")
    assert curve_in(path) == ()
