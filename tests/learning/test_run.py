"""Training runs: which runs a name stands for, and what a run leaves behind."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from threadpoolctl import threadpool_info, threadpool_limits

from bba.agents.learned.families import LEARNED_PARTNERS, SCRATCH_PARTNERS
from bba.agents.learned.weights import load_weights, weights_for
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.learning.recipes.planner import DistillationConfig, Situations, fit_value
from bba.learning.recipes.recipe import pretrained_base
from bba.learning.runs.run import (
    RECIPES,
    TrainingRun,
    finished_record,
    read_record,
    runs_for,
    train,
    unchecked_distributions,
)
from bba.play import Game
from tests.helpers.tiny_trainings import OPEN, SMALL, tiny_recipe

RING = Layout.load("ring")
BRIEF = replace(SMALL, steps=3_000)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(RECIPES, "bp", tiny_recipe())


def test_a_kind_stands_for_all_its_policies_layout_by_layout():
    runs = runs_for("bp", [OPEN, RING])
    assert [run.name for run in runs] == [*LEARNED_PARTNERS, *LEARNED_PARTNERS]
    assert [run.layout.name for run in runs] == ["open"] * 12 + ["ring"] * 12
    assert runs_for("bp:G1-2", [OPEN]) == [TrainingRun("bp:G1-2", OPEN)]


def test_cooperators_come_after_the_population_from_which_they_learn():
    names = [run.name for run in runs_for("gamma", [OPEN])]
    assert names == [*RECIPES["member"].names, "gamma"]
    everything = [run.name for run in runs_for("all", [OPEN])]
    kinds = ("member", "population-member", "scratch-member")
    populations = [name for kind in kinds for name in RECIPES[kind].names]
    learned = [*LEARNED_PARTNERS, "gamma", "talents", "planner", *SCRATCH_PARTNERS, "population"]
    assert everything == [*populations, *learned, "scratch:gamma", "scratch:talents"]
    gamma = TrainingRun("gamma", OPEN)
    assert gamma.depends_on(TrainingRun("member-0", OPEN))
    assert not gamma.depends_on(TrainingRun("member-0", RING))
    assert not gamma.depends_on(TrainingRun("bp:G1-1", OPEN))


@pytest.mark.parametrize("what", ["", "bp:G4-1", "member-0", "member", "bayes", "bp:"])
def test_a_name_that_cannot_be_trained_gives_one_line(what):
    with pytest.raises(BBAError, match=r"^train: '.*' cannot be trained; choose one of all, bp, gamma") as caught:
        runs_for(what, [OPEN])
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("tiny")
def test_a_training_leaves_weights_and_a_record(tmp_path):
    run, points = TrainingRun("bp:G1-2", OPEN), []
    record = train(run, tmp_path, BRIEF, 7, points.append)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bp-G1-2-open.json", "bp-G1-2-open.safetensors"]
    weights = load_weights(tmp_path / "bp-G1-2-open.safetensors")
    assert (weights.name, weights.layout, weights.map) == ("bp:G1-2", "open", record.map)
    kept = read_record(tmp_path / "bp-G1-2-open.json")
    assert (kept.policy, kept.layout, kept.settings, kept.seeds["training"]) == ("bp:G1-2", "open", BRIEF, 7)
    assert (kept.steps, kept.decisions) == (points[-1].steps, points[-1].decisions)
    assert [point.steps for point in kept.curve] == [point.steps for point in points]
    assert kept.best.steps == record.best.steps
    assert kept.steps_per_second == pytest.approx(record.steps / record.seconds, rel=1e-3)
    assert {"bba", "torch", "sb3-contrib", "numpy"} <= set(kept.versions)
    assert len(kept.code) == 16


def blas_threads():
    """With how many threads NumPy multiplies matrices."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.mark.usefixtures("tiny")
def test_a_training_multiplies_matrices_in_one_thread_and_leaves_the_caller_its_own(tmp_path):
    seen = []
    with threadpool_limits(2, user_api="blas"):
        train(TrainingRun("bp:G1-2", OPEN), tmp_path, BRIEF, 7, lambda _: seen.append(blas_threads()))
        assert blas_threads() == {2}
    assert seen
    assert all(threads == {1} for threads in seen)


def checks_distributions():
    """Whether torch refuses a distribution of numbers that are none."""
    try:
        MaskableCategorical(logits=torch.full((1, 2), np.nan), masks=np.ones((1, 2)))
    except ValueError:
        return True
    return False


