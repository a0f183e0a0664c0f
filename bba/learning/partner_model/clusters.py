"""Clusters of partners: k-means on the latents of whole games, and how well TALENTS identifies a partner's cluster.

The identification is evaluated during play, with partners that switch between clusters.
"""

from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score, silhouette_score

from bba.agents import (
    ClusterPosterior,
    Clusters,
    Decision,
    EpisodeContext,
    Memoryless,
    Observation,
    ObservationEncoder,
    Profile,
    feasible_mask,
    forward,
    masked_softmax,
    sample_index,
)
from bba.kitchen import Float32Array, Int64Array, Layout, constants
from bba.learning.partner_model.vae import PartnerVAE, TrajectoryWindows, window_latents
from bba.learning.rl.vec_env import linear_layers
from bba.play import Game

CLUSTERS = 3
# of fixed share
ETA = 5.0
ALPHA = 0.05
DECAY = 0.75
EGO_AGENT = "proagent"
# steps for which a partner stays in a cluster
SHORTEST = 300
LONGEST = 500
DELAY_ALLOWED = 60  # steps after a switch that are not scored
DELAY_BIN = 20  # steps since the switch per value of `by_delay`
HORIZON = 2400


def cluster_partners(
    vae: PartnerVAE, windows: TrajectoryWindows, held_out: TrajectoryWindows, seed: int
) -> tuple[Clusters, dict[str, Any]]:
    """Clusters the latents of games with k-means.

    A game's latent is the mean over its windows: that depends more on the partner and less on what happened around it.

    Returns:
        The clusters, and for the training's record their sizes and how well they separate held-out games.
    """
    latents, _ = game_latents(vae, windows)
    held_out_latents, partners = game_latents(vae, held_out)
    kmeans = KMeans(CLUSTERS, n_init=10, random_state=seed).fit(latents)
    std = np.stack([latents[kmeans.labels_ == k].std(axis=0) for k in range(CLUSTERS)])
    assigned = kmeans.predict(held_out_latents)
    separation = {
        "sizes": np.bincount(kmeans.labels_, minlength=CLUSTERS).tolist(),
        "silhouette": float(silhouette_score(held_out_latents, assigned)),
        "information about the partner": float(normalized_mutual_info_score(partners, assigned)),
    }
    centres = kmeans.cluster_centers_.astype(np.float32)
    return Clusters(centres, std.astype(np.float32), linear_layers(vae.decoder), ETA, ALPHA, DECAY), separation


def game_latents(vae: PartnerVAE, windows: TrajectoryWindows) -> tuple[Float32Array, Int64Array]:
    """Returns the mean latent over each game's windows, (G, Z), and the number of its partner, (G,)."""
    latents = window_latents(vae, windows)
    games, first, game_of_window = np.unique(windows.game, return_index=True, return_inverse=True)
    sums = np.zeros((len(games), latents.shape[1]), np.float32)
    np.add.at(sums, game_of_window, latents)
    means: Float32Array = sums / np.bincount(game_of_window).astype(np.float32)[:, None]
    return means, windows.partner[first]


class SwitchingVAEPartner(Memoryless):
    """A partner decoded from a latent of one cluster, then of another; the game's seed determines both.

    It plays by its clock alone, and its games are not replayed.

    Args:
        clusters: the clusters.

    Attributes:
        true_clusters: its cluster in each step so far.
        since_switch: how many steps ago it switched to that cluster, in each step so far.
    """

    def __init__(self, clusters: Clusters) -> None:
        self.profile = Profile("switching-vae")
        self._clusters = clusters
        self.true_clusters: list[int] = []
        self.since_switch: list[int] = []

    def reset(self, context: EpisodeContext) -> None:
        """Starts a game."""
        self._rng = np.random.default_rng([context.seed, 9])
        self._encoder = ObservationEncoder(context.layout, fast=context.fast)
        self._cluster = -1
        self._switch_at = 0

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill, or samples a new one from the decoder."""
        step = int(observation.state[constants.STEP])
        if step >= self._switch_at:
            self._switch(step)
        self.true_clusters.append(self._cluster)
        self.since_switch.append(step - self._switched_at)
        if observation.running != constants.NO_SKILL:
            return Decision(observation.running)
        encoded = self._encoder.of(observation.state)[observation.player]
        logits = forward(self._clusters.decoder, np.concatenate([encoded, self._latent]))
        probabilities = masked_softmax(logits, feasible_mask(encoded))
        skill = sample_index(probabilities, self._rng.random())
        return Decision(skill, chosen=True)

    def _switch(self, step: int) -> None:
        clusters = [cluster for cluster in range(len(self._clusters)) if cluster != self._cluster]
        self._cluster = int(self._rng.choice(clusters))
        noise = self._rng.standard_normal(self._clusters.mean.shape[1])
        latents = self._clusters.mean + self._clusters.std * noise
        self._latent = latents[self._cluster].astype(np.float32)
        self._switched_at = step
        self._switch_at = step + int(self._rng.integers(SHORTEST, LONGEST + 1))


def evaluate_identification(clusters: Clusters, layout: Layout, games: int, seed: int) -> dict[str, Any]:
    """Plays games with switching partners and scores the cluster with the highest weight in every step."""
    true = []
    since_switch = []
    identified = []
    for game in range(games):
        partner = SwitchingVAEPartner(clusters)
        trace = Game(layout, EGO_AGENT, partner, seed=seed + game, horizon=HORIZON, fast=True).run()
        true += partner.true_clusters
        since_switch += partner.since_switch
        posterior = ClusterPosterior(clusters, 1, ObservationEncoder(layout, fast=True))
        for state in [trace.start, *(tick.state for tick in trace.ticks[:-1])]:
            posterior.observe(state[None])
            weights = posterior.weights_at(int(state[constants.STEP]))
            identified.append(int(weights.argmax()))
    return identification_score(np.array(true), np.array(since_switch), np.array(identified))


def identification_score(true: Int64Array, since_switch: Int64Array, identified: Int64Array) -> dict[str, Any]:
    """Returns how often the cluster with the highest weight was the partner's, for the training's record.

    The arguments have one entry per step, (T,). `right` is the share of the steps from 60 after a switch, or after the
    start, onwards; `by_delay` is the same share by steps since the switch, in bins of 20 steps from 0 onwards; `chance`
    is the share of always naming the most frequent cluster.
    """
    correct = true == identified
    scored = since_switch >= DELAY_ALLOWED
    by_delay = []
    for start in range(0, SHORTEST, DELAY_BIN):
        in_bin = (since_switch >= start) & (since_switch < start + DELAY_BIN)
        share = float(correct[in_bin].mean())
        by_delay.append(round(share, 3))
    chance = np.bincount(true[scored]).max() / scored.sum()
    return {"right": float(correct[scored].mean()), "by_delay": by_delay, "chance": float(chance)}
