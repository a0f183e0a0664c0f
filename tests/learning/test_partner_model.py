"""Partner models: trajectories, the autoencoder, clusters, decoded partners, and the identification of clusters."""

import numpy as np
import pytest
import torch

from bba.agents.learned.policy import Mask, feasible_mask
from bba.kitchen import Layout
from bba.learning.partner_model.clusters import cluster_partners, game_latents, identification_score
from bba.learning.partner_model.vae import (
    WINDOW,
    PartnerVAE,
    VAEConfig,
    VAEPartner,
    record_trajectories,
    train_vae,
    trajectory_windows,
    vae_quality,
    window_bounds,
    window_latents,
)
from bba.learning.rl.vec_env import PolicyPartner, linear_layers

OPEN = Layout.load("open")


class FixedChoicePartner(PolicyPartner):
    """Always chooses the first or the last of the feasible skills."""

    def __init__(self, last: bool) -> None:
        super().__init__(())
        self._last = last

    def choose(self, games, observations, masks: Mask, rng):
        choices = 26 - masks[:, ::-1].argmax(axis=1) if self._last else masks.argmax(axis=1)
        return choices.astype(np.int32)


@pytest.fixture(scope="module")
def games():
    """Trajectories with their partners' numbers: three games of each of two partners."""
    torch.set_num_threads(1)
    partners = FixedChoicePartner(last=False), FixedChoicePartner(last=True)
    trajectories = record_trajectories(OPEN, partners, games=3, steps=1200, seed=0)
    return [(trajectory, number // 3) for number, trajectory in enumerate(trajectories)]


def test_each_seats_choices_are_recorded_in_order_and_feasible(games):
    assert len(games) == 6
    for trajectory, last in games:
        assert (np.diff(trajectory.steps) > 0).all()
        masks = feasible_mask(trajectory.observations)
        assert masks[np.arange(len(trajectory.skills)), trajectory.skills].all()
        assert (trajectory.skills == FixedChoicePartner(bool(last)).choose(None, None, masks, None)).all()


def test_a_window_holds_the_choices_of_its_steps():
    steps = np.array([0, 50, 399, 400, 620, 1000])
    assert list(window_bounds(steps)) == [(0, 3), (2, 4), (2, 4), (2, 5), (3, 5), (4, 5), (4, 5)]
    assert WINDOW == 400


def test_latents_separate_partners_and_help_to_predict_choices(games):
    windows = trajectory_windows(games)
    vae = train_vae(windows, VAEConfig(ahead=True, epochs=12), seed=0)
    quality = vae_quality(vae, windows, ahead=True)
    assert quality["loss"] < 0.7 * quality["loss_without"]
    latents = window_latents(vae, windows)
    means = [latents[windows.partner == partner].mean(axis=0) for partner in (0, 1)]
    nearer = np.linalg.norm(latents - means[1], axis=1) < np.linalg.norm(latents - means[0], axis=1)
    assert (nearer == (windows.partner == 1)).mean() > 0.95


def test_a_games_latent_is_the_mean_over_its_windows(games):
    windows = trajectory_windows(games)
    vae = PartnerVAE(windows.inside.observations.shape[2])
    latents, partners = game_latents(vae, windows)
    assert partners.tolist() == [0, 0, 0, 1, 1, 1]
    for game, latent in enumerate(latents):
        assert latent == pytest.approx(window_latents(vae, windows)[windows.game == game].mean(axis=0), abs=1e-5)


def test_clusters_consist_of_games_and_their_spread_is_between_games(games):
    windows = trajectory_windows(games * 2)
    vae = train_vae(windows, VAEConfig(ahead=True, epochs=3), seed=0)
    clusters, separation = cluster_partners(vae, windows, windows, seed=0)
    assert sum(separation["sizes"]) == 2 * len(games)
    latents, _ = game_latents(vae, windows)
    nearest = np.linalg.norm(latents[:, None] - clusters.mean, axis=2).argmin(axis=1)
    for k in range(len(clusters)):
        assert clusters.std[k] == pytest.approx(latents[nearest == k].std(axis=0), abs=1e-5)


def test_a_decoded_partner_chooses_feasible_skills_and_its_context_is_its_cluster(games):
    observations = games[0][0].observations[:8]
    masks, every = feasible_mask(observations), np.arange(8)
    layers, rng = linear_layers(PartnerVAE(observations.shape[1], latents=2).decoder), np.random.default_rng(0)
    mean = np.array([[9, 9], [-9, -9]], np.float32)
    partner = VAEPartner(layers, mean, np.zeros((2, 2), np.float32), 8)
    partner.reset(every, rng)
    assert masks[every, partner.choose(every, observations, masks, rng)].all()
    context = partner.context(every)
    assert context.shape == (8, 2)
    assert (context.sum(axis=1) == 1).all()
    assert set(context.argmax(axis=1)) == {0, 1}
    assert VAEPartner(layers, mean[:1], mean[1:], 8).context(every).shape == (8, 0)


def test_identification_is_scored_from_sixty_steps_after_a_switch():
    since_switch = np.tile(np.arange(300), 2)
    true = np.repeat([0, 1], 300)
    identified = np.where(since_switch < 60, 2, true)
    score = identification_score(true, since_switch, identified)
    assert (score["right"], score["chance"]) == (1.0, 0.5)
    assert score["by_delay"][:4] == [0.0, 0.0, 0.0, 1.0]