@pytest.mark.usefixtures("tiny")
def test_a_training_does_not_check_each_distribution_and_leaves_the_caller_its_checks(tmp_path):
    seen = []
    train(TrainingRun("bp:G1-2", OPEN), tmp_path, BRIEF, 7, lambda _: seen.append(checks_distributions()))
    assert seen
    assert not any(seen)
    assert checks_distributions()


def test_no_skill_is_drawn_from_numbers_that_are_none():
    with unchecked_distributions():
        distribution = MaskableCategorical(logits=torch.full((1, 2), np.nan), masks=np.ones((1, 2)))
        with pytest.raises(RuntimeError, match="nan"):
            distribution.sample()


@pytest.mark.usefixtures("tiny")
def test_a_record_is_valid_json_even_if_a_statistic_is_nan(tmp_path):
    train(TrainingRun("bp:G1-2", OPEN), tmp_path, BRIEF, 0)

    def refuse(constant):
        raise AssertionError(constant)

    text = (tmp_path / "bp-G1-2-open.json").read_text()
    assert json.loads(text, parse_constant=refuse)["format"] == "bba-training-1"


@pytest.mark.usefixtures("tiny")
def test_a_finished_run_with_other_parameters_is_refused(tmp_path):
    run = TrainingRun("bp:G1-2", OPEN)
    assert finished_record(run, tmp_path, BRIEF, 0) is None
    train(run, tmp_path, BRIEF, 0)
    found = finished_record(run, tmp_path, BRIEF, 0)
    assert found is not None
    assert found.policy == "bp:G1-2"
    with pytest.raises(
        BBAError, match=r"open\.json: was trained differently \(steps 3000, not 9\); choose another --out"
    ):
        finished_record(run, tmp_path, replace(BRIEF, steps=9), 0)
    with pytest.raises(BBAError, match=r"was trained differently \(seed 0, not 1\)"):
        finished_record(run, tmp_path, BRIEF, 1)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"format": "bba-training-1"}'])
def test_a_damaged_record_gives_one_line(tmp_path, content):
    run = TrainingRun("bp:G1-2", OPEN)
    run.file(tmp_path, ".safetensors").write_bytes(b"")
    run.file(tmp_path, ".json").write_text(content)
    with pytest.raises(BBAError, match=r"bp-G1-2-open\.json: is not a training record") as caught:
        finished_record(run, tmp_path, BRIEF, 0)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("tiny")
def test_a_member_of_the_population_stays_a_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setitem(RECIPES, "member", tiny_recipe(["member-0"], playable=False))
    train(TrainingRun("member-0", OPEN), tmp_path, BRIEF, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["member-0-open.checkpoint"]


def test_a_partner_is_trained_from_the_clone_and_can_be_played(tmp_path, monkeypatch):
    """The real recipe with few demonstrations and short evaluations."""
    monkeypatch.setattr("bba.learning.recipes.cooperators.pretrained_base", partial(pretrained_base, games=1))
    monkeypatch.setattr("bba.learning.recipes.recipe.EPOCHS", 1)
    monkeypatch.setattr("bba.learning.recipes.cooperators.CURVE_GAMES", 2)
    monkeypatch.setattr("bba.learning.recipes.cooperators.FINAL_GAMES", 2)
    record = train(TrainingRun("bp:G1-4", OPEN), tmp_path, BRIEF, 0)
    assert record.weights["plating"] == record.weights["washing"] == -30
    assert record.weights["delivering"] == 20
    assert set(record.evaluation) == set(record.best.scores) == {"self-play", "beside the clone"}
    assert np.isfinite(record.best.objective)
    assert weights_for("bp:G1-4", OPEN, tmp_path).name == "bp:G1-4"
    edited = OPEN.model_copy(update={"plates": OPEN.plates + 1})
    with pytest.raises(BBAError, match=r"base-open\.safetensors: is the checkpoint of another training"):
        train(TrainingRun("bp:G1-3", edited), tmp_path, BRIEF, 0)
    from bba.agents.learned.agent import LearnedAgent

    partner = LearnedAgent("bp:G1-4", tmp_path)
    assert len(Game(OPEN, "proagent", partner, horizon=20).run().ticks) == 20


def test_returns_that_do_not_vary_have_no_share_that_is_explained(recwarn):
    seen = np.ones((40, 2, 3), np.float32)
    same = Situations(seen, np.zeros((40, 2), np.int64), np.full(40, 5.0), np.repeat(np.arange(10), 4))
    assert fit_value(same, DistillationConfig(hidden=4, value_epochs=1, held_out=0.5), seed=0)[1] == {"r2": 0.0}
    assert not recwarn
