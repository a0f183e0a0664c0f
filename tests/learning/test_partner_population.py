"""The training of a population's network: its members, the fit of all of them, and what is said of unseen ones."""

from dataclasses import replace

import numpy as np
import pytest

from bba.agents import SCRATCH_PARTNERS, feature_weights
from bba.agents.learned.weights import load_weights, planning_networks
from bba.kitchen import N_SKILLS, Layout, reachable_features
from bba.learning.recipes import population
from bba.learning.recipes.population import (
    IMPOSSIBLE,
    MEMBER,
    MemberChoices,
    PopulationConfig,
    entropy,
    fit_choices,
    log_propensities_of_unseen,
    loss_of,
    member_likings,
)
from bba.learning.runs.run import RECIPES, TrainingRun, read_record, runs_for, train
from tests.helpers.tiny_trainings import SMALL

OPEN = Layout.load("open")
TINY = replace(SMALL, steps=4_000, games=8, length=100, rollout=8)
FIT = PopulationConfig(games=2, steps=60, epochs=40, minibatch=256, rate=5e-3, fit_steps=150)


def drawn_choices(log_propensities, choices=600, seed=0):
    """Choices of members with log-propensities (members, 27) among all skills; what they see says what is likely."""
    rng = np.random.default_rng(seed)
    members = len(log_propensities)
    numbers = np.arange(members * choices) % members
    observations = rng.standard_normal((len(numbers), N_SKILLS)).astype(np.float32)
    blocked = np.where(rng.random((len(numbers), N_SKILLS)) < 0.6, IMPOSSIBLE, 0.0).astype(np.float32)
    blocked[:, 4] = 0.0
    logits = observations + blocked + log_propensities[numbers]
    targets = np.exp(logits - logits.max(axis=1, keepdims=True))
    targets /= targets.sum(axis=1, keepdims=True)
    return MemberChoices(observations, blocked, targets.astype(np.float32), numbers)


def test_one_network_with_offsets_chooses_as_each_member_does():
    choices = drawn_choices(np.random.default_rng(1).normal(0, 1.5, (4, N_SKILLS)))
    network, offsets = fit_choices(choices, 4, FIT, 0)
    own = entropy(choices)
    assert loss_of(network, choices, offsets) - own < 0.15
    assert loss_of(network, choices, 0 * offsets) - own > 0.3


def test_the_variance_is_about_that_of_members_that_were_not_seen():
    choices = drawn_choices(np.random.default_rng(2).normal(0, 1.5, (4, N_SKILLS)))
    unseen = log_propensities_of_unseen(choices, 4, FIT, 0)
    assert 1.2 < unseen.variance.mean() < 6
    alike = log_propensities_of_unseen(drawn_choices(np.zeros((4, N_SKILLS))), 4, FIT, 0)
    assert alike.variance.mean() < 0.3 * unseen.variance.mean()
    assert unseen.divergence < 0.4


def test_members_have_likings_of_their_own_which_no_partner_of_the_evaluation_has():
    likings = [tuple(member_likings(number, OPEN)) for number in range(population.MEMBERS)]
    assert len(set(likings)) == len(likings)
    assert not set(likings) & {tuple(feature_weights(partner)) for partner in SCRATCH_PARTNERS}
    divided = Layout.load("forced_coordination")
    assert not member_likings(3, divided)[~reachable_features(divided, 1)].any()


def test_a_population_is_trained_into_a_network_that_the_planner_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(population, "MEMBERS", 2)
    monkeypatch.setattr(population, "PopulationConfig", lambda: FIT)
    for kind in ("population-member", "population"):
        monkeypatch.setitem(RECIPES, kind, replace(RECIPES[kind], settings=lambda _, __: TINY))
    run = TrainingRun("population", OPEN)
    points = []
    record = train(run, tmp_path, TINY, 0, points.append)
    assert [point.steps for point in points] == [point.steps for point in record.curve]
    assert len(record.curve) == 2
    weights = load_weights(run.file(tmp_path, ".safetensors"))
    assert weights.variance.tolist() == pytest.approx(list(record.networks["variance"].values()), rel=1e-4)
    assert read_record(run.file(tmp_path, ".json")).networks["choices"] > 0
    names = sorted(path.name for path in tmp_path.glob("*.checkpoint") if "response" not in path.name)
    assert names == [f"{MEMBER}{number}-open.checkpoint" for number in range(2)]


def test_it_comes_after_its_members():
    runs = runs_for("population", [OPEN])
    assert [run.name for run in runs][-1] == "population"
    assert all(runs[-1].depends_on(member) for member in runs[:-1])
    assert len(runs) == population.MEMBERS + 1


def test_those_that_ship_say_how_they_were_learned():
    for layout in ("open", "ring"):
        networks = planning_networks(Layout.load(layout))
        assert networks.population is not None
        assert (networks.population.variance > 0.1).all()
        assert networks.population.variance.mean() < 10
