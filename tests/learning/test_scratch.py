"""Trainings from nothing: partners beside their best responses, and cooperators that learn from such partners."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from bba.agents import LEARNED_PARTNERS, SCRATCH_PARTNERS, feature_weights
from bba.agents.learned.weights import load_weights
from bba.errors import BBAError
from bba.kitchen import FEATURE_NAMES, Layout
from bba.learning.partner_model.vae import VAEConfig
from bba.learning.recipes import cooperators, scratch
from bba.learning.recipes.cooperators import member_weights
from bba.learning.recipes.scratch import (
    SHAPING_POINTS,
    WITH_RESPONSE,
    prepare_pair,
    prepare_scratch_member,
    scratch_population,
    scratch_settings,
)
from bba.learning.rl.pair_trainer import PairTrainer
from bba.learning.rl.trainer import PPOConfig
from bba.learning.rl.vec_env import policy_layers
from bba.learning.runs.run import RECIPES, TrainingRun, read_record, runs_for, train
from tests.helpers.tiny_trainings import SMALL

OPEN = Layout.load("open")
TINY = replace(SMALL, steps=4_000, games=8, length=100, rollout=8)
NAME = "scratch:G1-4"
RESPONSE = f"{NAME}+response"


@pytest.fixture(autouse=True)
def tiny_settings(monkeypatch):
    """Trainings with few games and steps, each of which is evaluated in one game."""
    for kind in ("scratch", "scratch-member", "scratch-cooperators"):
        monkeypatch.setitem(RECIPES, kind, replace(RECIPES[kind], settings=lambda _, __: TINY))
    for module, games in ((scratch, "CURVE_GAMES"), (scratch, "FINAL_GAMES"), (cooperators, "FINAL_GAMES")):
        monkeypatch.setattr(module, games, 1)
    monkeypatch.setattr(cooperators, "IDENTIFICATION_GAMES", 2)
    monkeypatch.setattr(cooperators, "GAMES_PER_SEAT", 2)
    monkeypatch.setattr(cooperators, "VAEConfig", partial(VAEConfig, epochs=1))
    monkeypatch.setattr(cooperators, "GAME_STEPS", 1200)


def tiny_pair(folder):
    folder.mkdir(exist_ok=True)
    return prepare_pair(NAME, feature_weights(NAME), OPEN, folder, TINY, 0).trainer


def same(first, second):
    pairs = zip(first, second, strict=True)
    return all((a == b).all() for one, other in pairs for a, b in zip(one, other, strict=True))


def test_partners_from_nothing_have_the_preferences_of_the_others():
    assert len(SCRATCH_PARTNERS) == 12
    for partner, learned in zip(SCRATCH_PARTNERS, LEARNED_PARTNERS, strict=True):
        assert (feature_weights(partner) == feature_weights(learned)).all()


def test_the_settings_are_those_of_the_source_and_only_the_steps_are_chosen():
    settings = scratch_settings(OPEN, PPOConfig(steps=7, gamma=0.5, rate=1.0))
    assert (settings.steps, settings.gamma, settings.lam, settings.rate) == (7, 0.999, 0.999, 1e-3)
    assert settings.games * settings.rollout == 8192
    assert settings.critic_first == 0  # there is no cloned policy to protect


def test_a_partner_and_its_best_response_are_trained_written_and_recorded(tmp_path):
    record = train(TrainingRun(NAME, OPEN), tmp_path, PPOConfig(), 3)
    partner = load_weights(tmp_path / "scratch-G1-4-open.safetensors")
    response = load_weights(tmp_path / "scratch-G1-4+response-open.safetensors")
    assert (partner.name, response.name) == (NAME, RESPONSE)
    assert not same(partner.policy, response.policy)
    assert record.shaping == read_record(tmp_path / "scratch-G1-4-open.json").shaping
    assert record.shaping == {FEATURE_NAMES[feature]: points for feature, points in SHAPING_POINTS.items()}
    assert record.weights["washing"] < 0 < record.weights["delivering"]
    assert set(record.evaluation) == {WITH_RESPONSE}
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".safetensors", ".safetensors"]


def test_only_the_partner_is_rewarded_by_its_preferences_and_only_the_response_by_steps_towards_a_burrito(tmp_path):
    pair = tiny_pair(tmp_path)
    partner_env = pair.trainer._make_env(0, 0.0)
    response_env = pair.companion._make_env(0, 1.0)  # to the end of the training
    assert (partner_env.weights == feature_weights(NAME)).all()
    assert (response_env.weights == scratch.shaping()).all()
    assert partner_env.learner_seats.tolist() == [[False, True]] * TINY.games
    assert response_env.learner_seats.tolist() == [[True, False]] * TINY.games


def test_each_is_trained_beside_the_other_as_it_is_then(tmp_path):
    pair = tiny_pair(tmp_path)
    pair.companion.begin()
    pair.companion.advance()
    beside = pair.trainer._make_env(0, 0.0).partner.layers
    assert same(beside, policy_layers(pair.companion._ppo.policy))
    before = pair.companion._make_env(0, 0.0).partner.layers
    pair.trainer.begin()
    pair.trainer.advance()
    assert not same(before, pair.companion._make_env(0, 0.0).partner.layers)


def test_a_pair_that_was_interrupted_goes_on_as_if_it_had_not_been(tmp_path):
    whole = tiny_pair(tmp_path / "whole").run()

    class Interrupted(Exception):
        pass

    def interrupt(point):
        if point.steps > TINY.steps / 3:
            raise Interrupted

    with pytest.raises(Interrupted):
        tiny_pair(tmp_path / "parts").run(interrupt)
    resumed = tiny_pair(tmp_path / "parts").run()
    assert same(whole.policy, resumed.policy)
    assert same(whole.companion, resumed.companion)
    assert [point.scores for point in whole.curve] == [point.scores for point in resumed.curve]


def test_the_companion_goes_first_and_is_never_more_than_a_round_ahead():
    played = []

    class Counted:
        def __init__(self, name, rounds):
            self.name = name
            self.rounds = 0
            self.over_after = rounds
            self.result = "the result"

        def begin(self, report=None):
            pass

        @property
        def over(self):
            return self.rounds == self.over_after

        def advance(self, report=None):
            self.rounds += 1
            played.append(self.name)

    assert PairTrainer(Counted("partner", 3), Counted("response", 9)).run() == "the result"
    assert played == ["response", "partner"] * 3


def test_members_are_specialists_that_train_half_as_long_and_their_teammates_are_their_best_responses(tmp_path):
    prepared = prepare_scratch_member("scratch-member-2", OPEN, tmp_path, TINY, 99)
    assert prepared.trainer.trainer._config.steps == TINY.steps // 2
    assert (prepared.weights == member_weights(2, OPEN)).all()
    assert prepared.evaluate(()) == {}


@pytest.mark.parametrize(("name", "has_clusters"), [("scratch:gamma", False), ("scratch:talents", True)])
def test_a_cooperator_learns_from_nothing_beside_partners_decoded_from_such_a_population(
    name, has_clusters, tmp_path, monkeypatch
):
    monkeypatch.setattr(scratch, "MEMBERS", 2)
    run = TrainingRun(name, OPEN)
    record = train(run, tmp_path, PPOConfig(), 0)
    weights = load_weights(run.file(tmp_path, ".safetensors"))
    assert (weights.clusters is not None) == has_clusters
    assert record.shaping
    assert ("identified" in record.partners) == has_clusters
    population = scratch_population(OPEN, tmp_path, TINY, early=True)
    assert [member.name for member in population] == ["scratch-member-0"] * 3 + ["scratch-member-1"] * 3
    response = population[0].teammate.layers
    assert not same(response, population[1].policy.layers)
    assert not same(response, population[3].teammate.layers)


def test_where_one_cook_cannot_do_everything_there_are_partners_but_no_cooperators():
    divided = Layout.load("forced_coordination")
    names = [run.name for run in runs_for("all", [divided])]
    assert set(SCRATCH_PARTNERS) <= set(names)
    assert not {"scratch:gamma", "scratch-member-0"} & set(names)
    message = "^train: scratch:gamma needs a kitchen in which both cooks can do everything, unlike forced_coordination$"
    with pytest.raises(BBAError, match=message):
        runs_for("scratch:gamma", [divided])


def test_cooperators_are_trained_after_their_population():
    runs = runs_for("scratch-cooperators", [OPEN])
    names = [run.name for run in runs]
    assert names == [f"scratch-member-{number}" for number in range(8)] + ["scratch:gamma", "scratch:talents"]
    assert runs[-1].depends_on(runs[0])
    assert np.isclose(len(runs_for("scratch", [OPEN])), 12)
