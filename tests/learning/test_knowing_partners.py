"""Watching partners, explaining their choices, decoding others like them, and telling which one it is."""

import numpy as np
import pytest
import torch

from bba.kitchen import Kitchen, Layout
from bba.learning.partner_model.cluster_identification import judged
from bba.learning.partner_model.trajectories import WINDOW, play, trajectory_windows, windows
from bba.learning.partner_model.vae import PartnerVAE, VAEConfig, decoder_layers, latents_of, train_vae, vae_quality
from bba.learning.partner_model.vae_partners import GaussianPrior, MixturePrior, VAEPartner
from bba.learning.recipes import population
from bba.learning.recipes.cooperators import cluster, latents_of_games
from bba.learning.recipes.population import DISLIKED, LIKED, MANY, MEMBERS, SOME, member_weights, population_of
from bba.learning.rl.fixed_partners import Masks
from bba.learning.rl.trainer import CurvePoint, PPOConfig, TrainingResult
from bba.learning.rl.vec_env import mask_of

LAYOUT = Kitchen("open").layout


class Habit:
    """Always takes the first or the last of what is feasible."""

    hints = 0

    def __init__(self, last: bool) -> None:
        self._last = last

    def begin(self, games, rng) -> None:
        pass

    def choose(self, games, seen, masks: Masks, rng):
        chosen = 26 - masks[:, ::-1].argmax(axis=1) if self._last else masks.argmax(axis=1)
        return chosen.astype(np.int32)

    def hint(self, games):
        return np.empty((len(games), 0), np.float32)


@pytest.fixture(scope="module")
def watched():
    torch.set_num_threads(1)
    games = play(LAYOUT, (Habit(last=False), Habit(last=True)), games=3, steps=1200, seed=0)
    return [(game, number // 3) for number, game in enumerate(games)]


def test_each_seats_choices_are_recorded_in_order_and_feasible(watched):
    assert len(watched) == 6
    for game, last in watched:
        assert (np.diff(game.steps) > 0).all()
        masks = mask_of(game.seen)
        assert masks[np.arange(len(game.skills)), game.skills].all()
        assert (game.skills == Habit(bool(last)).choose(None, None, masks, None)).all()


def test_a_window_holds_the_choices_of_its_steps():
    steps = np.array([0, 50, 399, 400, 620, 1000])
    assert list(windows(steps)) == [(0, 3), (2, 4), (2, 4), (2, 5), (3, 5), (4, 5), (4, 5)]
    assert WINDOW == 400


def test_the_latent_tells_who_chose_and_explains_what_follows(watched):
    found = trajectory_windows(watched)
    vae = train_vae(found, VAEConfig(ahead=True, epochs=12), seed=0)
    judgement = vae_quality(vae, found, ahead=True)
    assert judgement.loss < 0.7 * judgement.loss_without
    latents = latents_of(vae, found)
    means = [latents[found.partner == partner].mean(axis=0) for partner in (0, 1)]
    nearer = np.linalg.norm(latents - means[1], axis=1) < np.linalg.norm(latents - means[0], axis=1)
    assert (nearer == (found.partner == 1)).mean() > 0.95


def test_a_games_latent_is_the_mean_over_its_stretches(watched):
    found = trajectory_windows(watched)
    vae = PartnerVAE(found.seen.shape[2])
    latents, partners = latents_of_games(vae, found)
    assert partners.tolist() == [0, 0, 0, 1, 1, 1]
    for game, latent in enumerate(latents):
        assert latent == pytest.approx(latents_of(vae, found)[found.game == game].mean(axis=0), abs=1e-5)


def test_clusters_are_of_games_and_their_spread_is_between_games(watched):
    found = trajectory_windows(watched * 2)
    vae = train_vae(found, VAEConfig(ahead=True, epochs=3), seed=0)
    clusters, told = cluster(vae, found, found, seed=0)
    assert sum(told["sizes"]) == 2 * len(watched)
    latents, _ = latents_of_games(vae, found)
    nearest = np.linalg.norm(latents[:, None] - clusters.mean, axis=2).argmin(axis=1)
    for k in range(len(clusters)):
        assert clusters.std[k] == pytest.approx(latents[nearest == k].std(axis=0), abs=1e-5)


def test_a_member_dislikes_only_what_the_other_cook_could_do_in_its_place():
    for number in range(MEMBERS):
        assert set(member_weights(number, LAYOUT)) == {LIKED, DISLIKED}
        assert set(member_weights(number, Layout.load("forced_coordination"))) == {LIKED, 0}


def test_only_gamma_learns_from_beginners_and_only_talents_from_many_errors(monkeypatch, tmp_path):
    early, best = (((np.full((1, 1), worth), np.zeros(1)),) for worth in (0.0, 1.0))
    point = CurvePoint(0, 0, 0.0, 0.0, {}, {})
    trained = type("Done", (), {"run": lambda _: TrainingResult(best, early, point, [])})()
    monkeypatch.setattr(population, "member_training", lambda *_: trained)

    def levels(*, early_ones):
        members = population_of(LAYOUT, tmp_path, PPOConfig(), early=early_ones, members=1)
        return [(member.policy is early, member.errors) for member in members]

    assert levels(early_ones=True) == [(True, 0), (False, 0), (False, SOME)]
    assert levels(early_ones=False) == [(False, 0), (False, SOME), (False, MANY)]


def test_a_decoded_partner_chooses_what_is_feasible_and_tells_its_cluster(watched):
    game, _ = watched[0]
    seen, masks = game.seen[:8], mask_of(game.seen[:8])
    layers = decoder_layers(PartnerVAE(seen.shape[1], latents=2))
    mean = np.array([[9, 9], [-9, -9]], np.float32)
    partner, games, rng = (
        VAEPartner(layers, MixturePrior(mean, np.zeros((2, 2), np.float32)), 8),
        np.arange(8),
        np.random.default_rng(0),
    )
    partner.begin(games, rng)
    assert masks[games, partner.choose(games, seen, masks, rng)].all()
    told = partner.hint(games)
    assert told.shape == (8, 2)
    assert (told.sum(axis=1) == 1).all()
    assert set(told.argmax(axis=1)) == {0, 1}
    assert VAEPartner(layers, GaussianPrior(2), 8).hint(games).shape == (8, 0)


def test_what_is_judged_begins_sixty_steps_after_a_switch():
    since = np.tile(np.arange(300), 2)
    truth = np.repeat([0, 1], 300)
    named = np.where(since < 60, 2, truth)
    found = judged(truth, since, named)
    assert (found.right, found.chance) == (1.0, 0.5)
    assert found.by_delay[:4] == [0.0, 0.0, 0.0, 1.0]
